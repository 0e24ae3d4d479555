// What algorithms on real and complex numbers alike are written with: a real number is its own real
// part and conjugate.
#pragma once

#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T>
__device__ inline auto real_part(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return x;
  } else {
    return x.real;
  }
}

template <class T>
using RealPart = decltype(real_part(T()));

template <class T>
__device__ inline T from_real(RealPart<T> x) {
  if constexpr (std::is_floating_point_v<T>) {
    return x;
  } else {
    return {x, RealPart<T>(0)};
  }
}

template <class T>
__device__ inline RealPart<T> imaginary_part(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return 0;
  } else {
    return x.imag;
  }
}

template <class T>
__device__ inline T conjugate(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return x;
  } else {
    return {x.real, -x.imag};
  }
}

// |x|^2
template <class T>
__device__ inline RealPart<T> squared_size(T x) {
  return real_part(x) * real_part(x) + imaginary_part(x) * imaginary_part(x);
}

}  // namespace sinter_helpers
