// memory.cuh: where device memory is from: an allocator that the caller gives, or CUDA.

#pragma once

#include <cstddef>
#include <cstdint>

#include "device/launch.cuh"
#include "launcher/failure.cuh"

inline namespace sinter_helpers {

// The caller's, as its options have it. Without functions it is CUDA's.
struct Allocator {
  void* (*allocate)(void* user, int64_t bytes) = nullptr;
  void (*release)(void* user, void* memory, int64_t bytes) = nullptr;
  void* user = nullptr;
  int64_t refused = 0;      // bytes of a request that was not met
  bool misaligned = false;  // what it gave
};

// One piece of device memory, 256-byte aligned, or none.
struct DeviceMemory {
  void* data = nullptr;
  int64_t bytes = 0;
  Allocator from;

  // There must be none yet.
  cudaError_t allocate(Allocator& allocator, int64_t wanted) {
    from = allocator;
    cudaError_t error = cudaSuccess;
    if (from.allocate == nullptr) {
      error = cudaMalloc(&data, static_cast<size_t>(wanted));
    } else {
      data = from.allocate(from.user, wanted);
      if (data == nullptr) error = cudaErrorMemoryAllocation;
    }
    if (error != cudaSuccess) {
      data = nullptr;
      allocator.refused = wanted;
      return error;
    }
    bytes = wanted;
    if (reinterpret_cast<uintptr_t>(data) % 256 == 0) return cudaSuccess;
    release();
    allocator.misaligned = true;
    return cudaErrorMisalignedAddress;
  }
  void release() {
    if (data == nullptr) return;
    if (from.release == nullptr) {
      cudaFree(data);
    } else {
      from.release(from.user, data, bytes);
    }
    data = nullptr;
  }
};

// What is said of a call that failed and may have asked for memory. An allocator of the caller's
// may have left an error of CUDA's behind.
inline Failure memory_failure(const char* what, cudaError_t error, const Allocator& from,
                              LastError& last_error) {
  const Failure failure = last_error.say(what, error);
  if (from.misaligned)
    return last_error.say(Failure::kInvalidArgument,
                          "%s: the allocator's memory is not 256-byte aligned", what);
  if (failure.kind != Failure::kOutOfMemory || from.refused == 0) return failure;
  return last_error.say(Failure::kOutOfMemory, "%s: out of memory, %lld bytes are needed", what,
                        static_cast<long long>(from.refused));
}

}  // namespace sinter_helpers
