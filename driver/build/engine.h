// The two ways to run a module: the evaluator, and the emitted code.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "ir/values/literal.h"

namespace sinter {

enum class Device { kCpu, kCuda };

// A module's text with its verified module (`module` before graph passes) and flat inputs, sizes among them
// (driver/tensors/sized_arrays.h).
struct RunRequest {
  const Source& source;
  const Module& module;
  const std::vector<Literal>& inputs;
  std::shared_ptr<const Source> plan = nullptr;  // of a batch: of this request; nullptr: as the options say
};

// How far a request came.
struct RunResult {
  enum class Status {
    kOk,
    kRefused,   // with diagnostics
    kNotBuilt,  // the emitted code does not build
    kFailed,    // the program failed, crashed or wrote where it must not
    kBug,       // an internal error
  };
  Status status = Status::kOk;
  std::vector<Literal> outputs;  // flat, as large as the sizes of the run say
  std::string error;             // rendered diagnostics, or what a compiler or the program said
};

RunResult run_evaluator(const RunRequest& request);

struct EmittedOptions {
  CompileOptions compile;
  Device device = Device::kCpu;
};

// Compiles, builds in a cache folder (XDG_CACHE_HOME, else the temporary folder; keyed by the content of what is
// emitted, the compiler and its flags), runs that as a batch of one does, or, on a GPU or with CXXFLAGS, as the emitted
// runner, and reads its outputs.
RunResult run_emitted(const RunRequest& request, const EmittedOptions& options);

// The same for many: built into a few libraries (build_library.h), each program called in a process of its own, and,
// where it has donated inputs, once more with these and their results in one array each. A program that fails in
// whatever way does not disturb the others. `seconds` is what one may take; 0: any time.
std::vector<RunResult> run_emitted_batch(const std::vector<RunRequest>& requests, const EmittedOptions& options,
                                         unsigned seconds = 0);

// A runner that was built before. Paths are absolute.
struct BuiltRunner {
  std::string path;
  std::string weights = {};  // a file for it to read its weights of; empty: it has them, or there are none
};
// Runs it, of what was emitted for the module.
RunResult run_built(const RunRequest& request, const BuiltRunner& runner);

}  // namespace sinter
