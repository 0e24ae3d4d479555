// random_contractions: contractions from seeds, each in a form that its seed draws: emitted code against the evaluator.
//
//   random_contractions --count 2000 --first-seed 1 --orders      or --print to see the programs and their plans
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "driver/build/build_library.h"
#include "driver/build/run_library.h"
#include "driver/tensors/compare.h"
#include "tests/stages/contractions/contraction_case.h"

namespace sinter {
namespace {

struct Options {
  int count = 1;
  uint64_t first_seed = 1;
  bool print = false, orders = false;
  std::string only;
};

std::string run(const ContractionCase& item, const std::string& library, const std::string& order) {
  LibraryCall call{.library = library,
                   .program = item.compiled.artifact.program.name,
                   .inputs = &item.inputs,
                   .outputs = {},
                   .order = order,
                   .seconds = 120};
  for (const Literal& value : item.expected) call.outputs.push_back(value.shape());
  std::string error;
  const std::optional<std::vector<Literal>> outputs = run_in_child(call, error);
  if (!outputs) return error;
  for (size_t i = 0; i < outputs->size(); ++i) {
    const Tolerance tolerance = {.atol = distance_allowed(item, i)};
    const Comparison comparison = compare({(*outputs)[i]}, {item.expected[i]}, tolerance);
    if (!comparison.ok) error += comparison.text;
  }
  return error;
}

// What the schedule of a plan's first contraction begins with.
std::string form_of(const ContractionCase& item) {
  const std::string plan = print(item.compiled.artifact.schedule.tree);
  const size_t at = plan.find("stage contract");
  if (at == std::string::npos) return "other";
  const std::string_view rest = std::string_view(plan).substr(at + 6);
  if (rest.substr(0, rest.find(')')).ends_with(", tma")) return "tma";
  for (const std::string_view form : {"contract(gemv", "contract(simt", "contract(mma 3xtf32", "contract(mma int8",
                                      "contract(mma f64", "contract(mma tf32", "contract(mma", "contract(wgmma 3xtf32",
                                      "contract(wgmma tf32", "contract(wgmma int8", "contract(wgmma"}) {
    if (rest.starts_with(form)) return std::string(form.substr(9));
  }
  return "tile";
}

// Whether a kernel makes results of several columns of its product, or of several products.
bool has_parts(const ContractionCase& item, const char* comment) {
  return std::any_of(item.compiled.artifact.files.begin(), item.compiled.artifact.files.end(), [&](const auto& file) {
    return file.first.ends_with(".cu") && file.second.find("kParts =") != std::string::npos &&
           file.second.find(comment) != std::string::npos;
  });
}

int run_all(const Options& options) {
  constexpr int kBatch = 96;
  int wrong = 0;
  std::map<std::string, int> forms, in_parts, of_matrices;
  for (int done = 0; done < options.count; done += kBatch) {
    std::vector<ContractionCase> items(static_cast<size_t>(std::min(options.count - done, kBatch)));
    std::vector<ContractionCase*> good;
    std::vector<LibraryProgram> programs;
    const auto fail = [&](const ContractionCase& item, const std::string& why) {
      ++wrong;
      std::printf("FAIL %s (%s)\n%s\n", item.program.name.c_str(), form_of(item).c_str(), why.c_str());
    };
    for (size_t i = 0; i < items.size(); ++i) {
      const uint64_t seed = options.first_seed + static_cast<uint64_t>(done) + i;
      const std::string error = draw_contraction(seed, options.only, items[i]);
      if (!options.only.empty() && error.empty() && form_of(items[i]) != options.only) continue;
      if (options.print) {
        std::printf("%s\n%s\n", items[i].program.text.c_str(), items[i].compiled.plan.c_str());
      }
      if (!error.empty()) {
        fail(items[i], error);
        continue;
      }
      ++forms[form_of(items[i])];
      if (has_parts(items[i], "// of a row of sums")) ++in_parts[form_of(items[i])];
      if (has_parts(items[i], "// matrices")) ++of_matrices[form_of(items[i])];
      good.push_back(&items[i]);
      programs.push_back({items[i].compiled.artifact.program.name, &items[i].compiled.artifact.files});
    }
    if (options.print) continue;
    const std::vector<BuiltProgram> built = build_libraries(programs, "90a", Device::kCpu);
    for (size_t i = 0; i < good.size(); ++i) {
      if (built[i].library.empty()) {
        fail(*good[i], "not built: " + built[i].error);
        continue;
      }
      const std::vector<std::string> orders =
          options.orders ? std::vector<std::string>{"forward", "reverse", "7"} : std::vector<std::string>{""};
      for (const std::string& order : orders) {
        for (const char* async : {"late", "early"}) {
          setenv("SINTER_CPU_ASYNC", async, 1);
          const std::string error = run(*good[i], built[i].library, order);
          if (!error.empty()) fail(*good[i], order + " " + async + ": " + error);
        }
      }
    }
    std::fflush(stdout);
  }
  std::printf("%d programs, %d failures;", options.count, wrong);
  const auto print = [](const char* what, const std::map<std::string, int>& counts) {
    std::printf("%s", what);
    for (const auto& [form, count] : counts) std::printf(" %s: %d", form.c_str(), count);
  };
  print("", forms);
  print("; in parts:", in_parts);
  print("; of several matrices:", of_matrices);
  std::printf("\n");
  const bool met = options.print || options.only.empty() || forms.count(options.only) > 0;
  if (!met) std::printf("none is %s\n", options.only.c_str());
  return wrong == 0 && met ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  CLI::App app("random contractions: emitted code against the evaluator");
  sinter::Options options;
  app.add_option("--count", options.count, "programs");
  app.add_option("--first-seed", options.first_seed, "seed of the first");
  app.add_flag("--orders", options.orders, "run with threads in reverse and shuffled order too");
  app.add_option("--only", options.only, "draw such forms alone: \"wgmma\", \"tma\", \"mma int8\", \"simt\"");
  app.add_flag("--print", options.print, "print the programs and their plans instead");
  CLI11_PARSE(app, argc, argv);
  return sinter::run_all(options);
}
