// random_programs: generates programs from seeds, compiles each to one kernel, and compares what the kernel computes
// with the evaluator. Every seed gives an exact program (compared by bits, --no-fma) and an ordinary one (compared
// within rtol 1e-4 and the larger of atol 1e-5 and the bound that the generator kept account of).
#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>

#include "driver/system/files.h"
#include "frontend/hlo/parse_hlo.h"
#include "tests/random/batch.h"
#include "tests/random/check_module.h"
#include "tests/random/generate.h"

namespace sinter {
namespace {

constexpr size_t kBatch = 40;

struct Options {
  int loops = 0, rows = 0, indexed = 0, branches = 0, recurrent = 0;
  uint64_t first_seed = 1;
  bool exact = true, ordinary = true;
  bool orders = false;
  bool print = false;
  std::string save;
};

struct Tally {
  int right = 0;
  std::map<std::string, int> problems;
};

using Generator = RandomProgram (*)(uint64_t seed, bool exact);

// What graph passes make of a program means the same, also where what is compiled is another form of it.
void check_forms(std::vector<CheckedProgram>& items) {
  for (CheckedProgram& item : items) {
    const Source source = {.name = item.program.name, .text = item.program.text};
    Diagnostics diagnostics(source);
    const std::unique_ptr<Module> module = parse_hlo(diagnostics);
    if (!item.problem.empty() || !module) continue;
    item.detail = check_passes(*module, item.inputs, item.expected);
    if (!item.detail.empty()) item.problem = "wrong-passes";
  }
}

void run_items(std::vector<CheckedProgram>& items, const BatchOptions& options, const std::string& save, Tally& tally) {
  check_batch(items, options);
  if (!options.one_kernel) check_forms(items);
  for (const CheckedProgram& item : items) {
    if (item.problem.empty()) {
      ++tally.right;
      continue;
    }
    ++tally.problems[item.problem];
    const std::string kind = item.program.exact ? "exact" : "ordinary";
    std::printf("FAIL %s %s: %s\n  %s\n", item.program.name.c_str(), kind.c_str(), item.problem.c_str(),
                item.detail.c_str());
    std::string error;
    const std::string path = save + "/" + item.program.name + "_" + kind + ".hlo";
    if (!save.empty() && !write_file(path, item.program.text, error)) std::printf("  %s\n", error.c_str());
  }
  std::fflush(stdout);
}

void run_kind(const Options& options, int count, Generator generate, Tally& tally) {
  BatchOptions batch;
  if (options.orders) batch.orders = {"", "reverse", "7"};
  // What an index that is known leaves of such a program may be a copy of an input.
  batch.one_kernel = generate != generate_indexed && generate != generate_recurrent;
  for (const bool exact : {true, false}) {
    if (!exact && generate == generate_recurrent) continue;
    if (exact ? !options.exact : !options.ordinary) continue;
    std::vector<CheckedProgram> items;
    for (int i = 0; i < count; ++i) {
      CheckedProgram item;
      item.seed = options.first_seed + static_cast<uint64_t>(i);
      item.program = generate(item.seed, exact);
      if (options.print) std::printf("%s", item.program.text.c_str());
      items.push_back(std::move(item));
      if (items.size() < kBatch && i + 1 < count) continue;
      if (!options.print) run_items(items, batch, options.save, tally);
      items.clear();
    }
  }
}

int run(const Options& options) {
  Tally tally;
  run_kind(options, options.loops, generate_loop, tally);
  run_kind(options, options.rows, generate_rows, tally);
  run_kind(options, options.indexed, generate_indexed, tally);
  run_kind(options, options.branches, generate_branches, tally);
  run_kind(options, options.recurrent, generate_recurrent, tally);
  std::printf("%d programs are right", tally.right);
  for (const auto& [problem, count] : tally.problems) std::printf(", %d %s", count, problem.c_str());
  std::printf("\n");
  return tally.problems.empty() ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  CLI::App app("random programs, compiled and compared with the evaluator");
  sinter::Options options;
  app.add_option("--loops", options.loops, "programs with a loop of thread scope");
  app.add_option("--rows", options.rows, "programs with reductions over rows");
  app.add_option("--indexed", options.indexed, "programs with scatters, gathers and dynamic slices");
  app.add_option("--branches", options.branches, "programs with conditionals");
  app.add_option("--recurrent", options.recurrent, "programs with a loop of matrix products");
  app.add_option("--first-seed", options.first_seed, "seed of the first of each");
  app.add_flag("!--no-exact", options.exact, "without the programs compared by bits");
  app.add_flag("!--no-ordinary", options.ordinary, "without the programs compared within bounds");
  app.add_flag("--orders", options.orders, "run with threads in reverse and shuffled order too");
  app.add_flag("--print", options.print, "print the programs instead");
  app.add_option("--save", options.save, "folder for the text of programs that fail")->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);
  return sinter::run(options);
}
