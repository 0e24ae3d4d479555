// Integer arithmetic that wraps. In C++ it is undefined where a signed result does not fit, and nvcc makes use of that.
#pragma once

#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T>
using Unsigned = std::make_unsigned_t<decltype(T{} + 0)>;  // that C++ computes in

template <class T>
__host__ __device__ inline T wrapping_add(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}

template <class T>
__host__ __device__ inline T wrapping_subtract(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}

template <class T>
__host__ __device__ inline T wrapping_multiply(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b));
}

template <class T>
__host__ __device__ inline T wrapping_negate(T a) {
  return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
}

// Of the smallest number itself.
template <class T>
__host__ __device__ inline T wrapping_abs(T a) {
  return a < 0 ? wrapping_negate(a) : a;
}

}  // namespace sinter_helpers
