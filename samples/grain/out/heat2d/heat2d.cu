// heat2d.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "heat2d/heat2d.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = heat2d_kernels;

const char* heat2d_range(const char* step);  // for profilers, see ranges.cpp

struct Heat2dInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct Heat2dGraph {
  Heat2dInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const Heat2dTensor kHeat2dInputTable[] = {
    {"start", "f32", 2, kHeat2dInStart, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const Heat2dTensor kHeat2dOutputTable[] = {
    {"u", "f32", 2, kHeat2dOutU, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr Heat2dOptions kDefaults = HEAT2D_OPTIONS;

thread_local constinit LastError last_error("heat2d");

// True if the step did not succeed; then heat2d_last_error() says why.
bool failed(const Step<heat2d_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

Heat2dStatus heat2d_create_with(Heat2dInstance** instance, const Heat2dOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

Heat2dStatus heat2d_run(Heat2dInstance* instance, const Heat2dInputs* in, const Heat2dOutputs* out,
                        cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kHeat2dInputTable, out, kHeat2dOutputTable, nullptr,
                                  last_error);
  if (wrong) return wrong;
  const Range<heat2d_range> range("heat2d_run");

  // u.1  (heat2d.grain:5)
  if (failed({"heat2d", kernels::heat2d::enqueue(in->start, out->u, stream)})) {
    return kHeat2dCudaError;
  }

  return kHeat2dOk;
}

void heat2d_destroy(Heat2dInstance* instance) {
  destroy_instance(instance);
}

Heat2dStatus heat2d_capture(Heat2dGraph** graph, Heat2dInstance* instance, const Heat2dInputs* in,
                            const Heat2dOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return heat2d_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

Heat2dStatus heat2d_graph_launch(const Heat2dGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

Heat2dStatus heat2d_graph_update(Heat2dGraph* graph, const Heat2dInputs* in,
                                 const Heat2dOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return heat2d_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t heat2d_graph_exec(const Heat2dGraph* graph) { return exec_of(graph); }

void heat2d_graph_destroy(Heat2dGraph* graph) { destroy_graph(graph); }

int64_t heat2d_workspace_bytes() { return kWorkspaceBytes; }

const char* heat2d_last_error() { return last_error.text(); }

const char* heat2d_status_text(Heat2dStatus status) { return status_text(status); }
