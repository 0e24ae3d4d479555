// llama_decode.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 2.8 kB; the largest live set is 2.8 kB.

#include "llama_decode/llama_decode.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = llama_decode_kernels;

const char* llama_decode_range(const char* step);  // for profilers, see ranges.cpp

struct LlamaDecodeInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
};

struct LlamaDecodeGraph {
  LlamaDecodeInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const LlamaDecodeTensor kLlamaDecodeInputTable[] = {
    {"params_embedding", "bf16", 2, kLlamaDecodeInParamsEmbedding, 16384},
    {"params_layers_0_down", "bf16", 2, kLlamaDecodeInParamsLayers0Down, 12288},
    {"params_layers_0_gate", "bf16", 2, kLlamaDecodeInParamsLayers0Gate, 12288},
    {"params_layers_0_k", "bf16", 2, kLlamaDecodeInParamsLayers0K, 4096},
    {"params_layers_0_norm1", "bf16", 1, kLlamaDecodeInParamsLayers0Norm1, 128},
    {"params_layers_0_norm2", "bf16", 1, kLlamaDecodeInParamsLayers0Norm2, 128},
    {"params_layers_0_out", "bf16", 2, kLlamaDecodeInParamsLayers0Out, 8192},
    {"params_layers_0_q", "bf16", 2, kLlamaDecodeInParamsLayers0Q, 8192},
    {"params_layers_0_up", "bf16", 2, kLlamaDecodeInParamsLayers0Up, 12288},
    {"params_layers_0_v", "bf16", 2, kLlamaDecodeInParamsLayers0V, 4096},
    {"params_layers_1_down", "bf16", 2, kLlamaDecodeInParamsLayers1Down, 12288},
    {"params_layers_1_gate", "bf16", 2, kLlamaDecodeInParamsLayers1Gate, 12288},
    {"params_layers_1_k", "bf16", 2, kLlamaDecodeInParamsLayers1K, 4096},
    {"params_layers_1_norm1", "bf16", 1, kLlamaDecodeInParamsLayers1Norm1, 128},
    {"params_layers_1_norm2", "bf16", 1, kLlamaDecodeInParamsLayers1Norm2, 128},
    {"params_layers_1_out", "bf16", 2, kLlamaDecodeInParamsLayers1Out, 8192},
    {"params_layers_1_q", "bf16", 2, kLlamaDecodeInParamsLayers1Q, 8192},
    {"params_layers_1_up", "bf16", 2, kLlamaDecodeInParamsLayers1Up, 12288},
    {"params_layers_1_v", "bf16", 2, kLlamaDecodeInParamsLayers1V, 4096},
    {"params_norm", "bf16", 1, kLlamaDecodeInParamsNorm, 128},
    {"cache_0_k", "bf16", 4, kLlamaDecodeInCache0K, 4096},
    {"cache_0_v", "bf16", 4, kLlamaDecodeInCache0V, 4096},
    {"cache_1_k", "bf16", 4, kLlamaDecodeInCache1K, 4096},
    {"cache_1_v", "bf16", 4, kLlamaDecodeInCache1V, 4096},
    {"tokens", "s32", 1, kLlamaDecodeInTokens, 8},
    {"position", "s32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LlamaDecodeTensor kLlamaDecodeOutputTable[] = {
    {"argmax", "s32", 1, kLlamaDecodeOutArgmax, 8},
    {"logits", "f32", 2, kLlamaDecodeOutLogits, 1024},
    {"cache_0_k", "bf16", 4, kLlamaDecodeOutCache0K, 4096},
    {"cache_0_v", "bf16", 4, kLlamaDecodeOutCache0V, 4096},
    {"cache_1_k", "bf16", 4, kLlamaDecodeOutCache1K, 4096},
    {"cache_1_v", "bf16", 4, kLlamaDecodeOutCache1V, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 3072;
// For each input, the output that may share its memory, or -1.
constexpr int kDonatedTo[] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                              -1, -1, -1, 2, 3, 4, 5, -1, -1};
constexpr LlamaDecodeOptions kDefaults = LLAMA_DECODE_OPTIONS;

thread_local constinit LastError last_error("llama_decode");

// True if the step did not succeed; then llama_decode_last_error() says why.
bool failed(const Step<llama_decode_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(LlamaDecodeInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 2816);
  cudaError_t error = clear_on_device(created.finished, 4);
  return error;
}

}  // namespace

LlamaDecodeStatus llama_decode_create_with(LlamaDecodeInstance** instance,
                                           const LlamaDecodeOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

LlamaDecodeStatus llama_decode_run(LlamaDecodeInstance* instance, const LlamaDecodeInputs* in,
                                   const LlamaDecodeOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kLlamaDecodeInputTable, out,
                                  kLlamaDecodeOutputTable, kDonatedTo, last_error);
  if (wrong) return wrong;
  const Range<llama_decode_range> range("llama_decode_run");

  const __nv_bfloat16* const params_embedding =
      reinterpret_cast<const __nv_bfloat16*>(in->params_embedding);           // bf16[128,64]
  const __nv_bfloat16* const params_layers_0_down =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_0_down);       // bf16[96,64]
  const __nv_bfloat16* const params_layers_0_gate =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_0_gate);       // bf16[64,96]
  const __nv_bfloat16* const params_layers_0_k =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_0_k);          // bf16[64,32]
  const __nv_bfloat16* const params_layers_0_norm1 =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_0_norm1);      // bf16[64]
  const __nv_bfloat16* const params_layers_0_norm2 =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_0_norm2);      // bf16[64]
  const __nv_bfloat16* const params_layers_0_out =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_0_out);        // bf16[64,64]
  const __nv_bfloat16* const params_layers_0_q =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_0_q);          // bf16[64,64]
  const __nv_bfloat16* const params_layers_0_up =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_0_up);         // bf16[64,96]
  const __nv_bfloat16* const params_layers_0_v =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_0_v);          // bf16[64,32]
  const __nv_bfloat16* const params_layers_1_down =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_1_down);       // bf16[96,64]
  const __nv_bfloat16* const params_layers_1_gate =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_1_gate);       // bf16[64,96]
  const __nv_bfloat16* const params_layers_1_k =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_1_k);          // bf16[64,32]
  const __nv_bfloat16* const params_layers_1_norm1 =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_1_norm1);      // bf16[64]
  const __nv_bfloat16* const params_layers_1_norm2 =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_1_norm2);      // bf16[64]
  const __nv_bfloat16* const params_layers_1_out =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_1_out);        // bf16[64,64]
  const __nv_bfloat16* const params_layers_1_q =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_1_q);          // bf16[64,64]
  const __nv_bfloat16* const params_layers_1_up =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_1_up);         // bf16[64,96]
  const __nv_bfloat16* const params_layers_1_v =
      reinterpret_cast<const __nv_bfloat16*>(in->params_layers_1_v);          // bf16[64,32]
  const __nv_bfloat16* const params_norm =
      reinterpret_cast<const __nv_bfloat16*>(in->params_norm);                // bf16[64]
  const __nv_bfloat16* const cache_0_k =
      reinterpret_cast<const __nv_bfloat16*>(in->cache_0_k);                  // bf16[2,32,2,16]
  const __nv_bfloat16* const cache_0_v =
      reinterpret_cast<const __nv_bfloat16*>(in->cache_0_v);                  // bf16[2,32,2,16]
  const __nv_bfloat16* const cache_1_k =
      reinterpret_cast<const __nv_bfloat16*>(in->cache_1_k);                  // bf16[2,32,2,16]
  const __nv_bfloat16* const cache_1_v =
      reinterpret_cast<const __nv_bfloat16*>(in->cache_1_v);                  // bf16[2,32,2,16]
  __nv_bfloat16* const cache_0_k_2 =
      reinterpret_cast<__nv_bfloat16*>(out->cache_0_k);                       // bf16[2,32,2,16]
  __nv_bfloat16* const cache_0_v_2 =
      reinterpret_cast<__nv_bfloat16*>(out->cache_0_v);                       // bf16[2,32,2,16]
  __nv_bfloat16* const cache_1_k_2 =
      reinterpret_cast<__nv_bfloat16*>(out->cache_1_k);                       // bf16[2,32,2,16]
  __nv_bfloat16* const cache_1_v_2 =
      reinterpret_cast<__nv_bfloat16*>(out->cache_1_v);                       // bf16[2,32,2,16]
  float* const x_square_sum = at<float>(instance->workspace, 0);              // f32[2]
  float* const cos_angle = at<float>(instance->workspace, 1024);              // f32[8]
  float* const sin_angle = at<float>(instance->workspace, 1280);              // f32[8]
  __nv_bfloat16* const decode_attention_9 =
      at<__nv_bfloat16>(instance->workspace, 1536);                           // bf16[2,64]
  __nv_bfloat16* const dot = at<__nv_bfloat16>(instance->workspace, 256);     // bf16[2,32]
  __nv_bfloat16* const dot_2 = at<__nv_bfloat16>(instance->workspace, 512);   // bf16[2,32]
  float* const unscaled_scores = at<float>(instance->workspace, 0);           // f32[2,2,2,32]
  float* const scores_max = at<float>(instance->workspace, 1536);             // f32[2,2,2]
  float* const weight_sum = at<float>(instance->workspace, 1792);             // f32[2,2,2]
  __nv_bfloat16* const dot_3 = at<__nv_bfloat16>(instance->workspace, 2048);  // bf16[2,2,2,16]
  __nv_bfloat16* const mixed = at<__nv_bfloat16>(instance->workspace, 2304);  // bf16[2,64]
  __nv_bfloat16* const y = at<__nv_bfloat16>(instance->workspace, 2560);      // bf16[2,64]
  __nv_bfloat16* const y_up = at<__nv_bfloat16>(instance->workspace, 0);      // bf16[2,96]
  __nv_bfloat16* const dot_4 = at<__nv_bfloat16>(instance->workspace, 1536);  // bf16[2,64]
  float* const x_square_sum_2 = at<float>(instance->workspace, 0);            // f32[2]
  __nv_bfloat16* const decode_attention_10 =
      at<__nv_bfloat16>(instance->workspace, 1792);                           // bf16[2,64]
  __nv_bfloat16* const dot_5 = at<__nv_bfloat16>(instance->workspace, 256);   // bf16[2,32]
  __nv_bfloat16* const dot_6 = at<__nv_bfloat16>(instance->workspace, 512);   // bf16[2,32]
  float* const unscaled_scores_2 = at<float>(instance->workspace, 0);         // f32[2,2,2,32]
  float* const scores_max_2 = at<float>(instance->workspace, 1024);           // f32[2,2,2]
  float* const weight_sum_2 = at<float>(instance->workspace, 1280);           // f32[2,2,2]
  __nv_bfloat16* const dot_7 = at<__nv_bfloat16>(instance->workspace, 1792);  // bf16[2,2,2,16]
  __nv_bfloat16* const x = at<__nv_bfloat16>(instance->workspace, 2048);      // bf16[2,64]
  __nv_bfloat16* const y_2 = at<__nv_bfloat16>(instance->workspace, 2560);    // bf16[2,64]
  __nv_bfloat16* const y_up_2 = at<__nv_bfloat16>(instance->workspace, 0);    // bf16[2,96]
  __nv_bfloat16* const dot_8 = at<__nv_bfloat16>(instance->workspace, 512);   // bf16[2,128]

  // reduce_sum.49  (layers.py:43), and 1 more
  const kernels::rms_norm::RmsNormArrays rms_norm_arrays = {
      .rms_norm_3 = {params_embedding, in->tokens, x_square_sum},
      .rotary = {in->position, cos_angle, sin_angle},
  };
  if (failed({"rms_norm", kernels::rms_norm::enqueue(rms_norm_arrays, stream)})) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.19  (language.py:61), and 1 more
  const kernels::decode_attention::DecodeAttentionArrays decode_attention_arrays = {
      .decode_attention_9 = {params_embedding, params_layers_0_norm1, params_layers_0_q, in->tokens,
                             x_square_sum, decode_attention_9},
      .decode_attention_10 = {params_embedding, params_layers_0_k, params_layers_0_norm1,
                              params_layers_0_v, in->tokens, x_square_sum, dot, dot_2},
  };
  if (failed({"decode_attention", kernels::decode_attention::enqueue(decode_attention_arrays,
                                                                     stream)})) {
    return kLlamaDecodeCudaError;
  }

  // dynamic_update_slice.5  (language.py:65), and 1 more
  const kernels::decode_attention_2::DecodeAttention2Arrays decode_attention_2_arrays = {
      .values = {cache_0_v, in->position, dot_2, cache_0_v_2},
      .keys = {cache_0_k, in->position, dot, cos_angle, sin_angle, cache_0_k_2},
  };
  if (failed({"decode_attention_2", kernels::decode_attention_2::enqueue(decode_attention_2_arrays,
                                                                         stream)})) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.22  (language.py:67)
  if (failed({"decode_attention_3", kernels::decode_attention_3::enqueue(decode_attention_9,
                                                                         cos_angle, sin_angle,
                                                                         cache_0_k_2,
                                                                         unscaled_scores,
                                                                         stream)})) {
    return kLlamaDecodeCudaError;
  }

  // reduce_max.14, reduce_sum.50  (language.py:69), and 3 more
  const kernels::decode_attention_4::DecodeAttention4Arrays decode_attention_4_arrays = {
      .scores_max = {in->position, unscaled_scores, scores_max, weight_sum},
      .dot = {in->position, unscaled_scores, scores_max, weight_sum, cache_0_v_2, dot_3},
      .mixed = {params_layers_0_out, dot_3, mixed},
      .rms_norm_3 = {params_embedding, params_layers_0_norm2, in->tokens, mixed, y},
      .finished = instance->finished,
  };
  if (failed({"decode_attention_4", kernels::decode_attention_4::enqueue(decode_attention_4_arrays,
                                                                         stream)})) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.26  (language.py:98)
  if (failed({"llama_decode", kernels::llama_decode::enqueue(params_layers_0_up, y, y_up,
                                                             stream)})) {
    return kLlamaDecodeCudaError;
  }

  // network.4  (language.py:98)
  if (failed({"llama_decode_2", kernels::llama_decode_2::enqueue(params_layers_0_down,
                                                                 params_layers_0_gate, y, y_up,
                                                                 dot_4, stream)})) {
    return kLlamaDecodeCudaError;
  }

  // reduce_sum.52  (layers.py:43)
  if (failed({"rms_norm_2", kernels::rms_norm_2::enqueue(params_embedding, in->tokens, mixed, dot_4,
                                                         x_square_sum_2, stream)})) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.28  (language.py:61), and 1 more
  const kernels::decode_attention_5::DecodeAttention5Arrays decode_attention_5_arrays = {
      .decode_attention_9 = {params_embedding, params_layers_1_norm1, params_layers_1_q, in->tokens,
                             mixed, dot_4, x_square_sum_2, decode_attention_10},
      .decode_attention_10 = {params_embedding, params_layers_1_k, params_layers_1_norm1,
                              params_layers_1_v, in->tokens, mixed, dot_4, x_square_sum_2, dot_5,
                              dot_6},
  };
  if (failed({"decode_attention_5", kernels::decode_attention_5::enqueue(decode_attention_5_arrays,
                                                                         stream)})) {
    return kLlamaDecodeCudaError;
  }

  // dynamic_update_slice.7  (language.py:65), and 1 more
  const kernels::decode_attention_2::DecodeAttention2Arrays decode_attention_2_arrays_2 = {
      .values = {cache_1_v, in->position, dot_6, cache_1_v_2},
      .keys = {cache_1_k, in->position, dot_5, cos_angle, sin_angle, cache_1_k_2},
  };
  if (failed({"decode_attention_2", kernels::decode_attention_2::enqueue(decode_attention_2_arrays_2,
                                                                         stream)})) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.31  (language.py:67)
  if (failed({"decode_attention_3", kernels::decode_attention_3::enqueue(decode_attention_10,
                                                                         cos_angle, sin_angle,
                                                                         cache_1_k_2,
                                                                         unscaled_scores_2,
                                                                         stream)})) {
    return kLlamaDecodeCudaError;
  }

  // reduce_max.15, reduce_sum.53  (language.py:69), and 3 more
  const kernels::decode_attention_8::DecodeAttention8Arrays decode_attention_8_arrays = {
      .scores_max = {in->position, unscaled_scores_2, scores_max_2, weight_sum_2},
      .dot = {in->position, unscaled_scores_2, scores_max_2, weight_sum_2, cache_1_v_2, dot_7},
      .llama_decode_6 = {params_embedding, params_layers_1_out, in->tokens, mixed, dot_4, dot_7,
                         x},
      .rms_norm_3 = {params_layers_1_norm2, x, y_2},
      .finished = instance->finished,
  };
  if (failed({"decode_attention_8", kernels::decode_attention_8::enqueue(decode_attention_8_arrays,
                                                                         stream)})) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.35  (language.py:98)
  if (failed({"llama_decode", kernels::llama_decode::enqueue(params_layers_1_up, y_2, y_up_2,
                                                             stream)})) {
    return kLlamaDecodeCudaError;
  }

  // network  (language.py:100)
  if (failed({"llama_decode_4", kernels::llama_decode_4::enqueue(params_embedding,
                                                                 params_layers_1_down,
                                                                 params_layers_1_gate, params_norm,
                                                                 x, y_2, y_up_2, dot_8, stream)})) {
    return kLlamaDecodeCudaError;
  }

  // reduce.17, convert_element_type.49  (language.py:101)
  if (failed({"llama_decode_5", kernels::llama_decode_5::enqueue(dot_8, out->argmax, out->logits,
                                                                 stream)})) {
    return kLlamaDecodeCudaError;
  }

  return kLlamaDecodeOk;
}

void llama_decode_destroy(LlamaDecodeInstance* instance) {
  destroy_instance(instance);
}

LlamaDecodeStatus llama_decode_capture(LlamaDecodeGraph** graph, LlamaDecodeInstance* instance,
                                       const LlamaDecodeInputs* in, const LlamaDecodeOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return llama_decode_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

LlamaDecodeStatus llama_decode_graph_launch(const LlamaDecodeGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

LlamaDecodeStatus llama_decode_graph_update(LlamaDecodeGraph* graph, const LlamaDecodeInputs* in,
                                            const LlamaDecodeOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return llama_decode_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t llama_decode_graph_exec(const LlamaDecodeGraph* graph) { return exec_of(graph); }

void llama_decode_graph_destroy(LlamaDecodeGraph* graph) { destroy_graph(graph); }

int64_t llama_decode_workspace_bytes() { return kWorkspaceBytes; }

const char* llama_decode_last_error() { return last_error.text(); }

const char* llama_decode_status_text(LlamaDecodeStatus status) { return status_text(status); }
