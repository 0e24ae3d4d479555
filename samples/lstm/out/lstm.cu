// lstm.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 1.0 kB; the largest live set is 1.0 kB.
//
//   arena   +0    broadcast_in_dim_1  f32[4,24]
//   arena   +0    broadcast_in_dim_2  f32[12,4,24]
//   arena   +512  mul_1               f32[4,24]     host-loop-carry

#include "lstm.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace lstm_kernels;

struct LstmInstance {
  void* arena = nullptr;  // device memory for values between kernels
};

extern const LstmTensor kLstmInputTable[] = {
    {"params_h_w", "f32", 2, kLstmInParamsHW, 9216},
    {"params_x_b", "f32", 1, kLstmInParamsXB, 384},
    {"params_x_w", "f32", 2, kLstmInParamsXW, 6144},
    {"xs", "f32", 3, kLstmInXs, 3072},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LstmTensor kLstmOutputTable[] = {
    {"mul", "f32", 2, kLstmOutMul, 384},
    {"sum", "f32", 2, kLstmOutSum, 384},
    {"broadcast_in_dim", "f32", 3, kLstmOutBroadcastInDim, 4608},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 1024;

thread_local char last_error[256] = "";

LstmStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "lstm: %s %s %s", what, name, other);
  return kLstmInvalidArgument;
}

// True if the call did not succeed; then lstm_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "lstm: %s: %s", what, reason);
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
LstmStatus check_arguments(const LstmInputs& in, const LstmOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kLstmInputCount + kLstmOutputCount + 1] = {};
  static_assert(sizeof in == kLstmInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kLstmOutputCount * sizeof(void*));
  std::memcpy(pointers + kLstmInputCount, &out, sizeof out);

  Range ranges[kLstmInputCount + kLstmOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kLstmInputCount + kLstmOutputCount; ++i) {
    const bool written = i >= kLstmInputCount;
    const LstmTensor& tensor =
        written ? kLstmOutputTable[i - kLstmInputCount]
                : kLstmInputTable[i];
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
  return kLstmOk;
}

}  // namespace

LstmStatus lstm_create(LstmInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LstmInstance* created = new (std::nothrow) LstmInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLstmOutOfMemory;
  }
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    lstm_destroy(created);
    return error == cudaErrorMemoryAllocation ? kLstmOutOfMemory : kLstmCudaError;
  }
  *instance = created;
  return kLstmOk;
}

LstmStatus lstm_run(LstmInstance* instance, const LstmInputs* in, const LstmOutputs* out,
                    cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const LstmStatus status = check_arguments(*in, *out);
  if (status != kLstmOk) return status;

  float* const broadcast_in_dim_1 = at<float>(instance->arena, 0);  // f32[4,24]
  float* const mul_1 = at<float>(instance->arena, 512);             // f32[4,24]

  // broadcast_in_dim.6  (language.py:145)
  if (failed("broadcast_in_dim_1", launch_broadcast_in_dim_1(broadcast_in_dim_1, stream))) {
    return kLstmCudaError;
  }

  // broadcast_in_dim.7  (language.py:146)
  if (failed("broadcast_in_dim_2", launch_broadcast_in_dim_2(out->broadcast_in_dim, stream))) {
    return kLstmCudaError;
  }

  const float* mul = broadcast_in_dim_1;
  const float* sum = broadcast_in_dim_1;
  float* mul_next = mul_1;
  float* mul_spare = out->mul;

  // while.7
  for (int t = 0; t < 12; ++t) {
    // add.16, mul.5, dynamic_update_slice.1  (language.py:141)
    if (failed("dynamic_update_slice", launch_dynamic_update_slice(mul, sum, in->xs, in->params_x_w,
                                                                   in->params_h_w, in->params_x_b,
                                                                   out->sum, mul_next,
                                                                   out->broadcast_in_dim, t,
                                                                   stream))) {
      return kLstmCudaError;
    }

    mul = mul_next;
    sum = out->sum;
    std::swap(mul_next, mul_spare);
  }

  return kLstmOk;
}

void lstm_destroy(LstmInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* lstm_last_error() { return last_error; }
