// stochastic_convert<To>(x, random): a float or double as a To next to it, of the two it lies
// between the one further from zero with a probability of how far from the nearer one it is.
// `random`, an unsigned integer, decides, as a fraction of the range of its type.
// stochastic_convert<To, kBits>: To holds an integer of so many bits.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/bit_cast.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/saturate_cast.cuh"
#include "device/small_float.cuh"

inline namespace sinter_helpers {

template <class To>
__host__ __device__ inline To nearest_float(double x) {
  if constexpr (std::is_same_v<To, __half>) {
    return to_half(x);
  } else if constexpr (std::is_same_v<To, __nv_bfloat16>) {
    return to_bfloat16(x);
  } else {
    return round_to<To>(x);
  }
}

template <class To, int kBits = static_cast<int>(sizeof(To)) * 8, class Float, class Random>
__host__ __device__ inline To stochastic_convert(Float value, Random random) {
  static_assert(std::is_unsigned_v<Random>);
  const double x = static_cast<double>(value);
  constexpr double kRange = 2.0 * static_cast<double>(Random(1) << (sizeof(Random) * 8 - 1));
  const double part = static_cast<double>(random) / kRange;
  if constexpr (std::is_integral_v<To>) {
    const double whole = trunc(x);
    return saturate_cast<To, kBits>(part < fabs(x - whole) ? whole + copysign(1.0, x) : whole);
  } else {
    using Bits = std::conditional_t<sizeof(To) == 1, uint8_t, uint16_t>;
    const To nearest = nearest_float<To>(x);
    const double rounded = static_cast<double>(to_float(nearest));
    if (rounded == x || !isfinite(x) || !isfinite(rounded)) return nearest;
    // Patterns of one sign are ordered by magnitude: the other neighbour is one pattern up or down.
    const bool is_away = fabs(rounded) > fabs(x);
    const Bits pattern = bit_cast<Bits>(nearest);
    const To other = bit_cast<To>(static_cast<Bits>(is_away ? pattern - 1 : pattern + 1));
    const To inner = is_away ? other : nearest, outer = is_away ? nearest : other;
    const double low = fabs(static_cast<double>(to_float(inner))),
                 high = fabs(static_cast<double>(to_float(outer)));
    if (!isfinite(high)) return nearest;
    return part < (fabs(x) - low) / (high - low) ? outer : inner;
  }
}

}  // namespace sinter_helpers
