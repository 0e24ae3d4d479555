// heat2d.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 4.1 kB; the largest live set is 4.1 kB.
//
//   arena   +0  u_1  f32[32,32]  host-loop-carry

#include "heat2d.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace heat2d_kernels;

struct Heat2dInstance {
  void* arena = nullptr;  // device memory for values between kernels
};

extern const Heat2dTensor kHeat2dInputTable[] = {
    {"u", "f32", 2, kHeat2dInU, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const Heat2dTensor kHeat2dOutputTable[] = {
    {"u", "f32", 2, kHeat2dOutU, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 4096;

thread_local char last_error[256] = "";

Heat2dStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "heat2d: %s %s %s", what, name, other);
  return kHeat2dInvalidArgument;
}

// True if the call did not succeed; then heat2d_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "heat2d: %s: %s", what, reason);
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
Heat2dStatus check_arguments(const Heat2dInputs& in, const Heat2dOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kHeat2dInputCount + kHeat2dOutputCount + 1] = {};
  static_assert(sizeof in == kHeat2dInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kHeat2dOutputCount * sizeof(void*));
  std::memcpy(pointers + kHeat2dInputCount, &out, sizeof out);

  Range ranges[kHeat2dInputCount + kHeat2dOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kHeat2dInputCount + kHeat2dOutputCount; ++i) {
    const bool written = i >= kHeat2dInputCount;
    const Heat2dTensor& tensor =
        written ? kHeat2dOutputTable[i - kHeat2dInputCount]
                : kHeat2dInputTable[i];
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
  return kHeat2dOk;
}

}  // namespace

Heat2dStatus heat2d_create(Heat2dInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  Heat2dInstance* created = new (std::nothrow) Heat2dInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kHeat2dOutOfMemory;
  }
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    heat2d_destroy(created);
    return error == cudaErrorMemoryAllocation ? kHeat2dOutOfMemory : kHeat2dCudaError;
  }
  *instance = created;
  return kHeat2dOk;
}

Heat2dStatus heat2d_run(Heat2dInstance* instance, const Heat2dInputs* in, const Heat2dOutputs* out,
                        cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const Heat2dStatus status = check_arguments(*in, *out);
  if (status != kHeat2dOk) return status;

  float* const u_1 = at<float>(instance->arena, 0);  // f32[32,32]

  const float* u_current = in->u;
  float* u_next = out->u;
  float* u_spare = u_1;

  // while.6; its last step writes u
  for (int t = 0; t < 25; ++t) {
    // scatter.5  (simulation.py:43)
    if (failed("heat2d", launch_heat2d(u_current, u_next, stream))) return kHeat2dCudaError;

    u_current = u_next;
    std::swap(u_next, u_spare);
  }

  return kHeat2dOk;
}

void heat2d_destroy(Heat2dInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* heat2d_last_error() { return last_error; }
