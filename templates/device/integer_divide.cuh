// Integer division and remainder that are defined for all operands:
//   a / 0 is -1 (unsigned: all ones), a % 0 is a; the smallest integer / -1 is itself, and its
//   remainder 0.
#pragma once

#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T>
__host__ __device__ inline T integer_divide(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));  // wraps
  }
  return static_cast<T>(a / b);
}

template <class T>
__host__ __device__ inline T integer_remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

}  // namespace sinter_helpers
