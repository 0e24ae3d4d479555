// lorenz_rk4.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 768 bytes; the largest live set is 768 bytes.
//
//   arena   +0    broadcast_in_dim  f32[40,3]
//   arena   +0    sum               f32[]
//   arena   +256  sum_1             f32[]
//   arena   +512  sum_2             f32[]

#include "lorenz_rk4.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace lorenz_rk4_kernels;

struct LorenzRk4Instance {
  void* arena = nullptr;  // device memory for values between kernels
};

extern const LorenzRk4Tensor kLorenzRk4InputTable[] = {
    {"x", "f32", 1, kLorenzRk4InX, 256},
    {"y", "f32", 1, kLorenzRk4InY, 256},
    {"z", "f32", 1, kLorenzRk4InZ, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LorenzRk4Tensor kLorenzRk4OutputTable[] = {
    {"x", "f32", 1, kLorenzRk4OutX, 256},
    {"y", "f32", 1, kLorenzRk4OutY, 256},
    {"z", "f32", 1, kLorenzRk4OutZ, 256},
    {"stack", "f32", 2, kLorenzRk4OutStack, 480},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 768;

thread_local char last_error[256] = "";

LorenzRk4Status refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "lorenz_rk4: %s %s %s", what, name, other);
  return kLorenzRk4InvalidArgument;
}

// True if the call did not succeed; then lorenz_rk4_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "lorenz_rk4: %s: %s", what, reason);
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
LorenzRk4Status check_arguments(const LorenzRk4Inputs& in, const LorenzRk4Outputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kLorenzRk4InputCount + kLorenzRk4OutputCount + 1] = {};
  static_assert(sizeof in == kLorenzRk4InputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kLorenzRk4OutputCount * sizeof(void*));
  std::memcpy(pointers + kLorenzRk4InputCount, &out, sizeof out);

  Range ranges[kLorenzRk4InputCount + kLorenzRk4OutputCount + 1];
  int count = 0;
  for (int i = 0; i < kLorenzRk4InputCount + kLorenzRk4OutputCount; ++i) {
    const bool written = i >= kLorenzRk4InputCount;
    const LorenzRk4Tensor& tensor =
        written ? kLorenzRk4OutputTable[i - kLorenzRk4InputCount]
                : kLorenzRk4InputTable[i];
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
  return kLorenzRk4Ok;
}

}  // namespace

LorenzRk4Status lorenz_rk4_create(LorenzRk4Instance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LorenzRk4Instance* created = new (std::nothrow) LorenzRk4Instance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLorenzRk4OutOfMemory;
  }
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    lorenz_rk4_destroy(created);
    return error == cudaErrorMemoryAllocation ? kLorenzRk4OutOfMemory : kLorenzRk4CudaError;
  }
  *instance = created;
  return kLorenzRk4Ok;
}

LorenzRk4Status lorenz_rk4_run(LorenzRk4Instance* instance, const LorenzRk4Inputs* in,
                               const LorenzRk4Outputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const LorenzRk4Status status = check_arguments(*in, *out);
  if (status != kLorenzRk4Ok) return status;

  float* const sum = at<float>(instance->arena, 0);      // f32[]
  float* const sum_1 = at<float>(instance->arena, 256);  // f32[]
  float* const sum_2 = at<float>(instance->arena, 512);  // f32[]

  // broadcast_in_dim.3  (simulation.py:72)
  if (failed("broadcast_in_dim", launch_broadcast_in_dim(out->stack, stream))) {
    return kLorenzRk4CudaError;
  }

  const float* x_current = in->x;
  const float* y_current = in->y;
  const float* z_current = in->z;

  // while.8
  for (int t = 0; t < 40; ++t) {
    // add.33, add.37, add.41, reduce_sum.21, ...  (simulation.py:69)
    if (failed("sum", launch_sum(x_current, y_current, z_current, out->x, out->y, out->z, sum,
                                 sum_1, sum_2, stream))) {
      return kLorenzRk4CudaError;
    }

    // dynamic_update_slice.1  (simulation.py:72)
    if (failed("dynamic_update_slice", launch_dynamic_update_slice(sum, sum_1, sum_2, out->stack, t,
                                                                   stream))) {
      return kLorenzRk4CudaError;
    }

    x_current = out->x;
    y_current = out->y;
    z_current = out->z;
  }

  return kLorenzRk4Ok;
}

void lorenz_rk4_destroy(LorenzRk4Instance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* lorenz_rk4_last_error() { return last_error; }
