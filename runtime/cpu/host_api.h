// The part of the CUDA runtime's interface that launchers use, as operations on host memory.
// Everything is done when the call returns, so streams and events order nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cpu/scheduler.h"

struct CUstream_st;  // the type of the CUDA headers, which emitted C interfaces declare too

inline namespace sinter_helpers {

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorLaunchFailure = 719,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999,
};

inline const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorNotReady:
      return "cudaErrorNotReady";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case cudaErrorCooperativeLaunchTooLarge:
      return "cudaErrorCooperativeLaunchTooLarge";
    case cudaErrorNotSupported:
      return "cudaErrorNotSupported";
    case cudaErrorUnknown:
      return "cudaErrorUnknown";
  }
  return "unrecognized error code";
}

inline const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorLaunchFailure:
      return "the kernel failed on the CPU";
    case cudaErrorCooperativeLaunchTooLarge:
      return "too many blocks in cooperative launch";
    case cudaErrorNotSupported:
      return "operation not supported";
    case cudaErrorUnknown:
      return "unknown error";
  }
  return "unrecognized error code";
}

namespace sinter_cpu {

// The last error of this host thread.
inline cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}
inline cudaError_t result(cudaError_t error) {
  if (error != cudaSuccess) last_error() = error;
  return error;
}

inline constexpr int kMaxSharedBytes = 227 * 1024;

// Runs `body()` once for each thread of the grid. Failures (a deadlock, a trap) are told on stderr.
template <class Body>
cudaError_t run_grid(dim3 grid, int block, int shared_bytes, bool cooperative, Body body) {
  if (block < 1 || block > static_cast<int>(kMaxThreads) || grid.x > 0x7fffffff || grid.y > 65535 ||
      grid.z > 65535) {
    return result(cudaErrorInvalidConfiguration);
  }
  if (shared_bytes < 0 || shared_bytes > kMaxSharedBytes) return result(cudaErrorInvalidValue);
  const uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
  if (cooperative && blocks > settings().resident_blocks)
    return result(cudaErrorCooperativeLaunchTooLarge);
  ++counters().launches;
  const auto call = [](void* argument) { (*static_cast<Body*>(argument))(); };
  if (Scheduler::get().run(grid, static_cast<unsigned>(block), cooperative, call, &body))
    return cudaSuccess;
  std::fprintf(stderr, "sinter_cpu: %s\n", last_failure().c_str());
  return result(cudaErrorLaunchFailure);
}

}  // namespace sinter_cpu

inline cudaError_t cudaPeekAtLastError() { return sinter_cpu::last_error(); }
inline cudaError_t cudaGetLastError() {
  const cudaError_t error = sinter_cpu::last_error();
  sinter_cpu::last_error() = cudaSuccess;
  return error;
}

// --- devices
// -------------------------------------------------------------------------------------------------

struct cudaDeviceProp {
  char name[256];
  int major, minor;
  int multiProcessorCount;
};

inline cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
inline cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : sinter_cpu::result(cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {"CPU", 0, 0, 1};
  return cudaSuccess;
}

// --- memory
// -------------------------------------------------------------------------------------------------

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};

using cudaStream_t = CUstream_st*;

// Aligned to 256 bytes, and all ones at first: NaN or -1 shows what a kernel forgot to write.
inline cudaError_t cudaMalloc(void** address, size_t bytes) {
  *address = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > SIZE_MAX - 256) return sinter_cpu::result(cudaErrorMemoryAllocation);
  *address = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (*address == nullptr) return sinter_cpu::result(cudaErrorMemoryAllocation);
  std::memset(*address, 0xff, bytes);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMalloc(T** address, size_t bytes) {
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, bytes);
  *address = static_cast<T*>(memory);
  return error;
}
inline cudaError_t cudaFree(void* address) { return std::free(address), cudaSuccess; }
template <class T>
cudaError_t cudaMallocAsync(T** address, size_t bytes, cudaStream_t) {
  return cudaMalloc(address, bytes);
}
inline cudaError_t cudaFreeAsync(void* address, cudaStream_t) { return cudaFree(address); }
template <class T>
cudaError_t cudaMallocHost(T** address, size_t bytes) {
  return cudaMalloc(address, bytes);
}
inline cudaError_t cudaFreeHost(void* address) { return cudaFree(address); }

inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = nullptr) {
  if (kind == cudaMemcpyDeviceToDevice) {
    ++sinter_cpu::counters().copies;
    sinter_cpu::counters().copied_bytes += static_cast<int64_t>(bytes);
  }
  if (bytes != 0) std::memmove(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind);
}
inline cudaError_t cudaMemsetAsync(void* address, int byte, size_t bytes, cudaStream_t = nullptr) {
  ++sinter_cpu::counters().memsets;
  sinter_cpu::counters().set_bytes += static_cast<int64_t>(bytes);
  if (bytes != 0) std::memset(address, byte, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemset(void* address, int byte, size_t bytes) {
  return cudaMemsetAsync(address, byte, bytes);
}

// --- streams and events
// -------------------------------------------------------------------------------------------------

inline constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0, cudaEventDisableTiming = 2;

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) { return *stream = nullptr, cudaSuccess; }
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return cudaStreamCreate(stream);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }

enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
inline cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  return *status = cudaStreamCaptureStatusNone, cudaSuccess;
}

struct SinterCpuEvent {
  std::chrono::steady_clock::time_point time;
};
using cudaEvent_t = SinterCpuEvent*;

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return *event = new SinterCpuEvent{std::chrono::steady_clock::now()}, cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
  event->time = std::chrono::steady_clock::now();
  return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  *milliseconds = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) {
  return cudaSuccess;
}

}  // namespace sinter_helpers
