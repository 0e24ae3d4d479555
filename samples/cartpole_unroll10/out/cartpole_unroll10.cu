// cartpole_unroll10.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_unroll10/cartpole_unroll10.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cartpole_unroll10_kernels;

const char* cartpole_unroll10_range(const char* step);  // for profilers, see ranges.cpp

struct CartpoleUnroll10Instance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct CartpoleUnroll10Graph {
  CartpoleUnroll10Instance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CartpoleUnroll10Tensor kCartpoleUnroll10InputTable[] = {
    {"state_0", "f32", 1, kCartpoleUnroll10InState0, 256},
    {"state_1", "f32", 1, kCartpoleUnroll10InState1, 256},
    {"state_2", "f32", 1, kCartpoleUnroll10InState2, 256},
    {"state_3", "f32", 1, kCartpoleUnroll10InState3, 256},
    {"actions", "s32", 2, kCartpoleUnroll10InActions, 4096},
    {"starts_0", "f32", 2, kCartpoleUnroll10InStarts0, 4096},
    {"starts_1", "f32", 2, kCartpoleUnroll10InStarts1, 4096},
    {"starts_2", "f32", 2, kCartpoleUnroll10InStarts2, 4096},
    {"starts_3", "f32", 2, kCartpoleUnroll10InStarts3, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleUnroll10Tensor kCartpoleUnroll10OutputTable[] = {
    {"state_0", "f32", 1, kCartpoleUnroll10OutState0, 256},
    {"state_1", "f32", 1, kCartpoleUnroll10OutState1, 256},
    {"state_2", "f32", 1, kCartpoleUnroll10OutState2, 256},
    {"state_3", "f32", 1, kCartpoleUnroll10OutState3, 256},
    {"episodes", "s32", 1, kCartpoleUnroll10OutEpisodes, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr CartpoleUnroll10Options kDefaults = CARTPOLE_UNROLL10_OPTIONS;

thread_local constinit LastError last_error("cartpole_unroll10");

// True if the step did not succeed; then cartpole_unroll10_last_error() says why.
bool failed(const Step<cartpole_unroll10_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

CartpoleUnroll10Status cartpole_unroll10_create_with(CartpoleUnroll10Instance** instance,
                                                     const CartpoleUnroll10Options* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

CartpoleUnroll10Status cartpole_unroll10_run(CartpoleUnroll10Instance* instance,
                                             const CartpoleUnroll10Inputs* in,
                                             const CartpoleUnroll10Outputs* out,
                                             cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCartpoleUnroll10InputTable, out,
                                  kCartpoleUnroll10OutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<cartpole_unroll10_range> range("cartpole_unroll10_run");

  // while.13, while.14, while.15, while.16, ...  (cartpole.py:121)
  if (failed({"step", kernels::step::enqueue(in->state_0, in->state_1, in->state_2, in->state_3,
                                             in->actions, in->starts_0, in->starts_1, in->starts_2,
                                             in->starts_3, out->state_0, out->state_1, out->state_2,
                                             out->state_3, out->episodes, stream)})) {
    return kCartpoleUnroll10CudaError;
  }

  return kCartpoleUnroll10Ok;
}

void cartpole_unroll10_destroy(CartpoleUnroll10Instance* instance) {
  destroy_instance(instance);
}

CartpoleUnroll10Status cartpole_unroll10_capture(CartpoleUnroll10Graph** graph,
                                                 CartpoleUnroll10Instance* instance,
                                                 const CartpoleUnroll10Inputs* in,
                                                 const CartpoleUnroll10Outputs* out) {
  const auto run = [=](cudaStream_t stream) { return cartpole_unroll10_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CartpoleUnroll10Status cartpole_unroll10_graph_launch(const CartpoleUnroll10Graph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CartpoleUnroll10Status cartpole_unroll10_graph_update(CartpoleUnroll10Graph* graph,
                                                      const CartpoleUnroll10Inputs* in,
                                                      const CartpoleUnroll10Outputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cartpole_unroll10_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cartpole_unroll10_graph_exec(const CartpoleUnroll10Graph* graph) { return exec_of(graph); }

void cartpole_unroll10_graph_destroy(CartpoleUnroll10Graph* graph) { destroy_graph(graph); }

int64_t cartpole_unroll10_workspace_bytes() { return kWorkspaceBytes; }

const char* cartpole_unroll10_last_error() { return last_error.text(); }

const char* cartpole_unroll10_status_text(CartpoleUnroll10Status status) { return status_text(status); }
