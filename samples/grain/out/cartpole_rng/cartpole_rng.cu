// cartpole_rng.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_rng/cartpole_rng.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cartpole_rng_kernels;

const char* cartpole_rng_range(const char* step);  // for profilers, see ranges.cpp

struct CartpoleRngInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct CartpoleRngGraph {
  CartpoleRngInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CartpoleRngTensor kCartpoleRngInputTable[] = {
    {"start", "f32", 2, kCartpoleRngInStart, 1024},
    {"seed", "u32", 1, kCartpoleRngInSeed, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleRngTensor kCartpoleRngOutputTable[] = {
    {"state", "f32", 2, kCartpoleRngOutState, 1024},
    {"episodes", "s32", 1, kCartpoleRngOutEpisodes, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr CartpoleRngOptions kDefaults = CARTPOLE_RNG_OPTIONS;

thread_local constinit LastError last_error("cartpole_rng");

// True if the step did not succeed; then cartpole_rng_last_error() says why.
bool failed(const Step<cartpole_rng_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

CartpoleRngStatus cartpole_rng_create_with(CartpoleRngInstance** instance,
                                           const CartpoleRngOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

CartpoleRngStatus cartpole_rng_run(CartpoleRngInstance* instance, const CartpoleRngInputs* in,
                                   const CartpoleRngOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCartpoleRngInputTable, out,
                                  kCartpoleRngOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<cartpole_rng_range> range("cartpole_rng_run");

  // state.3, episodes.1  (cartpole_rng.grain:7)
  if (failed({"cartpole_rng", kernels::cartpole_rng::enqueue(in->start, in->seed, out->state,
                                                             out->episodes, stream)})) {
    return kCartpoleRngCudaError;
  }

  return kCartpoleRngOk;
}

void cartpole_rng_destroy(CartpoleRngInstance* instance) {
  destroy_instance(instance);
}

CartpoleRngStatus cartpole_rng_capture(CartpoleRngGraph** graph, CartpoleRngInstance* instance,
                                       const CartpoleRngInputs* in, const CartpoleRngOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return cartpole_rng_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CartpoleRngStatus cartpole_rng_graph_launch(const CartpoleRngGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CartpoleRngStatus cartpole_rng_graph_update(CartpoleRngGraph* graph, const CartpoleRngInputs* in,
                                            const CartpoleRngOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cartpole_rng_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cartpole_rng_graph_exec(const CartpoleRngGraph* graph) { return exec_of(graph); }

void cartpole_rng_graph_destroy(CartpoleRngGraph* graph) { destroy_graph(graph); }

int64_t cartpole_rng_workspace_bytes() { return kWorkspaceBytes; }

const char* cartpole_rng_last_error() { return last_error.text(); }

const char* cartpole_rng_status_text(CartpoleRngStatus status) { return status_text(status); }
