// reduce_module: makes a module that shows a problem smaller. The problem is one that random_modules checks for, or any
// for which a command exits with 0: the command finds the module's path in $HLO and the inputs' in $INPUTS.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>

#include "driver/system/files.h"
#include "driver/system/subprocess.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/text/print.h"
#include "ir/verify/verify.h"
#include "tests/random/batch.h"
#include "tests/random/check_module.h"
#include "tests/random/generate_modules.h"
#include "tests/random/reduce/reduce_module.h"

namespace sinter {
namespace {

struct Options {
  std::string file, inputs, check, command, output;
  uint64_t seed = 0, draw = 1;
  ModuleKind kind = ModuleKind::kSmall;
  bool reverse = false;
  int tries = 3000;
};

std::optional<ModuleCase> read_case(const Options& options, std::string& error) {
  if (options.seed != 0) {
    RandomModule generated = generate_module(options.seed, options.kind);
    return ModuleCase{std::move(generated.module), std::move(generated.inputs)};
  }
  const std::optional<std::string> text = read_file(options.file, error);
  if (!text) return std::nullopt;
  const Source source = {.name = options.file, .text = *text};
  Diagnostics diagnostics(source);
  ModuleCase result{parse_hlo(diagnostics), {}};
  if (!result.module || !verify(*result.module, diagnostics)) {
    error = diagnostics.render();
    return std::nullopt;
  }
  const std::vector<Shape> shapes = input_shapes(*result.module);
  if (options.inputs.empty()) {
    result.inputs = random_tensors(shapes, options.draw);
  } else if (const auto read = read_tensors({options.inputs}, shapes, "input", error)) {
    result.inputs = *read;
  } else {
    return std::nullopt;
  }
  return result;
}

// The first word of what is wrong, or empty.
std::string problem_of(const ModuleCase& reduced, const Options& options) {
  std::string error;
  const std::optional<std::vector<Literal>> expected = results_of(*reduced.module, reduced.inputs, error);
  if (!expected) return "not-evaluated";
  std::string problem;
  if (options.check == "passes") {
    problem = check_round_trip(*reduced.module);
    if (problem.empty()) problem = check_passes(*reduced.module, reduced.inputs, *expected);
    if (problem.empty()) problem = check_compiles(*reduced.module);
  } else {
    std::vector<CheckedProgram> items(1);
    items[0].program = {.name = "reduced", .text = print(*reduced.module), .inputs = {}};
    items[0].inputs = reduced.inputs;
    check_batch(items, {.one_kernel = false, .orders = {options.reverse ? "reverse" : ""}});
    problem = items[0].problem;
  }
  return problem.substr(0, problem.find_first_of(": \n"));
}

bool write_case(const ModuleCase& reduced, const std::string& path, std::string& error) {
  return write_file(path, print(*reduced.module), error) &&
         write_tensors(path + ".inputs.safetensors", reduced.inputs, error);
}

int run(const Options& options) {
  std::string error;
  std::optional<ModuleCase> original = read_case(options, error);
  if (!original) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  const std::string scratch = options.output + ".try";
  const auto command_shows = [&](const ModuleCase& reduced) {
    if (!write_case(reduced, scratch, error)) return false;
    const std::string words =
        "HLO=" + scratch + " INPUTS=" + scratch + ".inputs.safetensors; export HLO INPUTS; " + options.command;
    return run_process({"sh", "-c", words}, ".").exit_status == 0;
  };
  const std::string problem = options.command.empty() ? problem_of(*original, options) : "";
  if (options.command.empty() ? problem.empty() : !command_shows(*original)) {
    std::fprintf(stderr, "the module shows no problem\n");
    return 1;
  }
  const ShowsProblem shows =
      options.command.empty()
          ? ShowsProblem([&](const ModuleCase& reduced) { return problem_of(reduced, options) == problem; })
          : ShowsProblem(command_shows);
  const ModuleCase reduced = reduce_module(*original, shows, options.tries);
  std::filesystem::remove(scratch);
  std::filesystem::remove(scratch + ".inputs.safetensors");
  if (!write_case(reduced, options.output, error)) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  std::printf("%s: %lld of %lld instructions\n", problem.empty() ? "command" : problem.c_str(),
              static_cast<long long>(instruction_count(*reduced.module)),
              static_cast<long long>(instruction_count(*original->module)));
  return 0;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  CLI::App app("makes a module that shows a problem smaller");
  sinter::Options options;
  CLI::Option* file = app.add_option("file", options.file, "HLO text")->check(CLI::ExistingFile);
  CLI::Option* seed = app.add_option("--seed", options.seed, "the module of random_modules with this seed instead");
  seed->excludes(file);
  app.add_option("--kind", options.kind, "of that module: small, mixed or rows")
      ->transform(CLI::CheckedTransformer(sinter::module_kinds()));
  app.add_option("--inputs", options.inputs, "safetensors with the inputs")->check(CLI::ExistingFile);
  app.add_option("--random", options.draw, "seed of the inputs where none are given");
  CLI::Option* check =
      app.add_option("--check", options.check, "passes or emitted")->check(CLI::IsMember({"passes", "emitted"}));
  app.add_option("--command", options.command, "what exits with 0 if $HLO with $INPUTS shows the problem")
      ->excludes(check);
  app.add_flag("--reverse", options.reverse, "run emitted code with threads in reverse order");
  app.add_option("--tries", options.tries, "how many smaller modules to try at most");
  app.add_option("-o", options.output, "where to write the module; inputs go beside it, .inputs.safetensors")
      ->required();
  CLI11_PARSE(app, argc, argv);
  return sinter::run(options);
}
