// Conversions between double and the bit pattern of every float dtype (declared in literal.h).
//
// f64, f32, f16 and bf16 are converted directly; the formats of at most 8 bits through llvm::APFloat, but for
// f8e8m0fnu, which LLVM 19 does not know. Where XLA's choices are not obvious they follow the ml_dtypes library,
// which XLA converts with.
#include <bit>
#include <cmath>

#include "ir/support/diagnostics.h"
#include "ir/values/literal.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace sinter {
namespace {

struct DoubleParts {
  bool negative;
  int exponent;       // biased by 1023
  uint64_t mantissa;  // 52 bits
};

DoubleParts split(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  return {(bits >> 63) != 0, static_cast<int>(bits >> 52 & 0x7ff), bits & ((uint64_t{1} << 52) - 1)};
}

// Rounds `significand` * 2^-`dropped` to the nearest integer, ties to even.
uint64_t round_bits(uint64_t significand, int dropped) {
  if (dropped >= 64) return 0;
  const uint64_t kept = significand >> dropped;
  const uint64_t rest = significand & ((uint64_t{1} << dropped) - 1);
  const uint64_t half = uint64_t{1} << (dropped - 1);
  return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
}

// Double to an IEEE format with infinities and subnormals, narrower than double.
template <int kExponentBits, int kMantissaBits>
uint64_t narrow(double value) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  constexpr uint64_t kInfinity = ((uint64_t{1} << kExponentBits) - 1) << kMantissaBits;
  const DoubleParts parts = split(value);
  const uint64_t sign = uint64_t{parts.negative} << (kExponentBits + kMantissaBits);
  if (parts.exponent == 0x7ff) {
    if (parts.mantissa == 0) return sign | kInfinity;
    const uint64_t quiet = uint64_t{1} << (kMantissaBits - 1);
    return sign | kInfinity | quiet | parts.mantissa >> (52 - kMantissaBits);
  }
  if (parts.exponent == 0) return sign;  // doubles below 2^-1022 are far below every narrower subnormal
  const uint64_t significand = parts.mantissa | uint64_t{1} << 52;
  const int exponent = parts.exponent - 1023 + kBias;
  // A carry out of the mantissa runs into the exponent field, as it should, up to infinity.
  uint64_t magnitude = 0;
  if (exponent >= 1) {
    if (exponent >= (1 << kExponentBits) - 1) return sign | kInfinity;
    magnitude = round_bits(significand, 52 - kMantissaBits) + (static_cast<uint64_t>(exponent - 1) << kMantissaBits);
  } else {
    magnitude = round_bits(significand, 52 - kMantissaBits + 1 - exponent);
  }
  return sign | magnitude;
}

template <int kExponentBits, int kMantissaBits>
double widen(uint64_t bits) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  const uint64_t sign = (bits >> (kExponentBits + kMantissaBits) & 1) << 63;
  const int exponent = static_cast<int>(bits >> kMantissaBits & ((uint64_t{1} << kExponentBits) - 1));
  const uint64_t mantissa = bits & ((uint64_t{1} << kMantissaBits) - 1);
  if (exponent == 0) {
    const double magnitude = std::ldexp(static_cast<double>(mantissa), 1 - kBias - kMantissaBits);
    return sign != 0 ? -magnitude : magnitude;
  }
  const bool special = exponent == (1 << kExponentBits) - 1;
  const uint64_t wide_exponent = special ? 0x7ff : static_cast<uint64_t>(exponent - kBias + 1023);
  return std::bit_cast<double>(sign | wide_exponent << 52 | mantissa << (52 - kMantissaBits));
}

// f8e8m0fnu: 2^(bits - 127), 0xff is NaN; no sign, no zero. Ties go up; zero becomes NaN, but no number above it that
// f32 has.
double scale_from_bits(uint64_t bits) {
  if (bits == 0xff) return std::nan("");
  return std::ldexp(1.0, static_cast<int>(bits) - 127);
}

uint64_t scale_to_bits(double value) {
  if (!(value > 0) || std::isinf(value)) return 0xff;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  const int biased = exponent - 1 + (fraction >= 0.75 ? 1 : 0) + 127;
  if (biased < 0) return value > std::ldexp(1.0, -150) ? 0 : 0xff;  // up to there f32 rounds to zero
  return biased >= 0xff ? 0xff : static_cast<uint64_t>(biased);
}

const llvm::fltSemantics& semantics(DType dtype) {
  switch (dtype) {
    case DType::kF4E2M1FN:
      return llvm::APFloat::Float4E2M1FN();
    case DType::kF6E2M3FN:
      return llvm::APFloat::Float6E2M3FN();
    case DType::kF6E3M2FN:
      return llvm::APFloat::Float6E3M2FN();
    case DType::kF8E4M3:
      return llvm::APFloat::Float8E4M3();
    case DType::kF8E4M3FN:
      return llvm::APFloat::Float8E4M3FN();
    case DType::kF8E4M3FNUZ:
      return llvm::APFloat::Float8E4M3FNUZ();
    case DType::kF8E4M3B11FNUZ:
      return llvm::APFloat::Float8E4M3B11FNUZ();
    case DType::kF8E5M2:
      return llvm::APFloat::Float8E5M2();
    case DType::kF8E5M2FNUZ:
      return llvm::APFloat::Float8E5M2FNUZ();
    default:
      throw InternalError("float_bits", "not a small float type: " + std::string(dtype_name(dtype)));
  }
}

double small_from_bits(DType dtype, uint64_t bits) {
  const unsigned width = static_cast<unsigned>(dtype_bits(dtype));
  const uint64_t mask = (uint64_t{1} << width) - 1;
  return llvm::APFloat(semantics(dtype), llvm::APInt(width, bits & mask)).convertToDouble();
}

uint64_t small_to_bits(DType dtype, double value) {
  const llvm::fltSemantics& format = semantics(dtype);
  const uint64_t sign_bit = uint64_t{1} << (dtype_bits(dtype) - 1);
  // The formats of 4 and 6 bits have neither infinities nor NaN: they saturate, and NaN becomes a zero.
  if (dtype_bits(dtype) < 8) {
    if (std::isnan(value)) return std::signbit(value) ? 0 : sign_bit;
    if (std::isinf(value)) value = std::copysign(1e30, value);
  }
  llvm::APFloat result(value);
  bool loses_info = false;
  result.convert(format, llvm::APFloat::rmNearestTiesToEven, &loses_info);
  return result.bitcastToAPInt().getZExtValue();
}

}  // namespace

double float_from_bits(DType dtype, uint64_t bits) {
  switch (dtype) {
    case DType::kF64:
      return std::bit_cast<double>(bits);
    case DType::kF32:
      return widen<8, 23>(bits);
    case DType::kF16:
      return widen<5, 10>(bits);
    case DType::kBF16:
      return widen<8, 7>(bits);
    case DType::kF8E8M0FNU:
      return scale_from_bits(bits & 0xff);
    case DType::kF8E3M4:
      return widen<3, 4>(bits);
    default:
      return small_from_bits(dtype, bits);
  }
}

uint64_t float_to_bits(DType dtype, double value) {
  switch (dtype) {
    case DType::kF64:
      return std::bit_cast<uint64_t>(value);
    case DType::kF32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case DType::kF16:
      return narrow<5, 10>(value);
    case DType::kBF16:
      return narrow<8, 7>(value);
    case DType::kF8E8M0FNU:
      return scale_to_bits(value);
    case DType::kF8E3M4:
      return narrow<3, 4>(value);
    default:
      return small_to_bits(dtype, value);
  }
}

}  // namespace sinter
