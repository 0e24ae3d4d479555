// integer_power(base, exponent): wraps like multiplication; x^0 is 1. A negative exponent gives 0,
// but 1 for base 1.
#pragma once

#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T>
__host__ __device__ inline T integer_power(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) return base == 1 ? 1 : 0;
  }
  using Unsigned = std::make_unsigned_t<T>;
  Unsigned remaining = static_cast<Unsigned>(exponent);
  Unsigned square = static_cast<Unsigned>(base);
  Unsigned power = 1;
  while (remaining != 0) {
    if (remaining & 1)
      power = static_cast<Unsigned>(1u * power * square);  // 1u: narrow types would become int
    square = static_cast<Unsigned>(1u * square * square);
    remaining = static_cast<Unsigned>(remaining >> 1);
  }
  return static_cast<T>(power);
}

}  // namespace sinter_helpers
