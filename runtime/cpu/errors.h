// The CUDA runtime's errors: their texts, the last one of a thread, and faults, which tests ask
// for.
#pragma once

#include <cstdint>

inline namespace sinter_helpers {

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInsufficientDriver = 35,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorNotReady = 600,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorNotSupported = 801,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorGraphExecUpdateFailure = 910,
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
    case cudaErrorInvalidDeviceFunction:
      return "cudaErrorInvalidDeviceFunction";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorInsufficientDriver:
      return "cudaErrorInsufficientDriver";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorNoKernelImageForDevice:
      return "cudaErrorNoKernelImageForDevice";
    case cudaErrorNotReady:
      return "cudaErrorNotReady";
    case cudaErrorMisalignedAddress:
      return "cudaErrorMisalignedAddress";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case cudaErrorCooperativeLaunchTooLarge:
      return "cudaErrorCooperativeLaunchTooLarge";
    case cudaErrorNotSupported:
      return "cudaErrorNotSupported";
    case cudaErrorStreamCaptureUnsupported:
      return "cudaErrorStreamCaptureUnsupported";
    case cudaErrorStreamCaptureInvalidated:
      return "cudaErrorStreamCaptureInvalidated";
    case cudaErrorGraphExecUpdateFailure:
      return "cudaErrorGraphExecUpdateFailure";
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
    case cudaErrorInvalidDeviceFunction:
      return "invalid device function";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInsufficientDriver:
      return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorNoKernelImageForDevice:
      return "no kernel image is available for execution on the device";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorMisalignedAddress:
      return "misaligned address";
    case cudaErrorLaunchFailure:
      return "the kernel failed on the CPU";
    case cudaErrorCooperativeLaunchTooLarge:
      return "too many blocks in cooperative launch";
    case cudaErrorNotSupported:
      return "operation not supported";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
    case cudaErrorGraphExecUpdateFailure:
      return "the graph update was not performed because it included changes which violated "
             "constraints specific to instantiated graph update";
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

// Makes calls of the runtime fail, as they would on a device in trouble.
struct Faults {
  int64_t failing = 0;   // number of the call that fails, from 1 on; 0: none does
  bool lasting = false;  // so do all calls after it
  cudaError_t error = cudaErrorUnknown;
  int64_t calls = 0;             // so far
  const char* failed = nullptr;  // the first call that did
};

// Of this host thread: `faults() = {.failing = 3}` before what is tested.
inline Faults& faults() {
  thread_local Faults value;
  return value;
}

// Each call that may fail begins with this.
inline cudaError_t fault(const char* call) {
  Faults& asked = faults();
  ++asked.calls;
  const bool fails = asked.lasting ? asked.calls >= asked.failing : asked.calls == asked.failing;
  if (asked.failing == 0 || !fails) return cudaSuccess;
  if (asked.failed == nullptr) asked.failed = call;
  return result(asked.error);
}

}  // namespace sinter_cpu

inline cudaError_t cudaPeekAtLastError() { return sinter_cpu::last_error(); }
inline cudaError_t cudaGetLastError() {
  const cudaError_t error = sinter_cpu::last_error();
  sinter_cpu::last_error() = cudaSuccess;
  return error;
}

}  // namespace sinter_helpers
