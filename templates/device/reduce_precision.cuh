// reduce_precision<kExponentBits, kMantissaBits>(x): x rounded to a float format of so many bits, ties to even. Beyond
// its range lies infinity; below its smallest normal number, zero with the sign of x; NaN stays NaN.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/bit_cast.cuh"
#include "device/launch.cuh"

template <int kExponentBits, int kMantissaBits, class Float>
__host__ __device__ inline Float reduce_precision(Float x) {
  using Bits = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
  constexpr int kOwnMantissa = sizeof(Float) == 4 ? 23 : 52;
  constexpr int kOwnExponent = sizeof(Float) == 4 ? 8 : 11;
  constexpr Bits kSign = Bits(1) << (kOwnMantissa + kOwnExponent);
  constexpr Bits kInfinity = ((Bits(1) << kOwnExponent) - 1) << kOwnMantissa;
  if (isnan(x)) return x;
  Bits bits = bit_cast<Bits>(x);

  if constexpr (kMantissaBits < kOwnMantissa) {
    constexpr int kDropped = kOwnMantissa - kMantissaBits;
    const Bits last = bits >> kDropped & 1;  // of the bits that stay: a tie rounds to where it is 0
    bits += (Bits(1) << (kDropped - 1)) - 1 + last;  // a carry into the exponent is right
    bits &= ~((Bits(1) << kDropped) - 1);
  }

  if constexpr (kExponentBits < kOwnExponent) {
    constexpr Bits kOwnBias = (Bits(1) << (kOwnExponent - 1)) - 1;
    constexpr Bits kBias = (Bits(1) << (kExponentBits - 1)) - 1;
    const Bits exponent = bits & kInfinity;
    if (exponent > (kOwnBias + kBias) << kOwnMantissa) bits = (bits & kSign) | kInfinity;
    if (exponent <= (kOwnBias - kBias) << kOwnMantissa) bits &= kSign;
  }
  return bit_cast<Float>(bits);
}
