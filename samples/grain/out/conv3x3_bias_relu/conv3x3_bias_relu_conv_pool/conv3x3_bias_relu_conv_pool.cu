// conv3x3_bias_relu_conv_pool.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 3.3 kB; the largest live set is 3.3 kB.

#include "conv3x3_bias_relu_conv_pool/conv3x3_bias_relu_conv_pool.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = conv3x3_bias_relu_conv_pool_kernels;

const char* conv3x3_bias_relu_conv_pool_range(const char* step);  // for profilers, see ranges.cpp

struct Conv3x3BiasReluConvPoolInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
};

struct Conv3x3BiasReluConvPoolGraph {
  Conv3x3BiasReluConvPoolInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const Conv3x3BiasReluConvPoolTensor kConv3x3BiasReluConvPoolInputTable[] = {
    {"x", "f32", 4, kConv3x3BiasReluConvPoolInX, 6144},
    {"w", "f32", 4, kConv3x3BiasReluConvPoolInW, 864},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const Conv3x3BiasReluConvPoolTensor kConv3x3BiasReluConvPoolOutputTable[] = {
    {"y", "f32", 4, kConv3x3BiasReluConvPoolOutY, 1024},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 3584;
constexpr Conv3x3BiasReluConvPoolOptions kDefaults = CONV3X3_BIAS_RELU_CONV_POOL_OPTIONS;

thread_local constinit LastError last_error("conv3x3_bias_relu_conv_pool");

// True if the step did not succeed; then conv3x3_bias_relu_conv_pool_last_error() says why.
bool failed(const Step<conv3x3_bias_relu_conv_pool_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(Conv3x3BiasReluConvPoolInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 3328);
  cudaError_t error = clear_on_device(created.finished, 4);
  return error;
}

}  // namespace

Conv3x3BiasReluConvPoolStatus conv3x3_bias_relu_conv_pool_create_with(Conv3x3BiasReluConvPoolInstance** instance,
                                                                      const Conv3x3BiasReluConvPoolOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

Conv3x3BiasReluConvPoolStatus conv3x3_bias_relu_conv_pool_run(Conv3x3BiasReluConvPoolInstance* instance,
                                                              const Conv3x3BiasReluConvPoolInputs* in,
                                                              const Conv3x3BiasReluConvPoolOutputs* out,
                                                              cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kConv3x3BiasReluConvPoolInputTable, out,
                                  kConv3x3BiasReluConvPoolOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<conv3x3_bias_relu_conv_pool_range> range("conv3x3_bias_relu_conv_pool_run");

  float* const z = at<float>(instance->workspace, 0);  // f32[2,7,7,8]

  // z  (conv3x3_bias_relu.grain:14), and 1 more
  const kernels::conv3x3_bias_relu_conv_pool::Conv3x3BiasReluConvPoolArrays conv3x3_bias_relu_conv_pool_arrays = {
      .z = {in->x, in->w, z},
      .y = {z, out->y},
      .finished = instance->finished,
  };
  if (failed({"conv3x3_bias_relu_conv_pool", kernels::conv3x3_bias_relu_conv_pool::enqueue(conv3x3_bias_relu_conv_pool_arrays,
                                                                                           stream)})) {
    return kConv3x3BiasReluConvPoolCudaError;
  }

  return kConv3x3BiasReluConvPoolOk;
}

void conv3x3_bias_relu_conv_pool_destroy(Conv3x3BiasReluConvPoolInstance* instance) {
  destroy_instance(instance);
}

Conv3x3BiasReluConvPoolStatus conv3x3_bias_relu_conv_pool_capture(Conv3x3BiasReluConvPoolGraph** graph,
                                                                  Conv3x3BiasReluConvPoolInstance* instance,
                                                                  const Conv3x3BiasReluConvPoolInputs* in,
                                                                  const Conv3x3BiasReluConvPoolOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return conv3x3_bias_relu_conv_pool_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

Conv3x3BiasReluConvPoolStatus conv3x3_bias_relu_conv_pool_graph_launch(const Conv3x3BiasReluConvPoolGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

Conv3x3BiasReluConvPoolStatus conv3x3_bias_relu_conv_pool_graph_update(Conv3x3BiasReluConvPoolGraph* graph,
                                                                       const Conv3x3BiasReluConvPoolInputs* in,
                                                                       const Conv3x3BiasReluConvPoolOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return conv3x3_bias_relu_conv_pool_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t conv3x3_bias_relu_conv_pool_graph_exec(const Conv3x3BiasReluConvPoolGraph* graph) { return exec_of(graph); }

void conv3x3_bias_relu_conv_pool_graph_destroy(Conv3x3BiasReluConvPoolGraph* graph) { destroy_graph(graph); }

int64_t conv3x3_bias_relu_conv_pool_workspace_bytes() { return kWorkspaceBytes; }

const char* conv3x3_bias_relu_conv_pool_last_error() { return last_error.text(); }

const char* conv3x3_bias_relu_conv_pool_status_text(Conv3x3BiasReluConvPoolStatus status) { return status_text(status); }
