// Functions of whole arrays for the tests beside it, right ones and wrong ones.
#pragma once

#include <cstdint>

#include "device/launch.cuh"

namespace nn {

namespace {

__global__ void row_sums(const float* x, float* sums, int rows, int columns) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float sum = 0.0f;
  for (int column = 0; column < columns; ++column) sum += x[row * columns + column];
  sums[row] = sum;
}

}  // namespace

inline cudaError_t sums_of_rows(cudaStream_t stream, const float* x, float* sums, int sums_size, int columns) {
  return launch(row_sums, {.grid = static_cast<unsigned>(sums_size + 127) / 128, .block = 128}, stream, x, sums,
                sums_size, columns);
}

// The smallest and the largest, and where; `workspace` holds a number of each row.
inline cudaError_t extremes(cudaStream_t stream, const float* x, const int* weights, float* least, float* most,
                            int* where, void* workspace, int64_t workspace_bytes, bool largest, double scale) {
  static_cast<void>(x), static_cast<void>(weights), static_cast<void>(least), static_cast<void>(most);
  static_cast<void>(workspace), static_cast<void>(largest), static_cast<void>(scale);
  return cudaMemsetAsync(where, 0, static_cast<size_t>(workspace_bytes), stream);
}

// Kernels that `<<<...>>>` launches are read, too.
inline cudaError_t chevrons(cudaStream_t stream, const float* x, float* y, int64_t x_size) {
#ifdef SINTER_CPU
  return launch(row_sums, {.grid = 1, .block = 1}, stream, x, y, 1, static_cast<int>(x_size));
#else
  row_sums<<<1, 1, 0, stream>>>(x, y, 1, static_cast<int>(x_size));
  return cudaGetLastError();
#endif
}

inline cudaError_t of_type(cudaStream_t stream, const float* x, float* y, int64_t x_size) {
  return cudaMemcpyAsync(y, x, sizeof(float) * static_cast<size_t>(x_size), cudaMemcpyDeviceToDevice, stream);
}
inline cudaError_t of_type(cudaStream_t stream, const double* x, double* y, int64_t x_size) {
  return cudaMemcpyAsync(y, x, sizeof(double) * static_cast<size_t>(x_size), cudaMemcpyDeviceToDevice, stream);
}

// Not for the host.
inline __device__ float of_element(float x) { return x; }
inline void gives_nothing(cudaStream_t, const float*, float*) {}
inline cudaError_t no_stream(const float*, float*) { return cudaSuccess; }
inline cudaError_t writes_operand(cudaStream_t, float*, float*) { return cudaSuccess; }
inline cudaError_t of_struct(cudaStream_t, const dim3*, float*) { return cudaSuccess; }
inline cudaError_t declared(cudaStream_t, const float*, float*);
cudaError_t several_files(cudaStream_t, const float*, float*) { return cudaSuccess; }
inline cudaError_t small_size(cudaStream_t, const float*, float* y, bool y_size) {
  return y_size ? cudaMemset(y, 0, 1) : cudaSuccess;
}
inline cudaError_t wants_workspace(cudaStream_t, const float*, float*, void*) { return cudaSuccess; }
template <class T>
cudaError_t of_any(cudaStream_t, const T*, T*) {
  return cudaSuccess;
}

}  // namespace nn
