// option_paths.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 1.0 kB; the largest live set is 1.0 kB.

#include "option_paths/option_paths.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/instance.cuh"

namespace kernels = option_paths_kernels;

struct OptionPathsInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  bool owns_workspace = false;   // or the caller does
  uint32_t* finished = nullptr;  // blocks that have finished, zero between launches
};

extern const OptionPathsTensor kOptionPathsInputTable[] = {
    {"spot", "f32", 0, nullptr, 4},
    {"strike", "f32", 0, nullptr, 4},
    {"volatility", "f32", 0, nullptr, 4},
    {"key", "u32", 1, kOptionPathsInKey, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const OptionPathsTensor kOptionPathsOutputTable[] = {
    {"scaled", "f32", 0, nullptr, 4},
    {"std", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 1280;
constexpr OptionPathsOptions kDefaults = OPTION_PATHS_OPTIONS;

thread_local constinit LastError last_error("option_paths");

// True if the call did not succeed; then option_paths_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  return last_error.failed(what, error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(OptionPathsInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 1024);
  cudaError_t error = clear_on_device(created.finished, 4);
  return error;
}

}  // namespace

OptionPathsStatus option_paths_create_with(OptionPathsInstance** instance,
                                           const OptionPathsOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

OptionPathsStatus option_paths_run(OptionPathsInstance* instance, const OptionPathsInputs* in,
                                   const OptionPathsOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kOptionPathsInputTable, out,
                                  kOptionPathsOutputTable, nullptr, last_error);
  if (wrong) return wrong;

  float* const payoff_part = at<float>(instance->workspace, 0);  // f32[256]

  // div.8  (finance.py:62), and 1 more
  const kernels::option_paths::OptionPathsArrays option_paths_arrays = {
      .step = {in->spot, in->volatility, in->key, payoff_part},
      .option_paths_2 = {in->strike, payoff_part, out->scaled, out->std},
      .finished = instance->finished,
  };
  if (failed("option_paths", kernels::option_paths::enqueue(option_paths_arrays, stream))) {
    return kOptionPathsCudaError;
  }

  return kOptionPathsOk;
}

void option_paths_destroy(OptionPathsInstance* instance) {
  destroy_instance(instance);
}

int64_t option_paths_workspace_bytes() { return kWorkspaceBytes; }

const char* option_paths_last_error() { return last_error.text(); }
