// maximum and minimum, where a NaN operand makes a NaN result (fmaxf would drop it), and -0 is
// below +0.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

// Integers and bool.
template <class T>
__host__ __device__ inline T maximum(T a, T b) {
  return a < b ? b : a;
}
template <class T>
__host__ __device__ inline T minimum(T a, T b) {
  return b < a ? b : a;
}

// Zeros compare equal, so their signs decide; a + b is NaN where an operand is.
__host__ __device__ inline double maximum(double a, double b) {
  return a < b ? b : b < a ? a : a == b ? (signbit(a) ? b : a) : a + b;
}
__host__ __device__ inline double minimum(double a, double b) {
  return a < b ? a : b < a ? b : a == b ? (signbit(a) ? a : b) : a + b;
}

__host__ __device__ inline float maximum(float a, float b) {
#ifdef __CUDA_ARCH__
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
#else
  return a < b ? b : b < a ? a : a == b ? (signbit(a) ? b : a) : a + b;
#endif
}
__host__ __device__ inline float minimum(float a, float b) {
#ifdef __CUDA_ARCH__
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
#else
  return a < b ? a : b < a ? b : a == b ? (signbit(a) ? a : b) : a + b;
#endif
}

// Of more than two, from the left.
template <class T, class... More>
__host__ __device__ inline T maximum(T a, T b, T c, More... more) {
  return maximum(maximum(a, b), c, more...);
}
template <class T, class... More>
__host__ __device__ inline T minimum(T a, T b, T c, More... more) {
  return minimum(minimum(a, b), c, more...);
}

}  // namespace sinter_eb34b753
