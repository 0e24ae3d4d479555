// cartpole_soa.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole_soa/cartpole_soa.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cartpole_soa_kernels;

const char* cartpole_soa_range(const char* step);  // for profilers, see ranges.cpp

struct CartpoleSoaInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct CartpoleSoaGraph {
  CartpoleSoaInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CartpoleSoaTensor kCartpoleSoaInputTable[] = {
    {"state_0", "f32", 1, kCartpoleSoaInState0, 256},
    {"state_1", "f32", 1, kCartpoleSoaInState1, 256},
    {"state_2", "f32", 1, kCartpoleSoaInState2, 256},
    {"state_3", "f32", 1, kCartpoleSoaInState3, 256},
    {"actions", "s32", 2, kCartpoleSoaInActions, 4096},
    {"starts_0", "f32", 2, kCartpoleSoaInStarts0, 4096},
    {"starts_1", "f32", 2, kCartpoleSoaInStarts1, 4096},
    {"starts_2", "f32", 2, kCartpoleSoaInStarts2, 4096},
    {"starts_3", "f32", 2, kCartpoleSoaInStarts3, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleSoaTensor kCartpoleSoaOutputTable[] = {
    {"state_0", "f32", 1, kCartpoleSoaOutState0, 256},
    {"state_1", "f32", 1, kCartpoleSoaOutState1, 256},
    {"state_2", "f32", 1, kCartpoleSoaOutState2, 256},
    {"state_3", "f32", 1, kCartpoleSoaOutState3, 256},
    {"episodes", "s32", 1, kCartpoleSoaOutEpisodes, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr CartpoleSoaOptions kDefaults = CARTPOLE_SOA_OPTIONS;

thread_local constinit LastError last_error("cartpole_soa");

// True if the step did not succeed; then cartpole_soa_last_error() says why.
bool failed(const Step<cartpole_soa_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

CartpoleSoaStatus cartpole_soa_create_with(CartpoleSoaInstance** instance,
                                           const CartpoleSoaOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

CartpoleSoaStatus cartpole_soa_run(CartpoleSoaInstance* instance, const CartpoleSoaInputs* in,
                                   const CartpoleSoaOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCartpoleSoaInputTable, out,
                                  kCartpoleSoaOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<cartpole_soa_range> range("cartpole_soa_run");

  // while.13, while.14, while.15, while.16, ...  (cartpole.py:121)
  if (failed({"step", kernels::step::enqueue(in->state_0, in->state_1, in->state_2, in->state_3,
                                             in->actions, in->starts_0, in->starts_1, in->starts_2,
                                             in->starts_3, out->state_0, out->state_1, out->state_2,
                                             out->state_3, out->episodes, stream)})) {
    return kCartpoleSoaCudaError;
  }

  return kCartpoleSoaOk;
}

void cartpole_soa_destroy(CartpoleSoaInstance* instance) {
  destroy_instance(instance);
}

CartpoleSoaStatus cartpole_soa_capture(CartpoleSoaGraph** graph, CartpoleSoaInstance* instance,
                                       const CartpoleSoaInputs* in, const CartpoleSoaOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return cartpole_soa_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CartpoleSoaStatus cartpole_soa_graph_launch(const CartpoleSoaGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CartpoleSoaStatus cartpole_soa_graph_update(CartpoleSoaGraph* graph, const CartpoleSoaInputs* in,
                                            const CartpoleSoaOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cartpole_soa_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cartpole_soa_graph_exec(const CartpoleSoaGraph* graph) { return exec_of(graph); }

void cartpole_soa_graph_destroy(CartpoleSoaGraph* graph) { destroy_graph(graph); }

int64_t cartpole_soa_workspace_bytes() { return kWorkspaceBytes; }

const char* cartpole_soa_last_error() { return last_error.text(); }

const char* cartpole_soa_status_text(CartpoleSoaStatus status) { return status_text(status); }
