// Element by element, reporting for each tensor how many are wrong and the worst of them.
#include "driver/tensors/compare.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace sinter {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

// Complex as twice as many floats.
Literal parts(const Literal& literal) {
  const DType dtype = literal.shape().dtype;
  if (!is_complex(dtype)) return literal;
  Literal flat(Shape::array(dtype == DType::kC64 ? DType::kF32 : DType::kF64, {2 * literal.element_count()}));
  std::memcpy(flat.mutable_bytes().data(), literal.bytes().data(), literal.bytes().size());
  return flat;
}

std::string index_text(const Shape& shape, int64_t linear) {
  const bool complex = is_complex(shape.dtype);
  int64_t rest = complex ? linear / 2 : linear;
  std::string text;
  for (size_t i = shape.dims.size(); i-- > 0;) {
    text = std::to_string(rest % shape.dims[i]) + (text.empty() ? "" : "," + text);
    rest /= shape.dims[i];
  }
  return "[" + text + "]" + (!complex ? "" : linear % 2 == 0 ? ".real" : ".imag");
}

// Bit patterns as integers in the order of the numbers, the two zeros together.
int64_t ordered(const Literal& literal, int64_t index) {
  const int bytes = dtype_bytes(literal.shape().dtype);
  uint64_t bits = 0;
  std::memcpy(&bits, literal.bytes().data() + index * bytes, bytes);
  if (literal.shape().dtype == DType::kF8E8M0FNU) return static_cast<int64_t>(bits);
  const uint64_t sign = uint64_t{1} << (dtype_bits(literal.shape().dtype) - 1);
  return (bits & sign) ? -static_cast<int64_t>(bits & ~sign) : static_cast<int64_t>(bits);
}

double ulp_distance(const Literal& a, const Literal& b, int64_t index) {
  // The difference of two numbers of one type fits unsigned arithmetic; as doubles, they would be rounded first.
  const int64_t x = ordered(a, index), y = ordered(b, index);
  return static_cast<double>(x > y ? static_cast<uint64_t>(x) - static_cast<uint64_t>(y)
                                   : static_cast<uint64_t>(y) - static_cast<uint64_t>(x));
}

struct Difference {
  bool right = true;
  double error = 0;  // absolute
  double ulp = 0;
  double badness = 0;  // error over what is allowed
};

Difference float_difference(const Literal& got, const Literal& expected, int64_t index, const Tolerance& tolerance) {
  const double g = got.real_at(index), e = expected.real_at(index);
  if (std::isnan(g) && std::isnan(e)) return {};
  if (g == e) return {};
  if (!std::isfinite(g) || !std::isfinite(e)) return {false, kInfinity, kInfinity, kInfinity};
  Difference difference;
  difference.error = std::abs(g - e);
  difference.ulp = ulp_distance(got, expected, index);
  const double allowed = tolerance.atol + tolerance.rtol * std::abs(e);
  difference.right = difference.error <= allowed || difference.ulp <= static_cast<double>(tolerance.ulp);
  difference.badness = allowed > 0 ? difference.error / allowed : difference.ulp;
  return difference;
}

std::string compare_floats(const Literal& got, const Literal& expected, const Shape& shape, const Tolerance& tolerance,
                           bool& ok) {
  int64_t wrong = 0, worst_index = 0;
  Difference worst;
  const int64_t count = got.element_count();
  for (int64_t i = 0; i < count; ++i) {
    const Difference difference = float_difference(got, expected, i, tolerance);
    if (!difference.right) ++wrong;
    const bool worse = difference.right == worst.right ? difference.badness > worst.badness : !difference.right;
    if (worse) {
      worst = difference;
      worst_index = i;
    }
  }
  if (wrong == 0 && worst.error == 0) return "ok, equal";
  const std::string place = index_text(shape, worst_index);
  const std::string size = number(worst.error) + " (" + number(worst.ulp) + " ulp)";
  if (wrong == 0) return "ok, largest difference " + size + " at " + place;
  ok = false;
  return std::to_string(wrong) + " of " + std::to_string(count) + " elements are wrong; worst at " + place + ": got " +
         number(got.real_at(worst_index)) + ", expected " + number(expected.real_at(worst_index)) + ", difference " +
         size;
}

std::string compare_exactly(const Literal& got, const Literal& expected, const Shape& shape, bool& ok) {
  int64_t wrong = 0, first = 0;
  const int64_t count = got.element_count();
  for (int64_t i = 0; i < count; ++i) {
    if (got.integer_at(i) == expected.integer_at(i)) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return "ok, equal";
  ok = false;
  return std::to_string(wrong) + " of " + std::to_string(count) + " elements are wrong; first at " +
         index_text(shape, first) + ": got " + std::to_string(got.integer_at(first)) + ", expected " +
         std::to_string(expected.integer_at(first));
}

}  // namespace

Comparison compare(const std::vector<Literal>& got, const std::vector<Literal>& expected, const Tolerance& tolerance) {
  Comparison result;
  if (got.size() != expected.size()) {
    return {false, std::to_string(got.size()) + " outputs, expected " + std::to_string(expected.size()) + "\n"};
  }
  for (size_t i = 0; i < got.size(); ++i) {
    const Shape& shape = got[i].shape();
    std::string verdict;
    if (!shape.same_type(expected[i].shape())) {
      result.ok = false;
      verdict = "expected " + to_string(expected[i].shape(), false);
    } else if (is_float(shape.dtype) || is_complex(shape.dtype)) {
      verdict = compare_floats(parts(got[i]), parts(expected[i]), shape, tolerance, result.ok);
    } else {
      verdict = compare_exactly(got[i], expected[i], shape, result.ok);
    }
    result.text += "output " + std::to_string(i) + " " + to_string(shape, false) + ": " + verdict + "\n";
  }
  return result;
}

}  // namespace sinter
