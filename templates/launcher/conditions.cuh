// conditions.cuh: what the host reads of a loop or branch of which it decides.

#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

// Waits for the stream and reads a condition, or the number of a branch's arm, by way of `pinned`
// memory.
template <class Value>
cudaError_t read_back(void* pinned, const Value* value, cudaStream_t stream, Value* read) {
  cudaError_t error = cudaMemcpyAsync(pinned, value, sizeof *value, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  if (error == cudaSuccess) *read = *static_cast<const Value*>(pinned);
  return error;
}

}  // namespace sinter_helpers
