// Functions of rows for the tests beside it, right ones and wrong ones.
#pragma once

#include "device/block_reduce.cuh"
#include "device/combine.cuh"

namespace nn {

// What a row is divided by.
// sinter: row
template <int kThreads>
__device__ void normalized_row(const float* x, float* y, int x_size, float epsilon) {
  float sum = epsilon;
  for (int i = threadIdx.x; i < x_size; i += kThreads) sum += x[i];
  sum = block_reduce<kThreads>(sum, Add());
  for (int i = threadIdx.x; i < x_size; i += kThreads) y[i] = x[i] / sum;
}

// sinter: row
inline __device__ void turned_row(const float* x, const int* by, float* y, int x_size) {
  for (int i = threadIdx.x; i < x_size; i += blockDim.x) y[i] = x[(i + by[0]) % x_size];
}

// One element of a row: any thread may write it.
// sinter: row
template <int kThreads>
__device__ void dot_of_rows(const float* x, const float* w, float* y, int x_size) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < x_size; i += kThreads) sum += x[i] * w[i];
  sum = block_reduce<kThreads>(sum, Add());
  if (threadIdx.x == 0) *y = sum;
}

// No mark.
inline __device__ void unmarked(const float* x, float* y, int x_size) { y[0] = x[x_size - 1]; }

// sinter: row
inline __device__ float gives(const float* x) { return x[0]; }

// sinter: row
template <class T>
__device__ void of_any(const T* x, T* y) {
  y[0] = x[0];
}

}  // namespace nn
