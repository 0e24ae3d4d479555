// gpt2_block.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 38.9 kB; the largest live set is 36.9 kB.
//
//   arena   +18432  sum    f32[2,16]
//   arena   +18688  sum_1  f32[2,16]
//   arena   +0      add_1  f32[2,16,144]
//   arena   +18432  dot    f32[2,4,16,16]
//   arena   +32768  max    f32[2,4,16]
//   arena   +33280  sum_2  f32[2,4,16]
//   arena   +26624  dot_1  f32[2,4,12,16]
//   arena   +32768  add_2  f32[2,16,48]
//   arena   +24576  add_3  f32[2,16,48]
//   arena   +0      mul    f32[2,16,192]

#include "gpt2_block.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace gpt2_block_kernels;

struct Gpt2BlockInstance {
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
    {"add", "f32", 3, kGpt2BlockOutAdd, 6144},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 38912;

thread_local char last_error[256] = "";

Gpt2BlockStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "gpt2_block: %s %s %s", what, name, other);
  return kGpt2BlockInvalidArgument;
}

// True if the call did not succeed; then gpt2_block_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "gpt2_block: %s: %s", what, reason);
  return true;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

// The bytes an input or output of the caller covers.
struct Range {
  uintptr_t begin;
  uintptr_t end;
  const char* name;
  bool written;
};

// Refuses null and misaligned pointers, and outputs that overlap an input or another output.
Gpt2BlockStatus check_arguments(const Gpt2BlockInputs& in, const Gpt2BlockOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kGpt2BlockInputCount + kGpt2BlockOutputCount + 1] = {};
  static_assert(sizeof in == kGpt2BlockInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kGpt2BlockOutputCount * sizeof(void*));
  std::memcpy(pointers + kGpt2BlockInputCount, &out, sizeof out);

  Range ranges[kGpt2BlockInputCount + kGpt2BlockOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kGpt2BlockInputCount + kGpt2BlockOutputCount; ++i) {
    const bool written = i >= kGpt2BlockInputCount;
    const Gpt2BlockTensor& tensor =
        written ? kGpt2BlockOutputTable[i - kGpt2BlockInputCount]
                : kGpt2BlockInputTable[i];
    if (tensor.bytes == 0) continue;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(pointers[i]);
    if (begin == 0) return refuse("null pointer for", tensor.name);
    if (begin % 16 != 0) return refuse("not 16-byte aligned:", tensor.name);
    ranges[count++] = {begin, begin + static_cast<uintptr_t>(tensor.bytes), tensor.name, written};
  }

  // Sorted by a heap: g++ 12 sees errors in std::sort of a short array that are none.
  const auto before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  std::make_heap(ranges, ranges + count, before);
  std::sort_heap(ranges, ranges + count, before);
  const Range* last = nullptr;  // of the ranges so far, the one that ends last
  const Range* last_written = nullptr;
  for (int i = 0; i < count; ++i) {
    const Range& range = ranges[i];
    const Range* other = range.written ? last : last_written;
    if (other != nullptr && range.begin < other->end) {
      return refuse("overlapping:", range.name, other->name);
    }
    if (last == nullptr || range.end > last->end) last = &range;
    if (!range.written) continue;
    if (last_written == nullptr || range.end > last_written->end) last_written = &range;
  }
  return kGpt2BlockOk;
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
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    gpt2_block_destroy(created);
    return error == cudaErrorMemoryAllocation ? kGpt2BlockOutOfMemory : kGpt2BlockCudaError;
  }
  *instance = created;
  return kGpt2BlockOk;
}

Gpt2BlockStatus gpt2_block_run(Gpt2BlockInstance* instance, const Gpt2BlockInputs* in,
                               const Gpt2BlockOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const Gpt2BlockStatus status = check_arguments(*in, *out);
  if (status != kGpt2BlockOk) return status;

  float* const sum = at<float>(instance->arena, 18432);    // f32[2,16]
  float* const sum_1 = at<float>(instance->arena, 18688);  // f32[2,16]
  float* const add_1 = at<float>(instance->arena, 0);      // f32[2,16,144]
  float* const dot = at<float>(instance->arena, 18432);    // f32[2,4,16,16]
  float* const max = at<float>(instance->arena, 32768);    // f32[2,4,16]
  float* const sum_2 = at<float>(instance->arena, 33280);  // f32[2,4,16]
  float* const dot_1 = at<float>(instance->arena, 26624);  // f32[2,4,12,16]
  float* const add_2 = at<float>(instance->arena, 32768);  // f32[2,16,48]
  float* const add_3 = at<float>(instance->arena, 24576);  // f32[2,16,48]
  float* const mul = at<float>(instance->arena, 0);        // f32[2,16,192]

  // reduce_sum.37, reduce_sum.22  (layers.py:36)
  if (failed("sum_1", launch_sum_1(in->x, sum, sum_1, stream))) return kGpt2BlockCudaError;

  // add.40  (layers.py:18)
  if (failed("add_1", launch_add_1(in->params_attention_qkv_b, in->params_attention_qkv_w,
                                   in->params_norm1_bias, in->params_norm1_scale, in->x, sum, sum_1,
                                   add_1, stream))) {
    return kGpt2BlockCudaError;
  }

  // dot_general.7  (layers.py:71)
  if (failed("dot_1", launch_dot_1(add_1, dot, stream))) return kGpt2BlockCudaError;

  // reduce_max.7  (layers.py:74)
  if (failed("max", launch_max(dot, max, stream))) return kGpt2BlockCudaError;

  // reduce_sum.38  (layers.py:74)
  if (failed("sum_2", launch_sum_2(dot, max, sum_2, stream))) return kGpt2BlockCudaError;

  // dot_general.8  (layers.py:74)
  if (failed("dot_2", launch_dot_2(add_1, dot, max, sum_2, dot_1, stream))) {
    return kGpt2BlockCudaError;
  }

  // add.45  (layers.py:90)
  if (failed("add_2", launch_add_2(in->params_attention_out_b, in->params_attention_out_w, in->x,
                                   dot_1, add_2, stream))) {
    return kGpt2BlockCudaError;
  }

  // add.50  (layers.py:38)
  if (failed("add_3", launch_add_3(in->params_norm2_bias, in->params_norm2_scale, add_2, add_3,
                                   stream))) {
    return kGpt2BlockCudaError;
  }

  // mul.49  (layers.py:91)
  if (failed("mul", launch_mul(in->params_up_b, in->params_up_w, add_3, mul, stream))) {
    return kGpt2BlockCudaError;
  }

  // add.61  (layers.py:91)
  if (failed("add_4", launch_add_4(in->params_down_b, in->params_down_w, add_2, mul, out->add,
                                   stream))) {
    return kGpt2BlockCudaError;
  }

  return kGpt2BlockOk;
}

void gpt2_block_destroy(Gpt2BlockInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* gpt2_block_last_error() { return last_error; }
