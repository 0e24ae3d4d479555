// cartpole_concat.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_concat/cartpole_concat.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cartpole_concat_kernels;

const char* cartpole_concat_range(const char* step);  // for profilers, see ranges.cpp

struct CartpoleConcatInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct CartpoleConcatGraph {
  CartpoleConcatInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CartpoleConcatTensor kCartpoleConcatInputTable[] = {
    {"state", "f32", 2, kCartpoleConcatInState, 1024},
    {"actions", "s32", 2, kCartpoleConcatInActions, 4096},
    {"starts", "f32", 3, kCartpoleConcatInStarts, 16384},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleConcatTensor kCartpoleConcatOutputTable[] = {
    {"state", "f32", 2, kCartpoleConcatOutState, 1024},
    {"episodes", "s32", 1, kCartpoleConcatOutEpisodes, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr CartpoleConcatOptions kDefaults = CARTPOLE_CONCAT_OPTIONS;

thread_local constinit LastError last_error("cartpole_concat");

// True if the step did not succeed; then cartpole_concat_last_error() says why.
bool failed(const Step<cartpole_concat_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

CartpoleConcatStatus cartpole_concat_create_with(CartpoleConcatInstance** instance,
                                                 const CartpoleConcatOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

CartpoleConcatStatus cartpole_concat_run(CartpoleConcatInstance* instance,
                                         const CartpoleConcatInputs* in,
                                         const CartpoleConcatOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCartpoleConcatInputTable, out,
                                  kCartpoleConcatOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<cartpole_concat_range> range("cartpole_concat_run");

  // while.10, while.11  (cartpole.py:105)
  if (failed({"step", kernels::step::enqueue(in->state, in->actions, in->starts, out->state,
                                             out->episodes, stream)})) {
    return kCartpoleConcatCudaError;
  }

  return kCartpoleConcatOk;
}

void cartpole_concat_destroy(CartpoleConcatInstance* instance) {
  destroy_instance(instance);
}

CartpoleConcatStatus cartpole_concat_capture(CartpoleConcatGraph** graph,
                                             CartpoleConcatInstance* instance,
                                             const CartpoleConcatInputs* in,
                                             const CartpoleConcatOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return cartpole_concat_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CartpoleConcatStatus cartpole_concat_graph_launch(const CartpoleConcatGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CartpoleConcatStatus cartpole_concat_graph_update(CartpoleConcatGraph* graph,
                                                  const CartpoleConcatInputs* in,
                                                  const CartpoleConcatOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cartpole_concat_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cartpole_concat_graph_exec(const CartpoleConcatGraph* graph) { return exec_of(graph); }

void cartpole_concat_graph_destroy(CartpoleConcatGraph* graph) { destroy_graph(graph); }

int64_t cartpole_concat_workspace_bytes() { return kWorkspaceBytes; }

const char* cartpole_concat_last_error() { return last_error.text(); }

const char* cartpole_concat_status_text(CartpoleConcatStatus status) { return status_text(status); }
