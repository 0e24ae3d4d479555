// option_paths.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 1.0 kB; the largest live set is 1.0 kB.
//
//   arena   +0  sum  f32[256]

#include "option_paths.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace option_paths_kernels;

struct OptionPathsInstance {
  void* arena = nullptr;  // device memory for values between kernels
};

extern const OptionPathsTensor kOptionPathsInputTable[] = {
    {"spot", "f32", 0, nullptr, 4},
    {"strike", "f32", 0, nullptr, 4},
    {"volatility", "f32", 0, nullptr, 4},
    {"key", "u32", 1, kOptionPathsInKey, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const OptionPathsTensor kOptionPathsOutputTable[] = {
    {"mul", "f32", 0, nullptr, 4},
    {"sqrt", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 1024;

thread_local char last_error[256] = "";

OptionPathsStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "option_paths: %s %s %s", what, name, other);
  return kOptionPathsInvalidArgument;
}

// True if the call did not succeed; then option_paths_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "option_paths: %s: %s", what, reason);
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
OptionPathsStatus check_arguments(const OptionPathsInputs& in, const OptionPathsOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kOptionPathsInputCount + kOptionPathsOutputCount + 1] = {};
  static_assert(sizeof in == kOptionPathsInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kOptionPathsOutputCount * sizeof(void*));
  std::memcpy(pointers + kOptionPathsInputCount, &out, sizeof out);

  Range ranges[kOptionPathsInputCount + kOptionPathsOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kOptionPathsInputCount + kOptionPathsOutputCount; ++i) {
    const bool written = i >= kOptionPathsInputCount;
    const OptionPathsTensor& tensor =
        written ? kOptionPathsOutputTable[i - kOptionPathsInputCount]
                : kOptionPathsInputTable[i];
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
  return kOptionPathsOk;
}

}  // namespace

OptionPathsStatus option_paths_create(OptionPathsInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  OptionPathsInstance* created = new (std::nothrow) OptionPathsInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kOptionPathsOutOfMemory;
  }
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    option_paths_destroy(created);
    return error == cudaErrorMemoryAllocation ? kOptionPathsOutOfMemory : kOptionPathsCudaError;
  }
  *instance = created;
  return kOptionPathsOk;
}

OptionPathsStatus option_paths_run(OptionPathsInstance* instance, const OptionPathsInputs* in,
                                   const OptionPathsOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const OptionPathsStatus status = check_arguments(*in, *out);
  if (status != kOptionPathsOk) return status;

  float* const sum = at<float>(instance->arena, 0);  // f32[256]

  // while.9  (finance.py:61)
  if (failed("step", launch_step(in->spot, in->volatility, in->key, sum, stream))) {
    return kOptionPathsCudaError;
  }

  // mul.25, sqrt.1  (finance.py:63)
  if (failed("sqrt_kernel", launch_sqrt_kernel(in->strike, sum, out->mul, out->sqrt, stream))) {
    return kOptionPathsCudaError;
  }

  return kOptionPathsOk;
}

void option_paths_destroy(OptionPathsInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* option_paths_last_error() { return last_error; }
