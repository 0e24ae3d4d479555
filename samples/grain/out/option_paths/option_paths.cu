// option_paths.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 1.0 kB; the largest live set is 1.0 kB.

#include "option_paths/option_paths.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = option_paths_kernels;

const char* option_paths_range(const char* step);  // for profilers, see ranges.cpp

struct OptionPathsInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
};

struct OptionPathsGraph {
  OptionPathsInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const OptionPathsTensor kOptionPathsInputTable[] = {
    {"spot", "f32", 0, nullptr, 4},
    {"strike", "f32", 0, nullptr, 4},
    {"volatility", "f32", 0, nullptr, 4},
    {"seed", "u32", 1, kOptionPathsInSeed, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const OptionPathsTensor kOptionPathsOutputTable[] = {
    {"price", "f32", 0, nullptr, 4},
    {"deviation", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 1280;
constexpr OptionPathsOptions kDefaults = OPTION_PATHS_OPTIONS;

thread_local constinit LastError last_error("option_paths");

// True if the step did not succeed; then option_paths_last_error() says why.
bool failed(const Step<option_paths_range>& step) {
  return last_error.failed(step.range.what, step.error);
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
  const Range<option_paths_range> range("option_paths_run");

  float* const total = at<float>(instance->workspace, 0);  // f32[256]

  // total.1  (option_paths.grain:8), and 1 more
  const kernels::option_paths::OptionPathsArrays option_paths_arrays = {
      .option_paths_2 = {in->spot, in->volatility, in->seed, total},
      .deviation = {in->strike, total, out->price, out->deviation},
      .finished = instance->finished,
  };
  if (failed({"option_paths", kernels::option_paths::enqueue(option_paths_arrays, stream)})) {
    return kOptionPathsCudaError;
  }

  return kOptionPathsOk;
}

void option_paths_destroy(OptionPathsInstance* instance) {
  destroy_instance(instance);
}

OptionPathsStatus option_paths_capture(OptionPathsGraph** graph, OptionPathsInstance* instance,
                                       const OptionPathsInputs* in, const OptionPathsOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return option_paths_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

OptionPathsStatus option_paths_graph_launch(const OptionPathsGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

OptionPathsStatus option_paths_graph_update(OptionPathsGraph* graph, const OptionPathsInputs* in,
                                            const OptionPathsOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return option_paths_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t option_paths_graph_exec(const OptionPathsGraph* graph) { return exec_of(graph); }

void option_paths_graph_destroy(OptionPathsGraph* graph) { destroy_graph(graph); }

int64_t option_paths_workspace_bytes() { return kWorkspaceBytes; }

const char* option_paths_last_error() { return last_error.text(); }

const char* option_paths_status_text(OptionPathsStatus status) { return status_text(status); }
