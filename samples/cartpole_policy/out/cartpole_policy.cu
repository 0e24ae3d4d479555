// cartpole_policy.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_policy/cartpole_policy.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cartpole_policy_kernels;

const char* cartpole_policy_range(const char* step);  // for profilers, see ranges.cpp

struct CartpolePolicyInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct CartpolePolicyGraph {
  CartpolePolicyInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CartpolePolicyTensor kCartpolePolicyInputTable[] = {
    {"state_0", "f32", 1, kCartpolePolicyInState0, 256},
    {"state_1", "f32", 1, kCartpolePolicyInState1, 256},
    {"state_2", "f32", 1, kCartpolePolicyInState2, 256},
    {"state_3", "f32", 1, kCartpolePolicyInState3, 256},
    {"params_0_b", "f32", 1, kCartpolePolicyInParams0B, 256},
    {"params_0_w", "f32", 2, kCartpolePolicyInParams0W, 1024},
    {"params_1_b", "f32", 1, kCartpolePolicyInParams1B, 256},
    {"params_1_w", "f32", 2, kCartpolePolicyInParams1W, 16384},
    {"params_2_b", "f32", 1, kCartpolePolicyInParams2B, 8},
    {"params_2_w", "f32", 2, kCartpolePolicyInParams2W, 512},
    {"starts_0", "f32", 2, kCartpolePolicyInStarts0, 4096},
    {"starts_1", "f32", 2, kCartpolePolicyInStarts1, 4096},
    {"starts_2", "f32", 2, kCartpolePolicyInStarts2, 4096},
    {"starts_3", "f32", 2, kCartpolePolicyInStarts3, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpolePolicyTensor kCartpolePolicyOutputTable[] = {
    {"state_0", "f32", 1, kCartpolePolicyOutState0, 256},
    {"state_1", "f32", 1, kCartpolePolicyOutState1, 256},
    {"state_2", "f32", 1, kCartpolePolicyOutState2, 256},
    {"state_3", "f32", 1, kCartpolePolicyOutState3, 256},
    {"episodes", "s32", 1, kCartpolePolicyOutEpisodes, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr CartpolePolicyOptions kDefaults = CARTPOLE_POLICY_OPTIONS;

thread_local constinit LastError last_error("cartpole_policy");

// True if the step did not succeed; then cartpole_policy_last_error() says why.
bool failed(const Step<cartpole_policy_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

CartpolePolicyStatus cartpole_policy_create_with(CartpolePolicyInstance** instance,
                                                 const CartpolePolicyOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

CartpolePolicyStatus cartpole_policy_run(CartpolePolicyInstance* instance,
                                         const CartpolePolicyInputs* in,
                                         const CartpolePolicyOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCartpolePolicyInputTable, out,
                                  kCartpolePolicyOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<cartpole_policy_range> range("cartpole_policy_run");

  // while.13, while.14, while.15, while.16, ...  (cartpole.py:148)
  if (failed({"step", kernels::step::enqueue(in->state_0, in->state_1, in->state_2, in->state_3,
                                             in->params_0_b, in->params_0_w, in->params_1_b,
                                             in->params_1_w, in->params_2_b, in->params_2_w,
                                             in->starts_0, in->starts_1, in->starts_2, in->starts_3,
                                             out->state_0, out->state_1, out->state_2, out->state_3,
                                             out->episodes, stream)})) {
    return kCartpolePolicyCudaError;
  }

  return kCartpolePolicyOk;
}

void cartpole_policy_destroy(CartpolePolicyInstance* instance) {
  destroy_instance(instance);
}

CartpolePolicyStatus cartpole_policy_capture(CartpolePolicyGraph** graph,
                                             CartpolePolicyInstance* instance,
                                             const CartpolePolicyInputs* in,
                                             const CartpolePolicyOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return cartpole_policy_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CartpolePolicyStatus cartpole_policy_graph_launch(const CartpolePolicyGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CartpolePolicyStatus cartpole_policy_graph_update(CartpolePolicyGraph* graph,
                                                  const CartpolePolicyInputs* in,
                                                  const CartpolePolicyOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cartpole_policy_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cartpole_policy_graph_exec(const CartpolePolicyGraph* graph) { return exec_of(graph); }

void cartpole_policy_graph_destroy(CartpolePolicyGraph* graph) { destroy_graph(graph); }

int64_t cartpole_policy_workspace_bytes() { return kWorkspaceBytes; }

const char* cartpole_policy_last_error() { return last_error.text(); }

const char* cartpole_policy_status_text(CartpolePolicyStatus status) { return status_text(status); }
