// llama_decode.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 2.6 kB; the largest live set is 2.6 kB.
//
//   arena   +0     sum     f32[2]
//   arena   +1024  dot     bf16[2,64]
//   arena   +1280  cosine  f32[8]
//   arena   +1536  sine    f32[8]
//   arena   +256   dot_1   bf16[2,32]
//   arena   +1792  dot_2   bf16[2,32]
//   arena   +0     dot_3   f32[2,2,2,32]
//   arena   +1024  max     f32[2,2,2]
//   arena   +2048  sum_1   f32[2,2,2]
//   arena   +1792  dot_4   bf16[2,2,2,16]
//   arena   +1024  dot_5   bf16[2,64]
//   arena   +1792  sum_2   f32[2]
//   arena   +0     dot_6   bf16[2,96]
//   arena   +512   dot_7   bf16[2,96]
//   arena   +1792  dot_8   bf16[2,64]
//   arena   +0     sum_3   f32[2]
//   arena   +2048  dot_9   bf16[2,64]
//   arena   +256   dot_10  bf16[2,32]
//   arena   +2304  dot_11  bf16[2,32]
//   arena   +0     dot_12  f32[2,2,2,32]
//   arena   +1280  max_1   f32[2,2,2]
//   arena   +1536  sum_4   f32[2,2,2]
//   arena   +2048  dot_13  bf16[2,2,2,16]
//   arena   +1280  dot_14  bf16[2,64]
//   arena   +1536  sum_5   f32[2]
//   arena   +0     dot_15  bf16[2,96]
//   arena   +512   dot_16  bf16[2,96]
//   arena   +1536  dot_17  bf16[2,64]
//   arena   +512   sum_6   f32[2]
//   arena   +0     dot_18  bf16[2,128]

#include "llama_decode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace llama_decode_kernels;

struct LlamaDecodeInstance {
  void* arena = nullptr;  // device memory for values between kernels
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
    {"reduce", "s32", 1, kLlamaDecodeOutReduce, 8},
    {"convert_element_type", "f32", 2, kLlamaDecodeOutConvertElementType, 1024},
    {"dynamic_update_slice_1", "bf16", 4, kLlamaDecodeOutDynamicUpdateSlice1, 4096},
    {"dynamic_update_slice_2", "bf16", 4, kLlamaDecodeOutDynamicUpdateSlice2, 4096},
    {"dynamic_update_slice_3", "bf16", 4, kLlamaDecodeOutDynamicUpdateSlice3, 4096},
    {"dynamic_update_slice_4", "bf16", 4, kLlamaDecodeOutDynamicUpdateSlice4, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 2560;
// For each input, the output that may share its memory, or -1.
constexpr int kDonatedTo[] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                              -1, -1, -1, 2, 3, 4, 5, -1, -1};

thread_local char last_error[256] = "";

LlamaDecodeStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "llama_decode: %s %s %s", what, name, other);
  return kLlamaDecodeInvalidArgument;
}

// True if the call did not succeed; then llama_decode_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "llama_decode: %s: %s", what, reason);
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
LlamaDecodeStatus check_arguments(const LlamaDecodeInputs& in, const LlamaDecodeOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kLlamaDecodeInputCount + kLlamaDecodeOutputCount + 1] = {};
  static_assert(sizeof in == kLlamaDecodeInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kLlamaDecodeOutputCount * sizeof(void*));
  std::memcpy(pointers + kLlamaDecodeInputCount, &out, sizeof out);

  Range ranges[kLlamaDecodeInputCount + kLlamaDecodeOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kLlamaDecodeInputCount + kLlamaDecodeOutputCount; ++i) {
    const bool written = i >= kLlamaDecodeInputCount;
    const LlamaDecodeTensor& tensor =
        written ? kLlamaDecodeOutputTable[i - kLlamaDecodeInputCount]
                : kLlamaDecodeInputTable[i];
    if (tensor.bytes == 0) continue;
    // One pointer for a donated pair stands for the output alone.
    if (!written && kDonatedTo[i] >= 0 && pointers[i] == pointers[kLlamaDecodeInputCount + kDonatedTo[i]]) continue;
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
  return kLlamaDecodeOk;
}

}  // namespace

LlamaDecodeStatus llama_decode_create(LlamaDecodeInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LlamaDecodeInstance* created = new (std::nothrow) LlamaDecodeInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLlamaDecodeOutOfMemory;
  }
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    llama_decode_destroy(created);
    return error == cudaErrorMemoryAllocation ? kLlamaDecodeOutOfMemory : kLlamaDecodeCudaError;
  }
  *instance = created;
  return kLlamaDecodeOk;
}

