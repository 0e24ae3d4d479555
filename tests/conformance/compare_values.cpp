// Comparing arrays element by element.
#include "tests/conformance/compare_values.h"

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

int64_t key_of(const Literal& literal, int64_t index) {
  const DType dtype = literal.shape().dtype;
  uint64_t bits = 0;
  const auto bytes = static_cast<size_t>(dtype_bytes(dtype));
  std::memcpy(&bits, literal.bytes().data() + static_cast<size_t>(index) * bytes, bytes);
  return order_key(bits, dtype_bits(dtype), dtype != DType::kF8E8M0FNU);
}

bool agrees(const Literal& got, const Literal& expected, int64_t index, const ValueCheck& check) {
  return agrees(got.real_at(index), expected.real_at(index), check,
                [&] { return key_of(got, index) - key_of(expected, index); });
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
