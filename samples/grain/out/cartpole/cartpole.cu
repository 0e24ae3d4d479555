// cartpole.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "cartpole/cartpole.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = cartpole_kernels;

const char* cartpole_range(const char* step);  // for profilers, see ranges.cpp

struct CartpoleInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct CartpoleGraph {
  CartpoleInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const CartpoleTensor kCartpoleInputTable[] = {
    {"start_x", "f32", 1, kCartpoleInStartX, 256},
    {"start_x_dot", "f32", 1, kCartpoleInStartXDot, 256},
    {"start_theta", "f32", 1, kCartpoleInStartTheta, 256},
    {"start_theta_dot", "f32", 1, kCartpoleInStartThetaDot, 256},
    {"actions", "s32", 2, kCartpoleInActions, 4096},
    {"starts_x", "f32", 2, kCartpoleInStartsX, 4096},
    {"starts_x_dot", "f32", 2, kCartpoleInStartsXDot, 4096},
    {"starts_theta", "f32", 2, kCartpoleInStartsTheta, 4096},
    {"starts_theta_dot", "f32", 2, kCartpoleInStartsThetaDot, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const CartpoleTensor kCartpoleOutputTable[] = {
    {"state_x", "f32", 1, kCartpoleOutStateX, 256},
    {"state_x_dot", "f32", 1, kCartpoleOutStateXDot, 256},
    {"state_theta", "f32", 1, kCartpoleOutStateTheta, 256},
    {"state_theta_dot", "f32", 1, kCartpoleOutStateThetaDot, 256},
    {"episodes", "s32", 1, kCartpoleOutEpisodes, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr CartpoleOptions kDefaults = CARTPOLE_OPTIONS;

thread_local constinit LastError last_error("cartpole");

// True if the step did not succeed; then cartpole_last_error() says why.
bool failed(const Step<cartpole_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

CartpoleStatus cartpole_create_with(CartpoleInstance** instance, const CartpoleOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

CartpoleStatus cartpole_run(CartpoleInstance* instance, const CartpoleInputs* in,
                            const CartpoleOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kCartpoleInputTable, out, kCartpoleOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<cartpole_range> range("cartpole_run");

  // state_x.1, state_x_dot.1, state_theta.1, state_theta_dot.1, ...  (cartpole.grain:29)
  if (failed({"cartpole", kernels::cartpole::enqueue(in->start_x, in->start_x_dot, in->start_theta,
                                                     in->start_theta_dot, in->actions, in->starts_x,
                                                     in->starts_x_dot, in->starts_theta,
                                                     in->starts_theta_dot, out->state_x,
                                                     out->state_x_dot, out->state_theta,
                                                     out->state_theta_dot, out->episodes,
                                                     stream)})) {
    return kCartpoleCudaError;
  }

  return kCartpoleOk;
}

void cartpole_destroy(CartpoleInstance* instance) {
  destroy_instance(instance);
}

CartpoleStatus cartpole_capture(CartpoleGraph** graph, CartpoleInstance* instance,
                                const CartpoleInputs* in, const CartpoleOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return cartpole_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

CartpoleStatus cartpole_graph_launch(const CartpoleGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

CartpoleStatus cartpole_graph_update(CartpoleGraph* graph, const CartpoleInputs* in,
                                     const CartpoleOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return cartpole_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t cartpole_graph_exec(const CartpoleGraph* graph) { return exec_of(graph); }

void cartpole_graph_destroy(CartpoleGraph* graph) { destroy_graph(graph); }

int64_t cartpole_workspace_bytes() { return kWorkspaceBytes; }

const char* cartpole_last_error() { return last_error.text(); }

const char* cartpole_status_text(CartpoleStatus status) { return status_text(status); }
