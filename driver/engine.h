// The two ways to run a module: the evaluator, and the emitted code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/compile.h"
#include "ir/literal.h"

namespace sinter {

enum class Device { kCpu, kCuda };

// A module's text with its verified module (`module` before graph passes) and flat inputs.
struct RunRequest {
  const Source& source;
  const Module& module;
  const std::vector<Literal>& inputs;
};

// Flat outputs; nullopt with `error` set (it may hold rendered diagnostics).
std::optional<std::vector<Literal>> run_evaluator(const RunRequest& request, std::string& error);

struct EmittedOptions {
  CompileOptions compile;
  Device device = Device::kCpu;
};

// Compiles, builds in a cache folder (XDG_CACHE_HOME, else the temporary folder; keyed by the content of what is
// emitted, the compiler and its flags), runs the emitted runner, and reads its outputs.
std::optional<std::vector<Literal>> run_emitted(const RunRequest& request, const EmittedOptions& options,
                                                std::string& error);

}  // namespace sinter
