// random_modules: generates modules of arbitrary operations from seeds and checks that
//   what is printed is read back as the same module,
//   every graph pass, alone and in the pipeline, keeps the results by bits, and CUDA C++ is emitted (--passes),
//   the emitted code, built for the CPU, computes them too (--emitted; CXXFLAGS reaches its compiler), and is what
//   clang takes as CUDA C++ (--verify).
// With --oracle it writes modules, inputs and results for compare_with_xla.py instead.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>
#include <set>

#include "driver/system/files.h"
#include "driver/tensors/tensors.h"
#include "ir/text/print.h"
#include "tests/random/batch.h"
#include "tests/random/check_module.h"
#include "tests/random/generate_modules.h"

namespace sinter {
namespace {

constexpr size_t kBatch = 64;

struct Options {
  int passes = 0, emitted = 0, oracle = 0;
  uint64_t first_seed = 1;
  bool orders = false, verify = false, print = false, table = false;
  ModuleKind kind = ModuleKind::kSmall;
  std::vector<std::string> without;
  std::string save;
};

struct Tally {
  int right = 0;
  std::map<std::string, int> problems;  // by their first word
  // Modules with an operation, by the element type of its result.
  std::map<std::string, std::map<std::string, int>> reached;
};

std::string first_word(const std::string& text) { return text.substr(0, text.find_first_of(": \n")); }

void report(const Options& options, Tally& tally, uint64_t seed, const Module& module, const std::string& problem) {
  if (problem.empty()) {
    ++tally.right;
    return;
  }
  ++tally.problems[first_word(problem)];
  std::printf("FAIL seed %llu: %s%s", static_cast<unsigned long long>(seed), problem.c_str(),
              problem.ends_with('\n') ? "" : "\n");
  std::fflush(stdout);
  std::string error;
  const std::string path = options.save + "/" + std::to_string(seed) + ".hlo";
  if (!options.save.empty() && !write_file(path, print(module), error)) std::printf("  %s\n", error.c_str());
}

void count_reached(const Module& module, Tally& tally) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      const std::string type =
          instruction.shape.is_array() ? std::string(dtype_name(instruction.shape.dtype)) : "tuple";
      seen.insert({std::string(opcode_name(instruction.opcode)), type});
    }
  }
  for (const auto& [opcode, type] : seen) ++tally.reached[opcode][type];
}

// A draw of loops in loops may take longer than anyone waits.
bool is_too_long(const std::string& error) { return error.find("E0391") != std::string::npos; }

std::string check_in_process(const RandomModule& generated) {
  std::string error;
  const std::optional<std::vector<Literal>> results = results_of(*generated.module, generated.inputs, error);
  if (!results) return is_too_long(error) ? "" : "not-evaluated: " + error;
  error = check_round_trip(*generated.module);
  if (error.empty()) error = check_passes(*generated.module, generated.inputs, *results);
  return error.empty() ? check_compiles(*generated.module) : error;
}

void run_passes(const Options& options, Tally& tally) {
  for (int i = 0; i < options.passes; ++i) {
    const uint64_t seed = options.first_seed + static_cast<uint64_t>(i);
    const RandomModule generated = generate_module(seed, options.kind);
    count_reached(*generated.module, tally);
    report(options, tally, seed, *generated.module, check_in_process(generated));
  }
}

