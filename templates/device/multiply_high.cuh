// multiply_high(a, b): the upper half of the product of two integers, which is twice as wide as
// they are.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T>
__host__ __device__ inline T multiply_high(T a, T b) {
  static_assert(std::is_integral_v<T>);
  if constexpr (sizeof(T) < 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> sizeof(T) * 8);
  } else {
    // From 32-bit halves: of a * b as unsigned numbers, less what reading a negative number as
    // unsigned adds.
    const uint64_t a_low = static_cast<uint32_t>(a), a_high = static_cast<uint64_t>(a) >> 32;
    const uint64_t b_low = static_cast<uint32_t>(b), b_high = static_cast<uint64_t>(b) >> 32;
    const uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    const uint64_t other = a_low * b_high + static_cast<uint32_t>(middle);
    uint64_t high = a_high * b_high + (middle >> 32) + (other >> 32);
    if constexpr (std::is_signed_v<T>) {
      if (a < 0) high -= static_cast<uint64_t>(b);
      if (b < 0) high -= static_cast<uint64_t>(a);
    }
    return static_cast<T>(high);
  }
}

}  // namespace sinter_helpers
