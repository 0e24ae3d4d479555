// x / Divisor(c): division of floats by a constant, to the last bit, in two instructions and a
// check. The compiler that wrote it has made sure that x * (1 / c), with 1 / c in two parts, is
// x / c for every x that is not tiny (Brisebarre, Muller, Raina 2004). x / UncheckedDivisor(c) is
// for an x that is known not to be, or of which no tiny quotient matters.
#pragma once

#include <cmath>

#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

struct UncheckedDivisor {
  float high, low;  // 1 / c; of one sign, so that infinities and zeros stay what they are

  __host__ __device__ constexpr explicit UncheckedDivisor(float c)
      : high(static_cast<float>(1.0 / c * (1.0 - 0x1p-24))),
        low(static_cast<float>(1.0 / c - high)) {}
};

struct Divisor {
  float value;
  float tiny;  // below this x * low has too few bits
  UncheckedDivisor parts;

  __host__ __device__ constexpr explicit Divisor(float c)
      : value(c), tiny((c < 0 ? -c : c) * 0x1p-100f), parts(c) {}
};

__device__ inline float operator/(float x, UncheckedDivisor by) {
  return fmaf(x, by.high, x * by.low);
}

// Out of line, so that it takes no registers from the way that is taken.
template <class T>
__device__ __attribute__((noinline)) T divide_slowpath(T x, T c) {
  return x / c;
}

__device__ inline float operator/(float x, Divisor by) {
  const bool tiny = fabsf(x) < by.tiny && x != 0.0f;
  return tiny ? divide_slowpath(x, by.value) : x / by.parts;
}

}  // namespace sinter_eb34b753
