// Floats are the shortest decimal that reads back as the same bits, always with a point or an exponent; narrower ones
// the shortest float that rounds to them. A NaN that is not the default one, and one of 8 bits, is written by its bits.
#include "emitter/text/spell_literal.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

uint64_t bits_of(const Literal& literal) {
  uint64_t bits = 0;
  std::memcpy(&bits, literal.bytes().data(), literal.bytes().size());
  return bits;
}

std::string hexadecimal(uint64_t bits) {
  char digits[20];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, bits, 16);
  return "0x" + std::string(digits, end.ptr);
}

// "1e-05" becomes "1e-5", "25" becomes "25.0".
std::string tidy(std::string digits) {
  const size_t exponent = digits.find('e');
  if (exponent == std::string::npos) return digits.find('.') == std::string::npos ? digits + ".0" : digits;
  size_t first = exponent + 1;
  const bool negative = digits[first] == '-';
  if (digits[first] == '-' || digits[first] == '+') ++first;
  while (first + 1 < digits.size() && digits[first] == '0') ++first;
  return digits.substr(0, exponent + 1) + (negative ? "-" : "") + digits.substr(first);
}

template <class Real>
std::string shortest_decimal(Real value) {
  // Plain notation where it stays short.
  const Real magnitude = std::fabs(value);
  const bool plain = magnitude == 0 || (magnitude >= Real(1e-4) && magnitude < Real(1e9));
  char digits[64];
  const std::chars_format format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value, format);
  return tidy(std::string(digits, end.ptr));
}

// The shortest decimal d such that float(d) rounds to the bits of `dtype` that `value` has.
std::string shortest_narrow_decimal(DType dtype, float value) {
  const uint64_t bits = float_to_bits(dtype, value);
  for (int precision = 0; precision < 9; ++precision) {
    char digits[64];
    const std::to_chars_result end =
        std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific, precision);
    float candidate = 0;
    std::from_chars(digits, end.ptr, candidate);
    if (float_to_bits(dtype, candidate) == bits) return shortest_decimal(candidate);
  }
  return shortest_decimal(value);
}

LiteralText by_bits(DType dtype, const Literal& literal) {
  const std::string type(dtype_cuda_name(dtype));
  std::string bits = hexadecimal(bits_of(literal));
  if (dtype_bits(dtype) == 16) {
    bits = "uint16_t(" + bits + ")";
  } else {
    bits += dtype_bits(dtype) == 64 ? "ULL" : "u";
  }
  return {"bit_cast<" + type + ">(" + bits + ")", {"device/bit_cast.cuh"}};
}

LiteralText spell_float(const Literal& literal) {
  const DType dtype = literal.shape().dtype;
  const double value = literal.real_at(0);
  const bool narrow = dtype_bits(dtype) < 32;
  const bool small = dtype_bits(dtype) <= 8;
  if (small && std::isnan(value)) {
    return {std::string(dtype_cuda_name(dtype)) + "{" + hexadecimal(bits_of(literal)) + "}",
            {"device/small_float.cuh"}};
  }
  const uint64_t default_nan = dtype == DType::kF64   ? 0x7ff8000000000000u
                               : dtype == DType::kF32 ? 0x7fc00000u
                               : dtype == DType::kF16 ? 0x7e00u
                                                      : 0x7fc0u;
  if (std::isnan(value) && bits_of(literal) != default_nan) return by_bits(dtype, literal);

  std::string sign, digits;
  if (std::isnan(value)) {
    digits = "NAN";
  } else if (std::isinf(value)) {
    digits = "INFINITY";
    sign = value < 0 ? "-" : "";
  } else if (dtype == DType::kF64) {
    return {shortest_decimal(value), {}};
  } else {
    const float single = static_cast<float>(value);
    digits = (narrow ? shortest_narrow_decimal(dtype, single) : shortest_decimal(single)) + "f";
  }
  if (dtype == DType::kF64) return {sign + "double(" + digits + ")", {}};
  if (dtype == DType::kF32) return {sign + digits, {}};
  if (small) {
    return {"round_to<" + std::string(dtype_cuda_name(dtype)) + ">(" + sign + digits + ")", {"device/small_float.cuh"}};
  }
  return {(dtype == DType::kF16 ? "to_half(" : "to_bfloat16(") + sign + digits + ")", {"device/half.cuh"}};
}

std::string spell_integer(const Literal& literal) {
  const DType dtype = literal.shape().dtype;
  const bool wide = dtype_bits(dtype) == 64;
  const int64_t value = literal.integer_at(0);
  if (dtype_class(dtype) == DTypeClass::kUnsigned) {
    return std::to_string(static_cast<uint64_t>(value)) + (wide ? "ULL" : "u");
  }
  const std::string suffix = wide ? "LL" : "";
  if (dtype_bits(dtype) == 32 && value == INT32_MIN) return "INT32_MIN";
  if (dtype_bits(dtype) == 32 && value == INT32_MAX) return "INT32_MAX";
  // The magnitude of the lowest value has no literal of its type.
  if (value == INT64_MIN) return std::to_string(value + 1) + suffix + " - 1";
  return std::to_string(value) + suffix;
}

// Real or imaginary part, as a literal of its own.
Literal part(const Literal& literal, int index) {
  const DType dtype = literal.shape().dtype == DType::kC64 ? DType::kF32 : DType::kF64;
  Literal result(Shape::scalar(dtype));
  const size_t size = result.bytes().size();
  std::memcpy(result.mutable_bytes().data(), literal.bytes().data() + index * size, size);
  return result;
}

}  // namespace

LiteralText spell_literal(const Literal& literal) {
  check(literal.shape().is_array() && literal.element_count() == 1 && !literal.is_elided(), "spell_literal",
        "a literal in an expression is a scalar with a value");
  switch (dtype_class(literal.shape().dtype)) {
    case DTypeClass::kPredicate:
      return {literal.integer_at(0) != 0 ? "true" : "false", {}};
    case DTypeClass::kSigned:
    case DTypeClass::kUnsigned:
      return {spell_integer(literal), {}};
    case DTypeClass::kFloat:
      return spell_float(literal);
    case DTypeClass::kComplex: {
      const LiteralText real = spell_float(part(literal, 0)), imag = spell_float(part(literal, 1));
      LiteralText both = {"{" + real.text + ", " + imag.text + "}", {"device/complex.cuh"}};
      for (const LiteralText* one : {&real, &imag}) {
        both.headers.insert(both.headers.end(), one->headers.begin(), one->headers.end());
      }
      return both;
    }
  }
  throw InternalError("spell_literal", "unknown dtype");
}

LiteralText typed_literal(const Literal& literal) {
  LiteralText spelled = spell_literal(literal);
  const DType dtype = literal.shape().dtype;
  const std::string type(dtype_cuda_name(dtype));
  if (is_complex(dtype)) spelled.text = type + spelled.text;
  if (is_integer(dtype) && dtype_bits(dtype) != 32) {
    // The conversion gives the type: no suffix is needed but for what does not fit an int.
    if (dtype_bits(dtype) < 32 && spelled.text.back() == 'u') spelled.text.pop_back();
    const int64_t value = literal.integer_at(0);
    const int64_t lowest = is_signed_integer(dtype) ? -INT32_MAX : 0;
    if (dtype_bits(dtype) == 64 && value >= lowest && value <= INT32_MAX) {
      spelled.text = std::to_string(value);
    }
    spelled.text = type + "(" + spelled.text + ")";
  }
  return spelled;
}

}  // namespace sinter
