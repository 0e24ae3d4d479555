// sign(x): -1, 0 or 1. Of floats, zeros keep their sign and NaN stays NaN.
#pragma once

#include "device/launch.cuh"

// Integers.
template <class T>
__host__ __device__ inline T sign(T x) {
  return static_cast<T>((x > T(0)) - (x < T(0)));
}

__host__ __device__ inline float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x; }

__host__ __device__ inline double sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }
