// sign(x): -1, 0 or 1. Of floats, zeros keep their sign and NaN stays NaN.
#pragma once

#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

// Integers.
template <class T>
__host__ __device__ inline T sign(T x) {
  if constexpr (std::is_signed_v<T>) {
    if (x < 0) return T(-1);
  }
  return static_cast<T>(x != 0);
}

__host__ __device__ inline float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x; }

__host__ __device__ inline double sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }

}  // namespace sinter_helpers
