// The part of the CUDA runtime's interface that launchers use, as operations on host memory.
// Everything is done when the call returns, so streams and events order nothing; but for what is
// captured (streams.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cpu/errors.h"
#include "cpu/scheduler.h"
#include "cpu/streams.h"

inline namespace sinter_helpers {

namespace sinter_cpu {

inline constexpr int kMaxSharedBytes = 227 * 1024;

// Runs `body()` once for each thread of the grid. Failures (a deadlock, a trap) are told on stderr.
template <class Body>
cudaError_t run_grid(dim3 grid, int block, int shared_bytes, bool cooperative, Body body) {
  if (const cudaError_t error = fault("cudaLaunchKernel")) return error;
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

// --- devices
// -------------------------------------------------------------------------------------------------

struct cudaDeviceProp {
  char name[256];
  int major, minor;
  int multiProcessorCount;
};

namespace sinter_cpu {

// The current device of this host thread.
inline int& current_device() {
  thread_local int device = 0;
  return device;
}

}  // namespace sinter_cpu

inline cudaError_t cudaGetDeviceCount(int* count) {
  return *count = sinter_cpu::settings().devices, cudaSuccess;
}
inline cudaError_t cudaGetDevice(int* device) {
  if (const cudaError_t error = sinter_cpu::fault("cudaGetDevice")) return error;
  return *device = sinter_cpu::current_device(), cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
  if (const cudaError_t error = sinter_cpu::fault("cudaSetDevice")) return error;
  if (device < 0 || device >= sinter_cpu::settings().devices)
    return sinter_cpu::result(cudaErrorInvalidDevice);
  return sinter_cpu::current_device() = device, cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  const int capability = sinter_cpu::settings().capability;
  *properties = {"CPU", capability / 10, capability % 10, 1};
  return cudaSuccess;
}

enum cudaDeviceAttr {
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
};
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  if (const cudaError_t error = sinter_cpu::fault("cudaDeviceGetAttribute")) return error;
  const int capability = sinter_cpu::settings().capability;
  *value = attribute == cudaDevAttrComputeCapabilityMajor ? capability / 10 : capability % 10;
  return cudaSuccess;
}

// Code for the CPU is no code for a device that says it is another.
struct cudaFuncAttributes {};
template <class Function>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, Function*) {
  if (const cudaError_t error = sinter_cpu::fault("cudaFuncGetAttributes")) return error;
  if (sinter_cpu::settings().capability == 0) return cudaSuccess;
  return sinter_cpu::result(cudaErrorNoKernelImageForDevice);
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

// Aligned to 256 bytes, and all ones at first: NaN or -1 shows what a kernel forgot to write.
inline cudaError_t cudaMalloc(void** address, size_t bytes) {
  *address = nullptr;
  if (const cudaError_t error = sinter_cpu::fault("cudaMalloc")) return error;
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
// What fails is what was on its way: the memory is free.
inline cudaError_t cudaFree(void* address) {
  std::free(address);
  return sinter_cpu::fault("cudaFree");
}
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
                                   cudaStream_t stream = nullptr) {
  if (const cudaError_t error = sinter_cpu::fault("cudaMemcpyAsync")) return error;
  if (sinter_cpu::is_captured(stream)) {
    static constexpr char what = 'c';
    return sinter_cpu::record(stream, &what,
                              [=] { return cudaMemcpyAsync(to, from, bytes, kind); });
  }
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
inline cudaError_t cudaMemsetAsync(void* address, int byte, size_t bytes,
                                   cudaStream_t stream = nullptr) {
  if (const cudaError_t error = sinter_cpu::fault("cudaMemsetAsync")) return error;
  if (sinter_cpu::is_captured(stream)) {
    static constexpr char what = 's';
    return sinter_cpu::record(stream, &what, [=] { return cudaMemsetAsync(address, byte, bytes); });
  }
  ++sinter_cpu::counters().memsets;
  sinter_cpu::counters().set_bytes += static_cast<int64_t>(bytes);
  if (bytes != 0) std::memset(address, byte, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemset(void* address, int byte, size_t bytes) {
  return cudaMemsetAsync(address, byte, bytes);
}

// --- events
// -------------------------------------------------------------------------------------------------

inline constexpr unsigned cudaEventDefault = 0, cudaEventDisableTiming = 2;

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
