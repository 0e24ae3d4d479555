// Integer arithmetic that wraps. In C++ it is undefined where a signed result does not fit, and nvcc makes use of that.
// What is narrower than int C++ computes in int.
#pragma once

#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T>
__host__ __device__ inline T wrapping_add(T a, T b) {
  using Unsigned = std::make_unsigned_t<decltype(a + b)>;
  return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
}

template <class T>
__host__ __device__ inline T wrapping_subtract(T a, T b) {
  using Unsigned = std::make_unsigned_t<decltype(a - b)>;
  return static_cast<T>(static_cast<Unsigned>(a) - static_cast<Unsigned>(b));
}

template <class T>
__host__ __device__ inline T wrapping_multiply(T a, T b) {
  using Unsigned = std::make_unsigned_t<decltype(a * b)>;
  return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
}

template <class T>
__host__ __device__ inline T wrapping_negate(T a) {
  using Unsigned = std::make_unsigned_t<decltype(-a)>;
  return static_cast<T>(Unsigned{0} - static_cast<Unsigned>(a));
}

// Of the smallest number itself.
template <class T>
__host__ __device__ inline T wrapping_abs(T a) {
  return a < 0 ? wrapping_negate(a) : a;
}

}  // namespace sinter_helpers
