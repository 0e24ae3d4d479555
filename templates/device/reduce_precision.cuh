// reduce_precision<kExponentBits, kMantissaBits>(x): x rounded to so many mantissa bits, ties to
// even. If its exponent gets narrower, infinity lies beyond the new range, and below its smallest
// normal number zero with the sign of x. NaN stays NaN.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/bit_cast.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"

inline namespace sinter_helpers {

template <int kExponentBits, int kMantissaBits, class Float>
__host__ __device__ inline Float reduce_precision(Float x) {
  using Bits = std::conditional_t<sizeof(Float) == 2, uint16_t,
                                  std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>>;
  constexpr bool kBfloat16 = std::is_same_v<Float, __nv_bfloat16>;
  constexpr int kOwnMantissa = sizeof(Float) == 8   ? 52
                               : sizeof(Float) == 4 ? 23
                               : kBfloat16          ? 7
                                                    : 10;
  constexpr int kOwnExponent = static_cast<int>(sizeof(Float)) * 8 - 1 - kOwnMantissa;
  constexpr Bits kSign = Bits(1) << (kOwnMantissa + kOwnExponent);
  constexpr Bits kInfinity = static_cast<Bits>(((Bits(1) << kOwnExponent) - 1) << kOwnMantissa);
  Bits bits = bit_cast<Bits>(x);
  if (static_cast<Bits>(bits & ~kSign) > kInfinity) return x;

  if constexpr (kMantissaBits < kOwnMantissa) {
    constexpr int kDropped = kOwnMantissa - kMantissaBits;
    constexpr Bits kHalf = Bits(1) << (kDropped - 1);
    const Bits last = bits >> kDropped & 1;  // of the bits that stay: a tie rounds to where it is 0
    bits = static_cast<Bits>(bits + kHalf - 1 + last);  // a carry into the exponent is right
    bits = static_cast<Bits>(bits >> kDropped << kDropped);
  }

  if constexpr (kExponentBits < kOwnExponent) {
    constexpr Bits kOwnBias = (Bits(1) << (kOwnExponent - 1)) - 1;
    constexpr Bits kBias = (Bits(1) << (kExponentBits - 1)) - 1;
    const Bits exponent = bits & kInfinity;
    if (exponent > static_cast<Bits>((kOwnBias + kBias) << kOwnMantissa))
      bits = (bits & kSign) | kInfinity;
    if (exponent <= static_cast<Bits>((kOwnBias - kBias) << kOwnMantissa)) bits &= kSign;
  }
  return bit_cast<Float>(bits);
}

}  // namespace sinter_helpers
