#include "passes/analysis/loops/place_digits.h"

#include <algorithm>
#include <numeric>

#include "passes/analysis/values/constants.h"

namespace sinter {
namespace {

constexpr int kDeepest = 16;
constexpr int64_t kNoDimension = -1;
// Steps and rests that products and sums of two of leave far within 64 bits.
constexpr int64_t kLargest = int64_t{1} << 40;
constexpr PlaceDigits kAnything = {.modulus = 1};

// Where a result may have wrapped around, some multiple of what its type counts is added.
void wrap(DType dtype, PlaceDigits* digits) {
  constexpr int kMostBits = 62;
  digits->modulus = std::gcd(digits->modulus, int64_t{1} << std::min<int>(dtype_bits(dtype), kMostBits));
}

bool is_small(const PlaceDigits& digits) {
  return std::abs(digits.modulus) < kLargest && std::abs(digits.step) < kLargest && std::abs(digits.low) < kLargest &&
         std::abs(digits.high) < kLargest;
}

PlaceDigits sum_of(const PlaceDigits& a, const PlaceDigits& b) {
  return {std::gcd(a.modulus, b.modulus), a.step + b.step, a.low + b.low, a.high + b.high};
}

PlaceDigits product_of(const PlaceDigits& a, int64_t factor) {
  PlaceDigits product = {std::abs(a.modulus * factor), a.step * factor, a.low * factor, a.high * factor};
  if (product.low > product.high) std::swap(product.low, product.high);
  return product;
}

// Of numbers that are one or the other: those of x, or of x + n.
std::optional<PlaceDigits> either_of(const PlaceDigits& a, const PlaceDigits& b) {
  const int64_t apart = a.low - b.low;
  if (a.step != b.step || a.high - b.high != apart) return std::nullopt;
  return PlaceDigits{std::gcd(std::gcd(a.modulus, b.modulus), apart), b.step, b.low, b.high};
}

}  // namespace

PlaceDigits digits_of(const Instruction& value, int64_t dimension, const Ranges& ranges, int depth) {
  if (depth++ > kDeepest || !value.shape.is_array() || !is_integer(value.shape.dtype)) return kAnything;
  const DType dtype = value.shape.dtype;
  const auto of_range = [&] {
    const std::optional<Interval> range = ranges.of(value);
    if (!range || range == whole_range(dtype) || range->low <= -kLargest || range->high >= kLargest) {
      const bool is_narrow = dtype_bits(dtype) < 32;
      return is_narrow && range ? PlaceDigits{.low = range->low, .high = range->high} : kAnything;
    }
    return PlaceDigits{.low = range->low, .high = range->high};
  };
  const auto operand = [&](size_t i) { return digits_of(*value.operand(i), dimension, ranges, depth); };
  const auto arithmetic = [&](const PlaceDigits& result) {
    PlaceDigits digits = result;
    const std::optional<Interval> a = ranges.of(*value.operand(0)), b = ranges.of(*value.operand(1));
    const std::optional<ExactInterval> exact = a && b ? exact_result(value.opcode, *a, *b) : std::nullopt;
    if (!exact || !holds(dtype, *exact)) wrap(dtype, &digits);
    return is_small(digits) ? digits : of_range();
  };
  if (const std::optional<int64_t> number = splat_integer(value); number && std::abs(*number) < kLargest)
    return {.low = *number, .high = *number};
  switch (value.opcode) {
    case Opcode::kIota: {
      const bool fits = dimension != kNoDimension && value.shape.dims[dimension] - 1 <= integer_max(dtype);
      return fits && *value.attributes->iota_dimension == dimension ? PlaceDigits{.step = 1} : of_range();
    }
    case Opcode::kBroadcast: {
      const std::vector<int64_t>& dims = *value.attributes->dimensions;
      const auto found = std::find(dims.begin(), dims.end(), dimension);
      return digits_of(*value.operand(0), found == dims.end() ? kNoDimension : found - dims.begin(), ranges, depth);
    }
    case Opcode::kReshape: {
      if (dimension == kNoDimension) return operand(0);
      const std::optional<int64_t> before =
          dimension_before_reshape(value.operand(0)->shape.dims, value.shape.dims, dimension);
      return before ? digits_of(*value.operand(0), *before, ranges, depth) : of_range();
    }
    case Opcode::kCopy:
      return operand(0);
    case Opcode::kConvert: {
      const std::optional<Interval> from = ranges.of(*value.operand(0));
      return from && is_integer(value.operand(0)->shape.dtype) && holds(dtype, {from->low, from->high}) ? operand(0)
                                                                                                        : of_range();
    }
    case Opcode::kAdd:
      return arithmetic(sum_of(operand(0), operand(1)));
    case Opcode::kSubtract:
      return arithmetic(sum_of(operand(0), product_of(operand(1), -1)));
    case Opcode::kMultiply: {
      for (const size_t side : {size_t{0}, size_t{1}}) {
        const std::optional<int64_t> factor = splat_integer(*value.operand(side));
        constexpr int64_t kLargestFactor = 1 << 20;
        if (factor && std::abs(*factor) < kLargestFactor) return arithmetic(product_of(operand(1 - side), *factor));
      }
      return of_range();
    }
    case Opcode::kSelect: {
      const std::optional<Interval> choice = ranges.of(*value.operand(0));
      if (choice && choice->is_single()) return operand(choice->low != 0 ? 1 : 2);
      return either_of(operand(1), operand(2)).value_or(of_range());
    }
    default:
      return of_range();
  }
}

}  // namespace sinter
