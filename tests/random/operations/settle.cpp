#include "tests/random/operations/settle.h"

#include <algorithm>
#include <optional>

namespace sinter {
namespace {

// How far from its value a function of the type may be, relative to that. More than any library leaves.
double function_error(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return 0x1p-46;
    case DType::kC128:
      return 0x1p-40;
    case DType::kC64:
      return 0x1p-17;
    default:
      return 0x1p-19;
  }
}

double as_number_of(DType dtype, double value) {
  Literal literal(Shape::scalar(dtype));
  literal.set_real(0, value);
  return literal.real_at(0);
}

// As reduce-precision rounds a number in the middle of its type's range.
double with_mantissa_bits(double value, int64_t bits) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, static_cast<int>(bits) + 1)),
                    exponent - static_cast<int>(bits) - 1);
}

struct FloatBits {
  int64_t exponent, mantissa;
};

// Of types that reduce-precision can round; smaller ones have few enough bits as they are.
std::optional<FloatBits> float_bits(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return FloatBits{11, 52};
    case DType::kF32:
      return FloatBits{8, 23};
    case DType::kF16:
      return FloatBits{5, 10};
    case DType::kBF16:
      return FloatBits{8, 7};
    default:
      return std::nullopt;
  }
}

// All numbers as near to a value as a library's comes are one number when rounded to that many bits.
bool all_steady(DType dtype, const std::vector<double>& values, int64_t mantissa_bits) {
  return std::all_of(values.begin(), values.end(), [&](double value) {
    if (!std::isfinite(value)) return true;
    const double error = std::fabs(value) * function_error(dtype);
    const double low = as_number_of(dtype, value - error), high = as_number_of(dtype, value + error);
    return with_mantissa_bits(low, mantissa_bits) == with_mantissa_bits(high, mantissa_bits);
  });
}

// Times 2^bits, no part is near the middle between two integers.
bool all_steady(DType dtype, const std::vector<std::complex<double>>& values, int bits) {
  return std::all_of(values.begin(), values.end(), [&](std::complex<double> value) {
    const double error = std::ldexp(std::abs(value) * function_error(dtype), bits);
    const auto steady = [&](double part) {
      part = std::ldexp(part, bits);
      return std::fabs(part - std::floor(part) - 0.5) > error;
    };
    return error < 0.25 && std::ldexp(std::abs(value), bits) < 0x1p20 && steady(value.real()) && steady(value.imag());
  });
}

// One real part, times `factor`.
Term integers(Draft& draft, Instruction* value, double factor, double magnitude) {
  const DType dtype = value->shape.dtype;
  const Sizes& dims = value->shape.dims;
  if (factor != 1) value = add_node(draft, Opcode::kMultiply, {value, splat(draft, dtype, factor, dims).node});
  Instruction* rounded = add_node(draft, Opcode::kRoundNearestEven, {value});
  Instruction* zero = splat(draft, dtype, 0, dims).node;
  return term_of(draft, add_node(draft, Opcode::kAdd, {rounded, zero}),
                 {.magnitude = std::ceil(magnitude), .integral = true});
}

Term integers_of_parts(Draft& draft, Instruction* value, double factor, double magnitude) {
  if (!is_complex(value->shape.dtype)) return integers(draft, value, factor, magnitude);
  const Term re = integers(draft, add_node(draft, Opcode::kReal, {value}), factor, magnitude);
  const Term im = integers(draft, add_node(draft, Opcode::kImag, {value}), factor, magnitude);
  return add(draft, Opcode::kComplex, {re, im}, re.facts);
}

}  // namespace

Term settle_integers(Draft& draft, Instruction* value, double magnitude) {
  return integers_of_parts(draft, value, 1, magnitude);
}

bool settle_floats(Draft& draft, Instruction* value, const std::vector<double>& values) {
  const DType dtype = value->shape.dtype;
  constexpr int64_t kAllBits = 52;
  double magnitude = 0;
  for (const double number : values) magnitude = std::max(magnitude, std::isnan(number) ? INFINITY : std::fabs(number));
  const Facts facts = rounded(dtype, magnitude, false);
  if (dtype != DType::kF32 && dtype != DType::kF64 && all_steady(dtype, values, kAllBits)) {
    term_of(draft, value, facts);
    return true;
  }
  const std::optional<FloatBits> bits = float_bits(dtype);
  Attributes attributes;
  for (int64_t mantissa = bits ? bits->mantissa - 1 : 0; mantissa > 1; --mantissa) {
    if (!all_steady(dtype, values, mantissa)) continue;
    attributes.exponent_bits = bits->exponent;
    attributes.mantissa_bits = mantissa;
    term_of(draft, add_node(draft, Opcode::kReducePrecision, {value}, attributes), facts);
    return true;
  }
  draft.computation->remove(value);
  return false;
}

bool settle_parts(Draft& draft, Instruction* value, const std::vector<std::complex<double>>& values) {
  double magnitude = 0;
  for (const std::complex<double> number : values) magnitude = std::max(magnitude, std::abs(number));
  const bool wide = value->shape.dtype == DType::kC128 || value->shape.dtype == DType::kF64;
  const DType dtype = wide ? DType::kC128 : DType::kC64;
  for (int bits = 10; bits >= 0; --bits) {
    if (!all_steady(dtype, values, bits)) continue;
    integers_of_parts(draft, value, std::ldexp(1, bits), std::ldexp(magnitude, bits));
    return true;
  }
  draft.computation->remove(value);
  return false;
}

}  // namespace sinter
