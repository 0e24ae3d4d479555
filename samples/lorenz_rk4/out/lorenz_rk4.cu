// lorenz_rk4.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "lorenz_rk4/lorenz_rk4.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = lorenz_rk4_kernels;

const char* lorenz_rk4_range(const char* step);  // for profilers, see ranges.cpp

struct LorenzRk4Instance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct LorenzRk4Graph {
  LorenzRk4Instance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const LorenzRk4Tensor kLorenzRk4InputTable[] = {
    {"x", "f32", 1, kLorenzRk4InX, 256},
    {"y", "f32", 1, kLorenzRk4InY, 256},
    {"z", "f32", 1, kLorenzRk4InZ, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LorenzRk4Tensor kLorenzRk4OutputTable[] = {
    {"x", "f32", 1, kLorenzRk4OutX, 256},
    {"y", "f32", 1, kLorenzRk4OutY, 256},
    {"z", "f32", 1, kLorenzRk4OutZ, 256},
    {"joined", "f32", 2, kLorenzRk4OutJoined, 480},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr LorenzRk4Options kDefaults = LORENZ_RK4_OPTIONS;

thread_local constinit LastError last_error("lorenz_rk4");

// True if the step did not succeed; then lorenz_rk4_last_error() says why.
bool failed(const Step<lorenz_rk4_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

LorenzRk4Status lorenz_rk4_create_with(LorenzRk4Instance** instance,
                                       const LorenzRk4Options* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

LorenzRk4Status lorenz_rk4_run(LorenzRk4Instance* instance, const LorenzRk4Inputs* in,
                               const LorenzRk4Outputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kLorenzRk4InputTable, out, kLorenzRk4OutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<lorenz_rk4_range> range("lorenz_rk4_run");

  // while.10, while.11, while.12, while.13  (simulation.py:72)
  if (failed({"step", kernels::step::enqueue(in->x, in->y, in->z, out->x, out->y, out->z,
                                             out->joined, stream)})) {
    return kLorenzRk4CudaError;
  }

  return kLorenzRk4Ok;
}

void lorenz_rk4_destroy(LorenzRk4Instance* instance) {
  destroy_instance(instance);
}

LorenzRk4Status lorenz_rk4_capture(LorenzRk4Graph** graph, LorenzRk4Instance* instance,
                                   const LorenzRk4Inputs* in, const LorenzRk4Outputs* out) {
  const auto run = [=](cudaStream_t stream) { return lorenz_rk4_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

LorenzRk4Status lorenz_rk4_graph_launch(const LorenzRk4Graph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

LorenzRk4Status lorenz_rk4_graph_update(LorenzRk4Graph* graph, const LorenzRk4Inputs* in,
                                        const LorenzRk4Outputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return lorenz_rk4_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t lorenz_rk4_graph_exec(const LorenzRk4Graph* graph) { return exec_of(graph); }

void lorenz_rk4_graph_destroy(LorenzRk4Graph* graph) { destroy_graph(graph); }

int64_t lorenz_rk4_workspace_bytes() { return kWorkspaceBytes; }

const char* lorenz_rk4_last_error() { return last_error.text(); }

const char* lorenz_rk4_status_text(LorenzRk4Status status) { return status_text(status); }
