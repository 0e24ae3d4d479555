// Comparing arrays element by element.
#include "tests/conformance/compare_values.h"

#include <cmath>
#include <cstring>
#include <sstream>

namespace sinter {
namespace {

// Complex numbers are looked at as twice as many reals.
Literal as_reals(const Literal& literal) {
  const Shape& shape = literal.shape();
  if (!is_complex(shape.dtype)) return literal;
  const DType part = shape.dtype == DType::kC64 ? DType::kF32 : DType::kF64;
  return literal.with_shape(Shape::array(part, {2 * literal.element_count()}));
}

// Neighbouring numbers have neighbouring keys; both zeros have the key 0.
int64_t order_key(const Literal& literal, int64_t index) {
  const DType dtype = literal.shape().dtype;
  uint64_t bits = 0;
  const auto bytes = static_cast<size_t>(dtype_bytes(dtype));
  std::memcpy(&bits, literal.bytes().data() + static_cast<size_t>(index) * bytes, bytes);
  if (dtype == DType::kF8E8M0FNU) return static_cast<int64_t>(bits);
  const uint64_t sign = uint64_t{1} << (dtype_bits(dtype) - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

bool agrees(const Literal& got, const Literal& expected, int64_t index, const ValueCheck& check) {
  const double x = got.real_at(index);
  const double y = expected.real_at(index);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  if (x == y) return true;
  if (std::isinf(x) || std::isinf(y)) return false;
  if (check.relaxed) return std::abs(x - y) <= *check.relaxed * std::max(std::abs(y), 1.0);
  if (check.max_ulp) {
    const int64_t distance = order_key(got, index) - order_key(expected, index);
    if (distance <= *check.max_ulp && -distance <= *check.max_ulp) return true;
  }
  return std::abs(x - y) <= check.absolute + check.relative * std::abs(y);
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

}  // namespace

std::string difference(const Literal& got, const Literal& expected, const ValueCheck& check) {
  if (!got.shape().same_type(expected.shape())) {
    return "shape " + to_string(got.shape()) + ", expected " + to_string(expected.shape());
  }
  const Literal x = as_reals(got);
  const Literal y = as_reals(expected);
  const bool is_exact = !is_float(x.shape().dtype);
  for (int64_t i = 0; i < x.element_count(); ++i) {
    if (is_exact && x.integer_at(i) == y.integer_at(i)) continue;
    if (!is_exact && agrees(x, y, i, check)) continue;
    return "element " + std::to_string(i) + " is " + number(x.real_at(i)) + ", expected " + number(y.real_at(i));
  }
  return "";
}

}  // namespace sinter
