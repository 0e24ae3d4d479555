// saturate_cast<To>(x): a float or double as an integer, truncated towards zero. What lies outside
// of To becomes its nearest end, NaN becomes 0. saturate_cast<To, kBits>(x): To holds an integer of
// so many bits.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class To, int kBits = static_cast<int>(sizeof(To)) * 8, class From>
__host__ __device__ inline To saturate_cast(From x) {
  static_assert(std::is_integral_v<To> && std::is_floating_point_v<From>);
  constexpr uint64_t kAboveHalf =
      (uint64_t{1} << (kBits - 1)) >> std::is_signed_v<To>;  // (kMax + 1) / 2, rounded down
  constexpr To kMax = static_cast<To>(kAboveHalf == 0 ? 0 : kAboveHalf - 1 + kAboveHalf);
  constexpr To kMin = std::is_signed_v<To> ? static_cast<To>(-kMax - 1) : To(0);
  constexpr From kAbove =
      kAboveHalf == 0 ? From(1) : static_cast<From>(kAboveHalf) * From(2);  // kMax + 1, exactly
  if (isnan(x)) return 0;
  if (x >= kAbove) return kMax;
  if (x <= static_cast<From>(kMin)) return kMin;
  return static_cast<To>(x);
}

}  // namespace sinter_helpers
