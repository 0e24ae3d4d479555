// saturate_cast<To>(x): a float or double as an integer, truncated towards zero. What lies outside of To becomes its
// nearest end, NaN becomes 0.
#pragma once

#include <limits>
#include <type_traits>

#include "device/launch.cuh"

template <class To, class From>
__host__ __device__ inline To saturate_cast(From x) {
  static_assert(std::is_integral_v<To> && std::is_floating_point_v<From>);
  constexpr To kMin = std::numeric_limits<To>::min();
  constexpr To kMax = std::numeric_limits<To>::max();
  // The first value above kMax is a power of two, which From holds exactly.
  constexpr From kAbove = static_cast<From>(To(1) << (std::numeric_limits<To>::digits - 1)) * From(2);
  if (isnan(x)) return 0;
  if (x >= kAbove) return kMax;
  if (x <= static_cast<From>(kMin)) return kMin;
  return static_cast<To>(x);
}
