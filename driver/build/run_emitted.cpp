// Emitted code as an engine: compile, build, hand the inputs over as safetensors, read the outputs back.
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>

#include "driver/build/build_emitted.h"
#include "driver/build/engine.h"
#include "driver/system/subprocess.h"
#include "driver/tensors/tensors.h"

namespace sinter {

RunResult run_emitted(const RunRequest& request, const EmittedOptions& options) {
  Diagnostics diagnostics(request.source);
  const std::optional<Artifact> artifact = compile(options.compile, diagnostics);
  if (!artifact) return {RunResult::Status::kRefused, {}, diagnostics.render()};
  std::string error;
  const std::optional<std::string> runner =
      build_emitted(artifact->files, artifact->program.name, options.compile.architectures, options.device, error);
  if (!runner) return {RunResult::Status::kNotBuilt, {}, "the emitted code does not build:\n" + error};
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("sinter-run", folder)) {
    return {RunResult::Status::kFailed, {}, "cannot make a temporary folder\n"};
  }
  const std::string scratch = folder.str().str();
  const std::string inputs = scratch + "/inputs.safetensors", outputs = scratch + "/outputs.safetensors";
  std::optional<std::vector<Literal>> values;
  if (write_tensors(inputs, request.inputs, error)) {
    const std::string home = runner->substr(0, runner->rfind('/'));
    const ProcessResult process = run_process({*runner, "--inputs", inputs, "-o", outputs}, home);
    if (process.exit_status == 0) {
      values = read_tensors({outputs}, output_shapes(request.module), "output", error);
    } else {
      error =
          "the emitted program failed (exit status " + std::to_string(process.exit_status) + "):\n" + process.output;
    }
  }
  llvm::sys::fs::remove_directories(folder);
  if (!values) return {RunResult::Status::kFailed, {}, error};
  return {RunResult::Status::kOk, std::move(*values), ""};
}

}  // namespace sinter
