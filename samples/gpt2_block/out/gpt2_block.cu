// gpt2_block.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 30.7 kB; the largest live set is 30.7 kB.

#include "gpt2_block/gpt2_block.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = gpt2_block_kernels;

const char* gpt2_block_range(const char* step);  // for profilers, see ranges.cpp

struct Gpt2BlockInstance {
  int device = 0;              // it runs on
  void* workspace = nullptr;   // its device memory: arena
  DeviceMemory own_workspace;  // it, unless the caller gave one
  Allocator allocator;         // of device memory
};

struct Gpt2BlockGraph {
  Gpt2BlockInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const Gpt2BlockTensor kGpt2BlockInputTable[] = {
    {"params_attention_out_b", "f32", 1, kGpt2BlockInParamsAttentionOutB, 192},
    {"params_attention_out_w", "f32", 2, kGpt2BlockInParamsAttentionOutW, 9216},
    {"params_attention_qkv_b", "f32", 1, kGpt2BlockInParamsAttentionQkvB, 576},
    {"params_attention_qkv_w", "f32", 2, kGpt2BlockInParamsAttentionQkvW, 27648},
    {"params_down_b", "f32", 1, kGpt2BlockInParamsDownB, 192},
    {"params_down_w", "f32", 2, kGpt2BlockInParamsDownW, 36864},
    {"params_norm1_bias", "f32", 1, kGpt2BlockInParamsNorm1Bias, 192},
    {"params_norm1_scale", "f32", 1, kGpt2BlockInParamsNorm1Scale, 192},
    {"params_norm2_bias", "f32", 1, kGpt2BlockInParamsNorm2Bias, 192},
    {"params_norm2_scale", "f32", 1, kGpt2BlockInParamsNorm2Scale, 192},
    {"params_up_b", "f32", 1, kGpt2BlockInParamsUpB, 768},
    {"params_up_w", "f32", 2, kGpt2BlockInParamsUpW, 36864},
    {"x", "f32", 3, kGpt2BlockInX, 6144},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const Gpt2BlockTensor kGpt2BlockOutputTable[] = {
    {"sum", "f32", 3, kGpt2BlockOutSum, 6144},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 30720;
constexpr Gpt2BlockOptions kDefaults = GPT2_BLOCK_OPTIONS;

thread_local constinit LastError last_error("gpt2_block");

// True if the step did not succeed; then gpt2_block_last_error() says why.
bool failed(const Step<gpt2_block_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

}  // namespace

Gpt2BlockStatus gpt2_block_create_with(Gpt2BlockInstance** instance,
                                       const Gpt2BlockOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error);
}

Gpt2BlockStatus gpt2_block_run(Gpt2BlockInstance* instance, const Gpt2BlockInputs* in,
                               const Gpt2BlockOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kGpt2BlockInputTable, out, kGpt2BlockOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<gpt2_block_range> range("gpt2_block_run");

  float* const dense = at<float>(instance->workspace, 0);          // f32[2,16,144]
  float* const attention = at<float>(instance->workspace, 18432);  // f32[2,4,16,12]
  float* const x_2 = at<float>(instance->workspace, 24576);        // f32[2,16,48]
  float* const gelu = at<float>(instance->workspace, 0);           // f32[2,16,192]

  // add.40  (layers.py:18)
  if (failed({"dense", kernels::dense::enqueue(in->params_attention_qkv_b,
                                               in->params_attention_qkv_w, in->params_norm1_bias,
                                               in->params_norm1_scale, in->x, dense, stream)})) {
    return kGpt2BlockCudaError;
  }

  // attention  (layers.py:74)
  if (failed({"attention", kernels::attention::enqueue(dense, attention, stream)})) {
    return kGpt2BlockCudaError;
  }

  // add.45  (layers.py:90)
  if (failed({"dense_2", kernels::dense_2::enqueue(in->params_attention_out_b,
                                                   in->params_attention_out_w, in->x, attention,
                                                   x_2, stream)})) {
    return kGpt2BlockCudaError;
  }

  // mul.49  (layers.py:91)
  if (failed({"dense_3", kernels::dense_3::enqueue(in->params_norm2_bias, in->params_norm2_scale,
                                                   in->params_up_b, in->params_up_w, x_2, gelu,
                                                   stream)})) {
    return kGpt2BlockCudaError;
  }

  // add.61  (layers.py:91)
  if (failed({"dense_4", kernels::dense_4::enqueue(in->params_down_b, in->params_down_w, x_2, gelu,
                                                   out->sum, stream)})) {
    return kGpt2BlockCudaError;
  }

  return kGpt2BlockOk;
}

void gpt2_block_destroy(Gpt2BlockInstance* instance) {
  destroy_instance(instance);
}

Gpt2BlockStatus gpt2_block_capture(Gpt2BlockGraph** graph, Gpt2BlockInstance* instance,
                                   const Gpt2BlockInputs* in, const Gpt2BlockOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return gpt2_block_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

Gpt2BlockStatus gpt2_block_graph_launch(const Gpt2BlockGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

Gpt2BlockStatus gpt2_block_graph_update(Gpt2BlockGraph* graph, const Gpt2BlockInputs* in,
                                        const Gpt2BlockOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return gpt2_block_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t gpt2_block_graph_exec(const Gpt2BlockGraph* graph) { return exec_of(graph); }

void gpt2_block_graph_destroy(Gpt2BlockGraph* graph) { destroy_graph(graph); }

int64_t gpt2_block_workspace_bytes() { return kWorkspaceBytes; }

const char* gpt2_block_last_error() { return last_error.text(); }

const char* gpt2_block_status_text(Gpt2BlockStatus status) { return status_text(status); }
