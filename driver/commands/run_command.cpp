// sinter run: compile, build in a cache, run, compare.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "driver/build/build_cache.h"
#include "driver/build/device_tools.h"
#include "driver/commands/case.h"
#include "driver/commands/command.h"
#include "driver/commands/line/choices.h"
#include "driver/commands/line/help_format.h"
#include "driver/system/files.h"

namespace sinter {
namespace {

struct RunCommand {
  CaseOptions test_case;
  CompileFlags flags;
  std::string device = "cpu";
  std::string built;         // path of a runner; empty: one is built
  std::string weights_file;  // which it reads its weights of
};

std::string absolute_path(const std::string& path) {
  std::error_code status;
  return path.empty() ? "" : std::filesystem::absolute(path, status).string();
}

int run_as_built(const RunCommand& options) {
  if (!options.test_case.batch.empty()) return fail("--batch builds its programs: leave out --built");
  const BuiltRunner runner = {.path = absolute_path(options.built), .weights = absolute_path(options.weights_file)};
  if (access(runner.path.c_str(), X_OK) != 0) return fail("cannot run " + options.built + ": " + std::strerror(errno));
  std::string unusable;
  if (!cache_folder(unusable)) return fail(unusable);
  CaseOptions test_case = options.test_case;
  if (!to_choice(options.flags.grain, test_case.grain)) return kCallWrong;
  if (!read_weights_of(options.flags, test_case.weights_of)) return kCallWrong;
  test_case.shares_weights = options.flags.shares_weights;
  test_case.elided = Elided::kZeros;  // the text says what inputs and results are, and no more
  return run_case(test_case,
                  {.one = [&](const RunRequest& request) { return run_without_weights(request, runner, test_case); },
                   .batch = nullptr});
}

int run(const RunCommand& options) {
  if (!options.built.empty()) return run_as_built(options);
  if (!options.weights_file.empty()) return fail("--weights-file is for a runner that was built: --built PROGRAM");
  EmittedOptions emitted;
  if (!to_options(options.flags, emitted.compile)) return kCallWrong;
  emitted.device = options.device == "cuda" ? Device::kCuda : Device::kCpu;
  const std::string compiler = compiler_command(emitted.compile.architectures, emitted.device)[0];
  if (const std::string missing = missing_for(emitted.device, compiler); !missing.empty()) return fail(missing);
  // Told here, it is not mistaken for code that does not build.
  std::string unusable;
  if (!cache_folder(unusable)) return fail(unusable);
  CaseOptions test_case = options.test_case;
  test_case.elided = emitted.compile.elided;
  test_case.grain = emitted.compile.grain;
  test_case.weights_of = emitted.compile.weights.inputs;
  test_case.shares_weights = emitted.compile.weights.of_several;
  return run_case(
      test_case,
      {.one = [&](const RunRequest& request) { return run_emitted(request, emitted); },
       .batch = [&](const std::vector<RunRequest>& requests) { return run_emitted_batch(requests, emitted); }});
}

}  // namespace

void add_run_command(CLI::App& app, int& status) {
  auto options = std::make_shared<RunCommand>();
  CLI::App* command = app.add_subcommand("run", "compile, build in a cache, run, and compare");
  add_case_options(*command, options->test_case);
  add_compile_flags(*command, options->flags);
  takes_one_of(
      command->add_option("--device", options->device, "cpu (built by the host compiler) or cuda (built by nvcc)"),
      {"cpu", "cuda"})
      ->type_name("DEVICE")
      ->capture_default_str();
  command
      ->add_option("--built", options->built, "run this runner, built of what compile wrote, instead of building one")
      ->type_name("PROGRAM");
  command->add_option("--weights-file", options->weights_file, "with --built: the runner's weights, a safetensors file")
      ->type_name("FILE");
  add_example(*command, "sinter run softmax.hlo --inputs in.safetensors --expect out.safetensors --rtol 1e-5");
  add_example(*command, "sinter run softmax.hlo --random 1 -o out.safetensors");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
