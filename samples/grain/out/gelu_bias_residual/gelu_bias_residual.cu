// gelu_bias_residual.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "gelu_bias_residual/gelu_bias_residual.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = gelu_bias_residual_kernels;

const char* gelu_bias_residual_range(const char* step);  // for profilers, see ranges.cpp

struct GeluBiasResidualInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct GeluBiasResidualGraph {
  GeluBiasResidualInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const GeluBiasResidualTensor kGeluBiasResidualInputTable[] = {
    {"x", "f32", 2, kGeluBiasResidualInX, 24576},
    {"bias", "f32", 1, kGeluBiasResidualInBias, 384},
    {"residual", "f32", 2, kGeluBiasResidualInResidual, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const GeluBiasResidualTensor kGeluBiasResidualOutputTable[] = {
    {"y", "f32", 2, kGeluBiasResidualOutY, 24576},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr GeluBiasResidualOptions kDefaults = GELU_BIAS_RESIDUAL_OPTIONS;

thread_local constinit LastError last_error("gelu_bias_residual");

// True if the step did not succeed; then gelu_bias_residual_last_error() says why.
bool failed(const Step<gelu_bias_residual_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

GeluBiasResidualStatus gelu_bias_residual_create_with(GeluBiasResidualInstance** instance,
                                                      const GeluBiasResidualOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

GeluBiasResidualStatus gelu_bias_residual_run(GeluBiasResidualInstance* instance,
                                              const GeluBiasResidualInputs* in,
                                              const GeluBiasResidualOutputs* out,
                                              cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kGeluBiasResidualInputTable, out,
                                  kGeluBiasResidualOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<gelu_bias_residual_range> range("gelu_bias_residual_run");

  // y  (gelu_bias_residual.grain:8)
  if (failed({"gelu_bias_residual", kernels::gelu_bias_residual::enqueue(in->x, in->bias,
                                                                         in->residual, out->y,
                                                                         stream)})) {
    return kGeluBiasResidualCudaError;
  }

  return kGeluBiasResidualOk;
}

void gelu_bias_residual_destroy(GeluBiasResidualInstance* instance) {
  destroy_instance(instance);
}

GeluBiasResidualStatus gelu_bias_residual_capture(GeluBiasResidualGraph** graph,
                                                  GeluBiasResidualInstance* instance,
                                                  const GeluBiasResidualInputs* in,
                                                  const GeluBiasResidualOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return gelu_bias_residual_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

GeluBiasResidualStatus gelu_bias_residual_graph_launch(const GeluBiasResidualGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

GeluBiasResidualStatus gelu_bias_residual_graph_update(GeluBiasResidualGraph* graph,
                                                       const GeluBiasResidualInputs* in,
                                                       const GeluBiasResidualOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return gelu_bias_residual_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t gelu_bias_residual_graph_exec(const GeluBiasResidualGraph* graph) { return exec_of(graph); }

void gelu_bias_residual_graph_destroy(GeluBiasResidualGraph* graph) { destroy_graph(graph); }

int64_t gelu_bias_residual_workspace_bytes() { return kWorkspaceBytes; }

const char* gelu_bias_residual_last_error() { return last_error.text(); }

const char* gelu_bias_residual_status_text(GeluBiasResidualStatus status) { return status_text(status); }
