// conv3x3_bias_relu_conv3x3_bias_relu.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "conv3x3_bias_relu_conv3x3_bias_relu/conv3x3_bias_relu_conv3x3_bias_relu.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = conv3x3_bias_relu_conv3x3_bias_relu_kernels;

const char* conv3x3_bias_relu_conv3x3_bias_relu_range(const char* step);  // for profilers, see ranges.cpp

struct Conv3x3BiasReluConv3x3BiasReluInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: none
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct Conv3x3BiasReluConv3x3BiasReluGraph {
  Conv3x3BiasReluConv3x3BiasReluInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const Conv3x3BiasReluConv3x3BiasReluTensor kConv3x3BiasReluConv3x3BiasReluInputTable[] = {
    {"x", "f32", 4, kConv3x3BiasReluConv3x3BiasReluInX, 6144},
    {"w", "f32", 4, kConv3x3BiasReluConv3x3BiasReluInW, 864},
    {"bias", "f32", 1, kConv3x3BiasReluConv3x3BiasReluInBias, 32},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const Conv3x3BiasReluConv3x3BiasReluTensor kConv3x3BiasReluConv3x3BiasReluOutputTable[] = {
    {"y", "f32", 4, kConv3x3BiasReluConv3x3BiasReluOutY, 16384},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 0;
constexpr Conv3x3BiasReluConv3x3BiasReluOptions kDefaults = CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_OPTIONS;

thread_local constinit LastError last_error("conv3x3_bias_relu_conv3x3_bias_relu");

// True if the step did not succeed; then conv3x3_bias_relu_conv3x3_bias_relu_last_error() says why.
bool failed(const Step<conv3x3_bias_relu_conv3x3_bias_relu_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_create_with(Conv3x3BiasReluConv3x3BiasReluInstance** instance,
                                                                                     const Conv3x3BiasReluConv3x3BiasReluOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_run(Conv3x3BiasReluConv3x3BiasReluInstance* instance,
                                                                             const Conv3x3BiasReluConv3x3BiasReluInputs* in,
                                                                             const Conv3x3BiasReluConv3x3BiasReluOutputs* out,
                                                                             cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kConv3x3BiasReluConv3x3BiasReluInputTable, out,
                                  kConv3x3BiasReluConv3x3BiasReluOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<conv3x3_bias_relu_conv3x3_bias_relu_range> range("conv3x3_bias_relu_conv3x3_bias_relu_run");

  // y  (nn.grain:8)
  if (failed({"conv3x3_bias_relu_conv3x3_bias_relu", kernels::conv3x3_bias_relu_conv3x3_bias_relu::enqueue(in->x,
                                                                                                           in->w,
                                                                                                           in->bias,
                                                                                                           out->y,
                                                                                                           stream)})) {
    return kConv3x3BiasReluConv3x3BiasReluCudaError;
  }

  return kConv3x3BiasReluConv3x3BiasReluOk;
}

void conv3x3_bias_relu_conv3x3_bias_relu_destroy(Conv3x3BiasReluConv3x3BiasReluInstance* instance) {
  destroy_instance(instance);
}

Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_capture(Conv3x3BiasReluConv3x3BiasReluGraph** graph,
                                                                                 Conv3x3BiasReluConv3x3BiasReluInstance* instance,
                                                                                 const Conv3x3BiasReluConv3x3BiasReluInputs* in,
                                                                                 const Conv3x3BiasReluConv3x3BiasReluOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return conv3x3_bias_relu_conv3x3_bias_relu_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_graph_launch(const Conv3x3BiasReluConv3x3BiasReluGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

Conv3x3BiasReluConv3x3BiasReluStatus conv3x3_bias_relu_conv3x3_bias_relu_graph_update(Conv3x3BiasReluConv3x3BiasReluGraph* graph,
                                                                                      const Conv3x3BiasReluConv3x3BiasReluInputs* in,
                                                                                      const Conv3x3BiasReluConv3x3BiasReluOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return conv3x3_bias_relu_conv3x3_bias_relu_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t conv3x3_bias_relu_conv3x3_bias_relu_graph_exec(const Conv3x3BiasReluConv3x3BiasReluGraph* graph) { return exec_of(graph); }

void conv3x3_bias_relu_conv3x3_bias_relu_graph_destroy(Conv3x3BiasReluConv3x3BiasReluGraph* graph) { destroy_graph(graph); }

int64_t conv3x3_bias_relu_conv3x3_bias_relu_workspace_bytes() { return kWorkspaceBytes; }

const char* conv3x3_bias_relu_conv3x3_bias_relu_last_error() { return last_error.text(); }

const char* conv3x3_bias_relu_conv3x3_bias_relu_status_text(Conv3x3BiasReluConv3x3BiasReluStatus status) { return status_text(status); }
