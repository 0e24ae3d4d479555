// Emitted code as an engine: compile, build, hand the inputs over as safetensors, read the outputs back.
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>

#include "driver/build_emitted.h"
#include "driver/engine.h"
#include "driver/subprocess.h"
#include "driver/tensors.h"

namespace sinter {

std::optional<std::vector<Literal>> run_emitted(const RunRequest& request, const EmittedOptions& options,
                                                std::string& error) {
  Diagnostics diagnostics(request.source);
  const std::optional<Artifact> artifact = compile(options.compile, diagnostics);
  if (!artifact) {
    error = diagnostics.render();
    return std::nullopt;
  }
  const std::optional<std::string> runner =
      build_emitted(artifact->files, artifact->program.name, options.compile.architectures, options.device, error);
  if (!runner) {
    error = "the emitted code does not build:\n" + error;
    return std::nullopt;
  }
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("sinter-run", folder)) {
    error = "cannot make a temporary folder\n";
    return std::nullopt;
  }
  const std::string scratch = folder.str().str();
  const std::string inputs = scratch + "/inputs.safetensors", outputs = scratch + "/outputs.safetensors";
  std::optional<std::vector<Literal>> result;
  if (write_tensors(inputs, request.inputs, error)) {
    const std::string home = runner->substr(0, runner->rfind('/'));
    const ProcessResult process = run_process({*runner, "--inputs", inputs, "-o", outputs}, home);
    if (process.exit_status == 0) {
      result = read_tensors({outputs}, output_shapes(request.module), error);
    } else {
      error =
          "the emitted program failed (exit status " + std::to_string(process.exit_status) + "):\n" + process.output;
    }
  }
  llvm::sys::fs::remove_directories(folder);
  return result;
}

}  // namespace sinter
