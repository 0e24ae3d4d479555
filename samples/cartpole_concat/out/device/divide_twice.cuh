// divide_twice(n, d, &q, {a, b}, Divisor(c), &r) is q = n / d and r = q * a * b / c, both to the
// last bit, with one check. The compiler that wrote it has made sure that d is a normal number
// whose bits are not all ones, and that q * a * b is not tiny where q is not.
#pragma once

#include <cmath>

#include "device/divisor.cuh"
#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

// n / d from an estimate of 1 / d within a unit in its last place: the right one, or NaN where
// n / d overflows, for a normal d whose bits are not all ones, and a quotient that is not tiny
// (Markstein 1990).
__host__ __device__ inline float refined_quotient(float n, float d, float estimate) {
  const float reciprocal = fmaf(estimate, fmaf(-d, estimate, 1.0f), estimate);
  const float q = n * reciprocal;
  return fmaf(reciprocal, fmaf(-d, q, n), q);
}

__device__ inline float quick_quotient(float n, float d) {
#ifdef __CUDA_ARCH__
  float estimate;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(estimate) : "f"(d));
  return refined_quotient(n, d, estimate);
#else
  return n / d;
#endif
}

template <int N>
__device__ inline void divide_twice(float n, float d, float* first, const float (&factors)[N],
                                    Divisor by, float* second) {
  const auto product = [&](float x) {
#pragma unroll
    for (int k = 0; k < N; ++k) x *= factors[k];
    return x;
  };
  *first = quick_quotient(n, d);
  *second = product(*first) / by.parts;
  if (!(fabsf(*first) >= 0x1p-40f)) {
    *first = divide_slowpath(n, d);
    *second = divide_slowpath(product(*first), by.value);
  }
}

}  // namespace sinter_eb34b753
