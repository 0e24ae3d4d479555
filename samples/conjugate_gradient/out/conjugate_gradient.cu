// conjugate_gradient.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 5.6 kB; the largest live set is 5.6 kB.
// Weights: 4 bytes.
//
//   arena   +0     broadcast_in_dim  f32[24,24]
//   arena   +4608  dot               f32[]
//   arena   +4864  and_              pred[]
//   arena   +5120  dot_1             f32[]
//   arena   +0     sub               f32[24,24]  host-loop-carry
//   arena   +2304  add               f32[24,24]  host-loop-carry
//   arena   +5376  dot_2             f32[]       host-loop-carry
//
//   weights +0     constant          s32[]

#include "conjugate_gradient.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace conjugate_gradient_kernels;

extern "C" const unsigned char conjugate_gradient_weights[];  // weights.bin, see weights.cpp

struct ConjugateGradientInstance {
  void* arena = nullptr;      // device memory for values between kernels
  void* weights = nullptr;    // weights.bin in device memory
  void* condition = nullptr;  // pinned: what the host reads of a loop or branch
};

extern const ConjugateGradientTensor kConjugateGradientInputTable[] = {
    {"b", "f32", 2, kConjugateGradientInB, 2304},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const ConjugateGradientTensor kConjugateGradientOutputTable[] = {
    {"sum_1", "s32", 0, nullptr, 4},
    {"sum_2", "f32", 2, kConjugateGradientOutSum2, 2304},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 5632;
constexpr size_t kWeightsBytes = 4;

thread_local char last_error[256] = "";

ConjugateGradientStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "conjugate_gradient: %s %s %s", what, name, other);
  return kConjugateGradientInvalidArgument;
}

// True if the call did not succeed; then conjugate_gradient_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "conjugate_gradient: %s: %s", what, reason);
  return true;
}

// The array at a byte offset of the arena or the weights.
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
ConjugateGradientStatus check_arguments(const ConjugateGradientInputs& in,
                                        const ConjugateGradientOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kConjugateGradientInputCount + kConjugateGradientOutputCount + 1] = {};
  static_assert(sizeof in == kConjugateGradientInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kConjugateGradientOutputCount * sizeof(void*));
  std::memcpy(pointers + kConjugateGradientInputCount, &out, sizeof out);

  Range ranges[kConjugateGradientInputCount + kConjugateGradientOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kConjugateGradientInputCount + kConjugateGradientOutputCount; ++i) {
    const bool written = i >= kConjugateGradientInputCount;
    const ConjugateGradientTensor& tensor =
        written ? kConjugateGradientOutputTable[i - kConjugateGradientInputCount]
                : kConjugateGradientInputTable[i];
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
  return kConjugateGradientOk;
}

// Waits for the stream and reads the condition of a loop or branch.
bool read_condition(void* pinned, const bool* condition, cudaStream_t stream, cudaError_t* error) {
  *error = cudaMemcpyAsync(pinned, condition, sizeof *condition, cudaMemcpyDeviceToHost, stream);
  if (*error == cudaSuccess) *error = cudaStreamSynchronize(stream);
  return *error == cudaSuccess && *static_cast<const bool*>(pinned);
}

}  // namespace

ConjugateGradientStatus conjugate_gradient_create(ConjugateGradientInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  ConjugateGradientInstance* created = new (std::nothrow) ConjugateGradientInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kConjugateGradientOutOfMemory;
  }
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (error == cudaSuccess) error = cudaMalloc(&created->weights, kWeightsBytes);
  if (error == cudaSuccess) error = cudaMemcpy(created->weights, conjugate_gradient_weights, kWeightsBytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMallocHost(&created->condition, sizeof(bool));
  if (failed("create", error)) {
    conjugate_gradient_destroy(created);
    return error == cudaErrorMemoryAllocation ? kConjugateGradientOutOfMemory : kConjugateGradientCudaError;
  }
  *instance = created;
  return kConjugateGradientOk;
}

ConjugateGradientStatus conjugate_gradient_run(ConjugateGradientInstance* instance,
                                               const ConjugateGradientInputs* in,
                                               const ConjugateGradientOutputs* out,
                                               cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const ConjugateGradientStatus status = check_arguments(*in, *out);
  if (status != kConjugateGradientOk) return status;

  float* const dot = at<float>(instance->arena, 4608);              // f32[]
  bool* const and_ = at<bool>(instance->arena, 4864);               // pred[]
  float* const dot_1 = at<float>(instance->arena, 5120);            // f32[]
  float* const sub = at<float>(instance->arena, 0);                 // f32[24,24]
  float* const add = at<float>(instance->arena, 2304);              // f32[24,24]
  float* const dot_2 = at<float>(instance->arena, 5376);            // f32[]
  const int* const constant = at<const int>(instance->weights, 0);  // s32[]

  // broadcast_in_dim.1  (simulation.py:128)
  if (failed("broadcast_in_dim", launch_broadcast_in_dim(out->sum_2, stream))) {
    return kConjugateGradientCudaError;
  }

  // dot_general.5  (simulation.py:128)
  if (failed("dot_1", launch_dot_1(in->b, dot, stream))) return kConjugateGradientCudaError;

  const int* sum = constant;
  const float* b = in->b;
  const float* b_2 = in->b;
  float* dot_next = dot_2;
  float* dot_3 = dot;

  // while.8
  for (;;) {
    // and.1  (simulation.py:118)
    if (failed("and_", launch_and_(sum, dot_3, and_, stream))) return kConjugateGradientCudaError;

    cudaError_t error;
    const bool goes_on = read_condition(instance->condition, and_, stream, &error);
    if (failed("condition", error)) return kConjugateGradientCudaError;
    if (!goes_on) break;

    // add.4  (simulation.py:126)
    if (failed("add_1", launch_add_1(sum, out->sum_1, stream))) return kConjugateGradientCudaError;

    // dot_general.3  (simulation.py:123)
    if (failed("dot_2", launch_dot_2(b_2, dot_1, stream))) return kConjugateGradientCudaError;

    // sub.9  (simulation.py:124)
    if (failed("sub", launch_sub(b, b_2, dot_3, dot_1, sub, stream))) {
      return kConjugateGradientCudaError;
    }

    // dot_general.4  (simulation.py:125)
    if (failed("dot_1", launch_dot_1(sub, dot_next, stream))) return kConjugateGradientCudaError;

    // add.3, add.5  (simulation.py:124)
    if (failed("add_2", launch_add_2(out->sum_2, b_2, dot_3, dot_1, sub, dot_next, out->sum_2, add,
                                     stream))) {
      return kConjugateGradientCudaError;
    }

    sum = out->sum_1;
    b = sub;
    b_2 = add;
    std::swap(dot_next, dot_3);
  }

  // sum
  if (sum != out->sum_1 && failed("copy", cudaMemcpyAsync(out->sum_1, sum, 4,
                                                          cudaMemcpyDeviceToDevice, stream))) {
    return kConjugateGradientCudaError;
  }

  return kConjugateGradientOk;
}

void conjugate_gradient_destroy(ConjugateGradientInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  cudaFree(instance->weights);
  cudaFreeHost(instance->condition);
  delete instance;
}

const char* conjugate_gradient_last_error() { return last_error; }
