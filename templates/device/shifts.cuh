// Shifts that are defined for all amounts. The amount is read as unsigned; at the width of the type
// or above, all bits are shifted out: 0, or copies of the sign bit for the arithmetic shift.
#pragma once

#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T>
__host__ __device__ inline T shift_left(T a, T n) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr unsigned kWidth = sizeof(T) * 8;
  const Unsigned amount = static_cast<Unsigned>(n);
  return amount < kWidth ? static_cast<T>(static_cast<Unsigned>(a) << amount) : static_cast<T>(0);
}

template <class T>
__host__ __device__ inline T shift_right_logical(T a, T n) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr unsigned kWidth = sizeof(T) * 8;
  const Unsigned amount = static_cast<Unsigned>(n);
  return amount < kWidth ? static_cast<T>(static_cast<Unsigned>(a) >> amount) : static_cast<T>(0);
}

template <class T>
__host__ __device__ inline T shift_right_arithmetic(T a, T n) {
  using Signed = std::make_signed_t<T>;
  using Unsigned = std::make_unsigned_t<T>;
  constexpr unsigned kWidth = sizeof(T) * 8;
  const Unsigned amount = static_cast<Unsigned>(n);
  return static_cast<T>(static_cast<Signed>(a) >> (amount < kWidth ? amount : kWidth - 1));
}

}  // namespace sinter_helpers