void run_emitted(const Options& options, Tally& tally) {
  BatchOptions batch{.one_kernel = false, .verify = options.verify};
  if (options.orders) batch.orders = {"", "reverse", "7"};
  for (const std::string& name : options.without) {
    check(leave_out(name, batch.schedule.moves) || leave_out(name, batch.graph), "random_modules", "--without " + name);
  }
  std::vector<CheckedProgram> items;
  std::vector<RandomModule> modules;
  for (int i = 0; i < options.emitted; ++i) {
    CheckedProgram item;
    item.seed = options.first_seed + static_cast<uint64_t>(i);
    RandomModule generated = generate_module(item.seed, options.kind);
    count_reached(*generated.module, tally);
    std::string error;
    if (results_of(*generated.module, generated.inputs, error) || !is_too_long(error)) {
      item.program = {.name = "m" + std::to_string(item.seed), .text = print(*generated.module), .inputs = {}};
      item.inputs = generated.inputs;
      items.push_back(std::move(item));
      modules.push_back(std::move(generated));
    }
    if (items.size() < kBatch && i + 1 < options.emitted) continue;
    check_batch(items, batch);
    for (size_t k = 0; k < items.size(); ++k) {
      const std::string problem = items[k].problem.empty() ? "" : items[k].problem + ": " + items[k].detail;
      report(options, tally, items[k].seed, *modules[k].module, problem);
    }
    items.clear();
    modules.clear();
  }
}

// NAME.hlo, NAME.inputs.safetensors and NAME.expected.safetensors.
void write_oracle(const Options& options, Tally& tally) {
  for (int i = 0; i < options.oracle; ++i) {
    const uint64_t seed = options.first_seed + static_cast<uint64_t>(i);
    const RandomModule generated = generate_module(seed, options.kind);
    count_reached(*generated.module, tally);
    std::string error;
    const std::optional<std::vector<Literal>> results = results_of(*generated.module, generated.inputs, error);
    const std::string base = options.save + "/" + std::to_string(seed);
    const bool written = results && write_file(base + ".hlo", print(*generated.module), error) &&
                         write_tensors(base + ".inputs.safetensors", generated.inputs, error) &&
                         write_tensors(base + ".expected.safetensors", *results, error);
    report(options, tally, seed, *generated.module, written ? "" : "not-written: " + error);
  }
}

void print_table(const Tally& tally) {
  std::printf("modules with an operation, by the element type of its result\n");
  for (const auto& [opcode, types] : tally.reached) {
    std::printf("%-24s", opcode.c_str());
    for (const auto& [type, count] : types) std::printf(" %s %d", type.c_str(), count);
    std::printf("\n");
  }
}

int run(const Options& options) {
  if (options.print) {
    std::printf("%s", print(*generate_module(options.first_seed, options.kind).module).c_str());
    return 0;
  }
  Tally tally;
  run_passes(options, tally);
  run_emitted(options, tally);
  write_oracle(options, tally);
  if (options.table) print_table(tally);
  std::printf("%d modules from seed %llu are right", tally.right, static_cast<unsigned long long>(options.first_seed));
  for (const auto& [problem, count] : tally.problems) std::printf(", %d %s", count, problem.c_str());
  std::printf("\n");
  return tally.problems.empty() ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  CLI::App app("random modules: read back, kept by every pass, computed by the emitted code");
  sinter::Options options;
  app.add_option("--passes", options.passes, "modules to read back and to run the graph passes on");
  app.add_option("--emitted", options.emitted, "modules to build and run");
  app.add_option("--first-seed", options.first_seed, "seed of the first of each");
  app.add_option("--kind", options.kind,
                 "small: all operations on few elements; mixed: on more; rows: around long rows")
      ->transform(CLI::CheckedTransformer(sinter::module_kinds()));
  app.add_flag("--verify", options.verify, "of --emitted: parse what is emitted as CUDA C++ too");
  app.add_flag("--orders", options.orders, "run with threads in reverse and shuffled order too");
  app.add_option("--without", options.without, "of --emitted: moves and passes to leave out, as sinter has it")
      ->delimiter(',');
  app.add_flag("--print", options.print, "print the module of the first seed instead");
  app.add_flag("--table", options.table, "print which operations were reached with which element types");
  CLI::Option* save = app.add_option("--save", options.save, "folder for modules that fail, and for --oracle");
  save->check(CLI::ExistingDirectory);
  app.add_option("--oracle", options.oracle, "modules to write with inputs and results")->needs(save);
  CLI11_PARSE(app, argc, argv);
  return sinter::run(options);
}
