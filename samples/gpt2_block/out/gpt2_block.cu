// gpt2_block.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 38.9 kB; the largest live set is 36.9 kB.

#include "gpt2_block/gpt2_block.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = gpt2_block_kernels;

struct Gpt2BlockInstance {
  int device = 0;         // that was current in create
  void* arena = nullptr;  // device memory for values between kernels
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

constexpr size_t kArenaBytes = 38912;

thread_local char last_error[256] = "";

Gpt2BlockStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "gpt2_block: %s%s%s%s",
                what, name, separator, other);
  return kGpt2BlockInvalidArgument;
}

// True if the call did not succeed; then gpt2_block_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "gpt2_block: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

Gpt2BlockStatus gpt2_block_create(Gpt2BlockInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  Gpt2BlockInstance* created = new (std::nothrow) Gpt2BlockInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kGpt2BlockOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (error == cudaSuccess) {
    error = cudaMalloc(&created->arena, kArenaBytes);
  }
  if (failed("create", error)) {
    gpt2_block_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kGpt2BlockOutOfMemory;
    return kGpt2BlockCudaError;
  }
  *instance = created;
  return kGpt2BlockOk;
}

Gpt2BlockStatus gpt2_block_run(Gpt2BlockInstance* instance, const Gpt2BlockInputs* in,
                               const Gpt2BlockOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kGpt2BlockInputTable, *out, kGpt2BlockOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  float* const x_sum = at<float>(instance->arena, 18432);            // f32[2,16]
  float* const square_sum = at<float>(instance->arena, 18688);       // f32[2,16]
  float* const dense = at<float>(instance->arena, 0);                // f32[2,16,144]
  float* const unscaled_scores = at<float>(instance->arena, 18432);  // f32[2,4,16,16]
  float* const scores_max = at<float>(instance->arena, 32768);       // f32[2,4,16]
  float* const weight_sum = at<float>(instance->arena, 33280);       // f32[2,4,16]
  float* const attention_3 = at<float>(instance->arena, 26624);      // f32[2,4,12,16]
  float* const x_2 = at<float>(instance->arena, 32768);              // f32[2,16,48]
  float* const normalised = at<float>(instance->arena, 24576);       // f32[2,16,48]
  float* const gelu = at<float>(instance->arena, 0);                 // f32[2,16,192]

  // reduce_sum.37, reduce_sum.22  (layers.py:36)
  if (failed("layer_norm", kernels::layer_norm::enqueue(in->x, x_sum, square_sum, stream))) {
    return kGpt2BlockCudaError;
  }

  // add.40  (layers.py:18)
  if (failed("dense", kernels::dense::enqueue(in->params_attention_qkv_b,
                                              in->params_attention_qkv_w, in->params_norm1_bias,
                                              in->params_norm1_scale, in->x, x_sum, square_sum,
                                              dense, stream))) {
    return kGpt2BlockCudaError;
  }

  // dot_general.7  (layers.py:71)
  if (failed("attention", kernels::attention::enqueue(dense, unscaled_scores, stream))) {
    return kGpt2BlockCudaError;
  }

  // reduce_max.7, reduce_sum.38  (layers.py:74)
  if (failed("attention_2", kernels::attention_2::enqueue(unscaled_scores, scores_max, weight_sum,
                                                          stream))) {
    return kGpt2BlockCudaError;
  }

  // dot_general.8  (layers.py:74)
  if (failed("attention_3", kernels::attention_3::enqueue(dense, unscaled_scores, scores_max,
                                                          weight_sum, attention_3, stream))) {
    return kGpt2BlockCudaError;
  }

  // add.45  (layers.py:90)
  if (failed("block", kernels::block::enqueue(in->params_attention_out_b,
                                              in->params_attention_out_w, in->x, attention_3, x_2,
                                              stream))) {
    return kGpt2BlockCudaError;
  }

  // add.50  (layers.py:38)
  if (failed("layer_norm_2", kernels::layer_norm_2::enqueue(in->params_norm2_bias,
                                                            in->params_norm2_scale, x_2, normalised,
                                                            stream))) {
    return kGpt2BlockCudaError;
  }

  // mul.49  (layers.py:91)
  if (failed("block_2", kernels::block_2::enqueue(in->params_up_b, in->params_up_w, normalised,
                                                  gelu, stream))) {
    return kGpt2BlockCudaError;
  }

  // add.61  (layers.py:91)
  if (failed("block_3", kernels::block_3::enqueue(in->params_down_b, in->params_down_w, x_2, gelu,
                                                  out->sum, stream))) {
    return kGpt2BlockCudaError;
  }

  return kGpt2BlockOk;
}

void gpt2_block_destroy(Gpt2BlockInstance* instance) {
  if (instance == nullptr) return;
  int current = 0;  // device of the caller, which may be another one
  cudaGetDevice(&current);
  cudaSetDevice(instance->device);
  cudaFree(instance->arena);
  cudaSetDevice(current);
  delete instance;
}

const char* gpt2_block_last_error() { return last_error; }
