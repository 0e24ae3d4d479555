// The floats of 4, 6 and 8 bits: an element a byte, in its low bits. Arithmetic is done in float,
// which holds them exactly; round_to<F8E4M3FN>(x) rounds a float or double once, to nearest, ties
// to even.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/bit_cast.cuh"
#include "device/launch.cuh"

inline namespace sinter_helpers {

enum class SmallFloatKind {
  kIeee,    // infinities and NaNs, as float has them
  kFn,      // no infinity; all bits set is NaN, also what lies beyond the range
  kFnuz,    // like kFn, but the only NaN is the pattern of -0, and 0 has no sign
  kFinite,  // neither infinity nor NaN: what lies beyond the range becomes its end, NaN a zero
};

template <int kExponent, int kMantissa, int kBias, SmallFloatKind kKind>
struct SmallFloat {
  uint8_t bits;
};

using F4E2M1FN = SmallFloat<2, 1, 1, SmallFloatKind::kFinite>;
using F6E2M3FN = SmallFloat<2, 3, 1, SmallFloatKind::kFinite>;
using F6E3M2FN = SmallFloat<3, 2, 3, SmallFloatKind::kFinite>;
using F8E3M4 = SmallFloat<3, 4, 3, SmallFloatKind::kIeee>;
using F8E4M3 = SmallFloat<4, 3, 7, SmallFloatKind::kIeee>;
using F8E4M3FN = SmallFloat<4, 3, 7, SmallFloatKind::kFn>;
using F8E4M3FNUZ = SmallFloat<4, 3, 8, SmallFloatKind::kFnuz>;
using F8E4M3B11FNUZ = SmallFloat<4, 3, 11, SmallFloatKind::kFnuz>;
using F8E5M2 = SmallFloat<5, 2, 15, SmallFloatKind::kIeee>;
using F8E5M2FNUZ = SmallFloat<5, 2, 16, SmallFloatKind::kFnuz>;

// 2^(bits - 127); 255 is NaN. There is no sign and no zero.
struct F8E8M0FNU {
  uint8_t bits;
};

// --- to float
// -------------------------------------------------------------------------------------------------

template <int kExponent, int kMantissa, int kBias, SmallFloatKind kKind>
__host__ __device__ inline float to_float(SmallFloat<kExponent, kMantissa, kBias, kKind> x) {
  constexpr uint32_t kMagnitude = (1u << (kExponent + kMantissa)) - 1;
  constexpr uint32_t kInfinity = kMagnitude >> kMantissa << kMantissa;
  const uint32_t magnitude = x.bits & kMagnitude;
  const uint32_t sign = (x.bits & (kMagnitude + 1)) << (31 - kExponent - kMantissa);
  uint32_t wide = magnitude << (23 - kMantissa);  // in place but for the exponent's bias
  if (kKind == SmallFloatKind::kIeee && magnitude == kInfinity)
    return bit_cast<float>(sign | 0x7f800000u);
  if (kKind == SmallFloatKind::kIeee && magnitude > kInfinity)
    return bit_cast<float>(sign | 0x7fc00000u);
  if (kKind == SmallFloatKind::kFn && magnitude == kMagnitude)
    return bit_cast<float>(sign | 0x7fc00000u);
  if (kKind == SmallFloatKind::kFnuz && magnitude == 0 && sign != 0)
    return bit_cast<float>(0x7fc00000u);
  // The product with a power of two is exact, and gives subnormal numbers their exponent.
  constexpr uint32_t kScale = (127u + 127u - kBias) << 23;
  wide = bit_cast<uint32_t>(bit_cast<float>(wide) * bit_cast<float>(kScale));
  return bit_cast<float>(sign | wide);
}

__host__ __device__ inline float to_float(F8E8M0FNU x) {
  if (x.bits == 0xff) return bit_cast<float>(0x7fc00000u);
  return bit_cast<float>(x.bits == 0 ? 0x00400000u : static_cast<uint32_t>(x.bits) << 23);
}

// --- rounding
// -------------------------------------------------------------------------------------------------

template <class Small>
struct RoundTo;

template <int kExponent, int kMantissa, int kBias, SmallFloatKind kKind>
struct RoundTo<SmallFloat<kExponent, kMantissa, kBias, kKind>> {
  template <class Float>
  __host__ __device__ static uint8_t bits(Float x) {
    using Bits = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
    constexpr int kWideMantissa = sizeof(Float) == 4 ? 23 : 52;
    constexpr int kWideBias = sizeof(Float) == 4 ? 127 : 1023;
    constexpr Bits kOne = 1;
    constexpr uint32_t kSign = 1u << (kExponent + kMantissa);
    constexpr uint32_t kInfinity = (kSign - 1) >> kMantissa << kMantissa;
    const Bits wide = bit_cast<Bits>(x);
    const uint32_t sign = wide >> (sizeof(Float) * 8 - 1) != 0 ? kSign : 0;

    if (isnan(x)) {
      switch (kKind) {
        case SmallFloatKind::kIeee:
          return static_cast<uint8_t>(sign | kInfinity | 1u << (kMantissa - 1));
        case SmallFloatKind::kFn:
          return static_cast<uint8_t>(sign | (kSign - 1));
        case SmallFloatKind::kFnuz:
          return static_cast<uint8_t>(kSign);
        case SmallFloatKind::kFinite:
          return static_cast<uint8_t>(sign ^ kSign);
      }
    }

    // Subnormal numbers drop more bits, and have the exponent of the smallest normal one. With two
    // bits more than the mantissa has, everything is dropped.
    const Bits mantissa = wide & ((kOne << kWideMantissa) - 1);
    int exponent =
        static_cast<int>(wide >> kWideMantissa & (2 * kWideBias + 1)) - kWideBias + kBias;
    int dropped = kWideMantissa - kMantissa;
    if (exponent < 1) {
      dropped = exponent < -kMantissa ? kWideMantissa + 2 : dropped + 1 - exponent;
      exponent = 1;
    }
    const Bits significand = mantissa | kOne << kWideMantissa;
    const Bits last =
        significand >> dropped & 1;  // of the bits that stay: a tie rounds to where it is 0
    const Bits rounded = (significand + (kOne << (dropped - 1)) - 1 + last) >> dropped;
    // A carry out of the mantissa runs into the exponent, as it should.
    uint32_t magnitude =
        static_cast<uint32_t>(rounded) + (static_cast<uint32_t>(exponent - 1) << kMantissa);

    switch (kKind) {
      case SmallFloatKind::kIeee:
        magnitude = magnitude < kInfinity ? magnitude : kInfinity;
        break;
      case SmallFloatKind::kFn:
      case SmallFloatKind::kFinite:
        magnitude = magnitude < kSign ? magnitude : kSign - 1;
        break;
      case SmallFloatKind::kFnuz:
        if (magnitude == 0) return 0;
        if (magnitude >= kSign) return static_cast<uint8_t>(kSign);
    }
    return static_cast<uint8_t>(sign | magnitude);
  }
};

// Ties go up. What is negative, zero (as a float) or beyond the largest power is NaN.
template <>
struct RoundTo<F8E8M0FNU> {
  __host__ __device__ static uint8_t bits(double x) {
    if (!(x > 0x1p-150) || isinf(x)) return 0xff;
    const uint64_t up =
        bit_cast<uint64_t>(x) + (uint64_t{1} << 51);  // to the next power from one and a half on
    const int power = static_cast<int>(up >> 52) - 1023 + 127;
    return static_cast<uint8_t>(power < 0 ? 0 : power > 0xff ? 0xff : power);
  }
};

template <class Small, class Float>
__host__ __device__ inline Small round_to(Float x) {
  static_assert(std::is_floating_point_v<Float>);
  return {RoundTo<Small>::bits(x)};
}

}  // namespace sinter_helpers
