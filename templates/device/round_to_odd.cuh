// round_to_odd(x): a 64-bit integer as a double of at most 53 bits, the last of them set if any
// below was lost. Rounding this once more gives what rounding x itself would.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T>
__host__ __device__ inline double round_to_odd(T x) {
  static_assert(std::is_integral_v<T> && sizeof(T) == 8);
  const bool negative = x < T(0);
  const uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
  uint64_t kept = magnitude;
  if (magnitude >> 53 != 0)
    kept = (magnitude & ~uint64_t{0x7ff}) | uint64_t{(magnitude & 0x7ff) != 0} << 11;
  const double result = static_cast<double>(kept);
  return negative ? -result : result;
}

}  // namespace sinter_helpers
