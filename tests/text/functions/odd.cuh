// Functions for the tests beside it that are declared or named in odd ways.
#pragma once

#include "device/half.cuh"

namespace nn {

// Declared first, with other names.
// sinter: row
inline __device__ void first_of(const float*, float*, int);

// sinter: row
__device__
inline void first_of(const float* x, float* y, int x_size) {
  for (int i = threadIdx.x; i < x_size; i += blockDim.x) y[i] = x[0];
}

// sinter: row
template <int kThreads>
__device__ void declared_row(const float* x, float* y);

// sinter: row
inline __device__ void scaled_row(const float* x, float* y, __half factor) { y[0] = x[0]; }

// sinter: row
inline __device__ void counted_row(const bool* is, const double* x, bool* y) { y[0] = is[0] && x[0] > 0.0; }

namespace {
struct Ends {
  float low, high;
};
}  // namespace
inline __device__ Ends ends(float x) { return {x - 1.0f, x + 1.0f}; }

inline __device__ auto of_its_own(float x) {
  struct Own {
    float low, high;
  };
  return Own{x, x};
}
struct both {
  float low, high;
};
inline __device__ struct both both(float x) { return {x, x}; }

}  // namespace nn
