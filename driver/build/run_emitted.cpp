// Emitted code as an engine: compile, build, hand the inputs over as safetensors, read the outputs back.
#include <filesystem>
#include <system_error>

#include "driver/build/build_cache.h"
#include "driver/build/build_emitted.h"
#include "driver/build/engine.h"
#include "driver/system/subprocess.h"
#include "driver/tensors/sized_arrays.h"
#include "driver/tensors/tensors.h"

namespace sinter {

RunResult run_emitted(const RunRequest& request, const EmittedOptions& options) {
  // A library is built more quickly than a runner; but a sanitizer (CXXFLAGS) wants a program of its own.
  if (options.device == Device::kCpu && user_flags().empty()) return run_emitted_batch({request}, options)[0];
  Diagnostics diagnostics(request.source);
  const std::optional<Artifact> artifact = compile(to_be_tried(options.compile), diagnostics);
  if (!artifact) return {RunResult::Status::kRefused, {}, diagnostics.render()};
  std::string error;
  const std::optional<std::string> runner = build_emitted(files_and_headers(*artifact), artifact->program.name,
                                                          options.compile.architectures, options.device, error);
  if (!runner) return {RunResult::Status::kNotBuilt, {}, "the emitted code does not build:\n" + error};
  return run_built(request, {.path = *runner});
}

RunResult run_built(const RunRequest& request, const BuiltRunner& runner) {
  std::string error;
  const std::optional<std::string> cache = cache_folder(error);
  if (!cache) return {RunResult::Status::kFailed, {}, error + "\n"};
  const std::string scratch = folder_aside(*cache);
  std::error_code status;
  if (!std::filesystem::create_directory(scratch, status)) {
    return {RunResult::Status::kFailed, {}, "cannot make " + scratch + ": " + status.message() + "\n"};
  }
  const std::string inputs = scratch + "/inputs.safetensors", outputs = scratch + "/outputs.safetensors";
  std::optional<std::vector<Literal>> values;
  if (write_tensors(inputs, without_sizes(request.module, request.inputs), error)) {
    const std::string home = runner.path.substr(0, runner.path.rfind('/'));
    std::vector<std::string> command = {runner.path, "--inputs", inputs, "-o", outputs};
    if (!runner.weights.empty()) command.insert(command.end(), {"--weights", runner.weights});
    const ProcessResult process = run_process(command, home);
    if (process.exit_status == 0) {
      values = read_tensors({outputs}, result_shapes(request.module, request.inputs), "output", error);
    } else {
      error =
          "the emitted program failed (exit status " + std::to_string(process.exit_status) + "):\n" + process.output;
    }
  }
  std::filesystem::remove_all(scratch, status);
  if (!values) return {RunResult::Status::kFailed, {}, error};
  return {RunResult::Status::kOk, std::move(*values), ""};
}

}  // namespace sinter
