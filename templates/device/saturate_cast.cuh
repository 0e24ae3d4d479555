// saturate_cast<To>(x): a float or double as an integer, truncated towards zero. What lies outside of To becomes its
// nearest end, NaN becomes 0.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/launch.cuh"

template <class To, class From>
__host__ __device__ inline To saturate_cast(From x) {
  static_assert(std::is_integral_v<To> && std::is_floating_point_v<From>);
  constexpr uint64_t kTopBit = uint64_t{1} << (sizeof(To) * 8 - 1 - std::is_signed_v<To>);  // of To's value bits
  constexpr To kMax = static_cast<To>(kTopBit - 1 + kTopBit);
  constexpr To kMin = std::is_signed_v<To> ? static_cast<To>(-kMax - 1) : To(0);
  constexpr From kAbove = static_cast<From>(kTopBit) * From(2);  // kMax + 1, exactly
  if (isnan(x)) return 0;
  if (x >= kAbove) return kMax;
  if (x <= static_cast<From>(kMin)) return kMin;
  return static_cast<To>(x);
}
