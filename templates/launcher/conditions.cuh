// conditions.cuh: what the host reads of a loop or branch of which it decides.

#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

// Waits for the stream and reads the condition of a loop or branch, by way of `pinned` memory.
inline bool read_condition(void* pinned, const bool* condition, cudaStream_t stream,
                           cudaError_t* error) {
  *error = cudaMemcpyAsync(pinned, condition, sizeof *condition, cudaMemcpyDeviceToHost, stream);
  if (*error == cudaSuccess) *error = cudaStreamSynchronize(stream);
  return *error == cudaSuccess && *static_cast<const bool*>(pinned);
}

// The same of the number of a branch's arm.
inline int read_selector(void* pinned, const int* selector, cudaStream_t stream,
                         cudaError_t* error) {
  *error = cudaMemcpyAsync(pinned, selector, sizeof *selector, cudaMemcpyDeviceToHost, stream);
  if (*error == cudaSuccess) *error = cudaStreamSynchronize(stream);
  return *error == cudaSuccess ? *static_cast<const int*>(pinned) : 0;
}

}  // namespace sinter_helpers