LlamaDecodeStatus llama_decode_run(LlamaDecodeInstance* instance, const LlamaDecodeInputs* in,
                                   const LlamaDecodeOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const LlamaDecodeStatus status = check_arguments(*in, *out);
  if (status != kLlamaDecodeOk) return status;

  float* const sum = at<float>(instance->arena, 0);                        // f32[2]
  __nv_bfloat16* const dot = at<__nv_bfloat16>(instance->arena, 1024);     // bf16[2,64]
  float* const cosine = at<float>(instance->arena, 1280);                  // f32[8]
  float* const sine = at<float>(instance->arena, 1536);                    // f32[8]
  __nv_bfloat16* const dot_1 = at<__nv_bfloat16>(instance->arena, 256);    // bf16[2,32]
  __nv_bfloat16* const dot_2 = at<__nv_bfloat16>(instance->arena, 1792);   // bf16[2,32]
  float* const dot_3 = at<float>(instance->arena, 0);                      // f32[2,2,2,32]
  float* const max = at<float>(instance->arena, 1024);                     // f32[2,2,2]
  float* const sum_1 = at<float>(instance->arena, 2048);                   // f32[2,2,2]
  __nv_bfloat16* const dot_4 = at<__nv_bfloat16>(instance->arena, 1792);   // bf16[2,2,2,16]
  __nv_bfloat16* const dot_5 = at<__nv_bfloat16>(instance->arena, 1024);   // bf16[2,64]
  float* const sum_2 = at<float>(instance->arena, 1792);                   // f32[2]
  __nv_bfloat16* const dot_6 = at<__nv_bfloat16>(instance->arena, 0);      // bf16[2,96]
  __nv_bfloat16* const dot_7 = at<__nv_bfloat16>(instance->arena, 512);    // bf16[2,96]
  __nv_bfloat16* const dot_8 = at<__nv_bfloat16>(instance->arena, 1792);   // bf16[2,64]
  float* const sum_3 = at<float>(instance->arena, 0);                      // f32[2]
  __nv_bfloat16* const dot_9 = at<__nv_bfloat16>(instance->arena, 2048);   // bf16[2,64]
  __nv_bfloat16* const dot_10 = at<__nv_bfloat16>(instance->arena, 256);   // bf16[2,32]
  __nv_bfloat16* const dot_11 = at<__nv_bfloat16>(instance->arena, 2304);  // bf16[2,32]
  float* const dot_12 = at<float>(instance->arena, 0);                     // f32[2,2,2,32]
  float* const max_1 = at<float>(instance->arena, 1280);                   // f32[2,2,2]
  float* const sum_4 = at<float>(instance->arena, 1536);                   // f32[2,2,2]
  __nv_bfloat16* const dot_13 = at<__nv_bfloat16>(instance->arena, 2048);  // bf16[2,2,2,16]
  __nv_bfloat16* const dot_14 = at<__nv_bfloat16>(instance->arena, 1280);  // bf16[2,64]
  float* const sum_5 = at<float>(instance->arena, 1536);                   // f32[2]
  __nv_bfloat16* const dot_15 = at<__nv_bfloat16>(instance->arena, 0);     // bf16[2,96]
  __nv_bfloat16* const dot_16 = at<__nv_bfloat16>(instance->arena, 512);   // bf16[2,96]
  __nv_bfloat16* const dot_17 = at<__nv_bfloat16>(instance->arena, 1536);  // bf16[2,64]
  float* const sum_6 = at<float>(instance->arena, 512);                    // f32[2]
  __nv_bfloat16* const dot_18 = at<__nv_bfloat16>(instance->arena, 0);     // bf16[2,128]

  // reduce_sum.49  (layers.py:43)
  if (failed("sum_1", launch_sum_1(in->params_embedding, in->tokens, sum, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.19  (language.py:61)
  if (failed("dot_1", launch_dot_1(in->params_embedding, in->params_layers_0_norm1,
                                   in->params_layers_0_q, in->tokens, sum, dot, stream))) {
    return kLlamaDecodeCudaError;
  }

  // cos.4, sin.4  (language.py:52)
  if (failed("sine", launch_sine(in->position, cosine, sine, stream))) return kLlamaDecodeCudaError;

  // dot_general.20, dot_general.21  (language.py:62)
  if (failed("dot_2", launch_dot_2(in->params_embedding, in->params_layers_0_k,
                                   in->params_layers_0_norm1, in->params_layers_0_v, in->tokens,
                                   sum, dot_1, dot_2, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dynamic_update_slice.4  (language.py:64)
  if (failed("dynamic_update_slice_1", launch_dynamic_update_slice_1(in->cache_0_k, in->position,
                                                                     dot_1, cosine, sine,
                                                                     out->dynamic_update_slice_1,
                                                                     stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.22  (language.py:67)
  if (failed("dot_3", launch_dot_3(dot, cosine, sine, out->dynamic_update_slice_1, dot_3,
                                   stream))) {
    return kLlamaDecodeCudaError;
  }

  // reduce_max.14, reduce_sum.50  (language.py:69)
  if (failed("max_1", launch_max_1(in->position, dot_3, max, sum_1, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dynamic_update_slice.5  (language.py:65)
  if (failed("dynamic_update_slice_2", launch_dynamic_update_slice_2(in->cache_0_v, in->position,
                                                                     dot_2,
                                                                     out->dynamic_update_slice_2,
                                                                     stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.23  (language.py:70)
  if (failed("dot_4", launch_dot_4(in->position, dot_3, max, sum_1, out->dynamic_update_slice_2,
                                   dot_4, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.24  (language.py:71)
  if (failed("dot_5", launch_dot_5(in->params_layers_0_out, dot_4, dot_5, stream))) {
    return kLlamaDecodeCudaError;
  }

  // reduce_sum.51  (layers.py:43)
  if (failed("sum_2", launch_sum_2(in->params_embedding, in->tokens, dot_5, sum_2, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.25, dot_general.26  (language.py:98)
  if (failed("dot_6", launch_dot_6(in->params_embedding, in->params_layers_0_gate,
                                   in->params_layers_0_norm2, in->params_layers_0_up, in->tokens,
                                   dot_5, sum_2, dot_6, dot_7, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.27  (language.py:98)
  if (failed("dot_7", launch_dot_7(in->params_layers_0_down, dot_6, dot_7, dot_8, stream))) {
    return kLlamaDecodeCudaError;
  }

  // reduce_sum.52  (layers.py:43)
  if (failed("sum_3", launch_sum_3(in->params_embedding, in->tokens, dot_5, dot_8, sum_3,
                                   stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.28  (language.py:61)
  if (failed("dot_8", launch_dot_8(in->params_embedding, in->params_layers_1_norm1,
                                   in->params_layers_1_q, in->tokens, dot_5, dot_8, sum_3, dot_9,
                                   stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.29, dot_general.30  (language.py:62)
  if (failed("dot_9", launch_dot_9(in->params_embedding, in->params_layers_1_k,
                                   in->params_layers_1_norm1, in->params_layers_1_v, in->tokens,
                                   dot_5, dot_8, sum_3, dot_10, dot_11, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dynamic_update_slice.6  (language.py:64)
  if (failed("dynamic_update_slice_1", launch_dynamic_update_slice_1(in->cache_1_k, in->position,
                                                                     dot_10, cosine, sine,
                                                                     out->dynamic_update_slice_3,
                                                                     stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.31  (language.py:67)
  if (failed("dot_3", launch_dot_3(dot_9, cosine, sine, out->dynamic_update_slice_3, dot_12,
                                   stream))) {
    return kLlamaDecodeCudaError;
  }

  // reduce_max.15, reduce_sum.53  (language.py:69)
  if (failed("max_1", launch_max_1(in->position, dot_12, max_1, sum_4, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dynamic_update_slice.7  (language.py:65)
  if (failed("dynamic_update_slice_2", launch_dynamic_update_slice_2(in->cache_1_v, in->position,
                                                                     dot_11,
                                                                     out->dynamic_update_slice_4,
                                                                     stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.32  (language.py:70)
  if (failed("dot_4", launch_dot_4(in->position, dot_12, max_1, sum_4, out->dynamic_update_slice_4,
                                   dot_13, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.33  (language.py:71)
  if (failed("dot_5", launch_dot_5(in->params_layers_1_out, dot_13, dot_14, stream))) {
    return kLlamaDecodeCudaError;
  }

  // reduce_sum.54  (layers.py:43)
  if (failed("sum_4", launch_sum_4(in->params_embedding, in->tokens, dot_5, dot_8, dot_14, sum_5,
                                   stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.34, dot_general.35  (language.py:98)
  if (failed("dot_13", launch_dot_13(in->params_embedding, in->params_layers_1_gate,
                                     in->params_layers_1_norm2, in->params_layers_1_up, in->tokens,
                                     dot_5, dot_8, dot_14, sum_5, dot_15, dot_16, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.36  (language.py:98)
  if (failed("dot_7", launch_dot_7(in->params_layers_1_down, dot_15, dot_16, dot_17, stream))) {
    return kLlamaDecodeCudaError;
  }

  // reduce_sum.55  (layers.py:43)
  if (failed("sum_5", launch_sum_5(in->params_embedding, in->tokens, dot_5, dot_8, dot_14, dot_17,
                                   sum_6, stream))) {
    return kLlamaDecodeCudaError;
  }

  // dot_general.37  (language.py:100)
  if (failed("dot_15", launch_dot_15(in->params_embedding, in->params_norm, in->tokens, dot_5,
                                     dot_8, dot_14, dot_17, sum_6, dot_18, stream))) {
    return kLlamaDecodeCudaError;
  }

  // reduce.13, convert_element_type.49  (language.py:101)
  if (failed("reduce", launch_reduce(dot_18, out->reduce, out->convert_element_type, stream))) {
    return kLlamaDecodeCudaError;
  }

  return kLlamaDecodeOk;
}

void llama_decode_destroy(LlamaDecodeInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* llama_decode_last_error() { return last_error; }
