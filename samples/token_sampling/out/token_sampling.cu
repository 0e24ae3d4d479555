// token_sampling.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 4.4 kB; the largest live set is 4.4 kB.
//
//   arena   +0     top_k    f32[8,40]
//   arena   +1280  top_k_1  s32[8,40]
//   arena   +3840  max      f32[8]
//   arena   +4096  sum      f32[8]
//   arena   +2560  sum_1    f32[8,40]

#include "token_sampling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace token_sampling_kernels;

struct TokenSamplingInstance {
  void* arena = nullptr;  // device memory for values between kernels
};

extern const TokenSamplingTensor kTokenSamplingInputTable[] = {
    {"logits", "f32", 2, kTokenSamplingInLogits, 6400},
    {"temperature", "f32", 0, nullptr, 4},
    {"key", "u32", 1, kTokenSamplingInKey, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const TokenSamplingTensor kTokenSamplingOutputTable[] = {
    {"squeeze", "s32", 1, kTokenSamplingOutSqueeze, 32},
    {"select", "f32", 2, kTokenSamplingOutSelect, 1280},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 4352;

thread_local char last_error[256] = "";

TokenSamplingStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "token_sampling: %s %s %s", what, name, other);
  return kTokenSamplingInvalidArgument;
}

// True if the call did not succeed; then token_sampling_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "token_sampling: %s: %s", what, reason);
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
TokenSamplingStatus check_arguments(const TokenSamplingInputs& in, const TokenSamplingOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kTokenSamplingInputCount + kTokenSamplingOutputCount + 1] = {};
  static_assert(sizeof in == kTokenSamplingInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kTokenSamplingOutputCount * sizeof(void*));
  std::memcpy(pointers + kTokenSamplingInputCount, &out, sizeof out);

  Range ranges[kTokenSamplingInputCount + kTokenSamplingOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kTokenSamplingInputCount + kTokenSamplingOutputCount; ++i) {
    const bool written = i >= kTokenSamplingInputCount;
    const TokenSamplingTensor& tensor =
        written ? kTokenSamplingOutputTable[i - kTokenSamplingInputCount]
                : kTokenSamplingInputTable[i];
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
  return kTokenSamplingOk;
}

}  // namespace

TokenSamplingStatus token_sampling_create(TokenSamplingInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  TokenSamplingInstance* created = new (std::nothrow) TokenSamplingInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kTokenSamplingOutOfMemory;
  }
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    token_sampling_destroy(created);
    return error == cudaErrorMemoryAllocation ? kTokenSamplingOutOfMemory : kTokenSamplingCudaError;
  }
  *instance = created;
  return kTokenSamplingOk;
}

TokenSamplingStatus token_sampling_run(TokenSamplingInstance* instance,
                                       const TokenSamplingInputs* in,
                                       const TokenSamplingOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const TokenSamplingStatus status = check_arguments(*in, *out);
  if (status != kTokenSamplingOk) return status;

  float* const top_k = at<float>(instance->arena, 0);     // f32[8,40]
  int* const top_k_1 = at<int>(instance->arena, 1280);    // s32[8,40]
  float* const max = at<float>(instance->arena, 3840);    // f32[8]
  float* const sum = at<float>(instance->arena, 4096);    // f32[8]
  float* const sum_1 = at<float>(instance->arena, 2560);  // f32[8,40]

  // top_k.4, top_k.5  (language.py:160)
  if (failed("top_k", launch_top_k(in->logits, in->temperature, top_k, top_k_1, stream))) {
    return kTokenSamplingCudaError;
  }

  // reduce_max.7, reduce_sum.7  (language.py:161)
  if (failed("max", launch_max(top_k, max, sum, stream))) return kTokenSamplingCudaError;

  // reduce_window_sum.7  (language.py:162)
  if (failed("sum", launch_sum(top_k, max, sum, sum_1, stream))) return kTokenSamplingCudaError;

  // squeeze.5, select_n.1  (language.py:165)
  if (failed("squeeze", launch_squeeze(top_k, top_k_1, in->key, sum_1, max, sum, out->squeeze,
                                       out->select, stream))) {
    return kTokenSamplingCudaError;
  }

  return kTokenSamplingOk;
}

void token_sampling_destroy(TokenSamplingInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* token_sampling_last_error() { return last_error; }
