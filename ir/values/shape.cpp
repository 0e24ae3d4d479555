// Shapes: sizes, comparison and text.
//
// Functions that walk tuples recurse; the parser limits how deeply shapes nest.
#include "ir/values/shape.h"

#include <algorithm>

namespace sinter {
namespace {

// Products and sums of sizes stop at the largest int64_t instead of overflowing, so that a shape which is too
// large is seen to be too large by whoever compares with kMaxBytes.
int64_t saturating_multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

int64_t saturating_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

void append_dims(const Shape& shape, std::string& text) {
  text += '[';
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    if (i > 0) text += ',';
    if (shape.dims[i] == Shape::kUnbounded) {
      text += '?';
      continue;
    }
    if (i < shape.dynamic.size() && shape.dynamic[i]) text += "<=";
    text += std::to_string(shape.dims[i]);
  }
  text += ']';
}

// A scalar has no order to print; it shows its layout only for the properties: f32[]{:S(5)}.
void append_layout(const Layout& layout, std::string& text) {
  if (layout.minor_to_major.empty() && layout.properties.empty()) return;
  text += '{';
  for (size_t i = 0; i < layout.minor_to_major.size(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(layout.minor_to_major[i]);
  }
  if (!layout.properties.empty()) text += ":" + layout.properties;
  text += '}';
}

void append_shape(const Shape& shape, bool with_layout, std::string& text) {
  switch (shape.kind) {
    case Shape::Kind::kArray:
      text += dtype_name(shape.dtype);
      append_dims(shape, text);
      break;
    case Shape::Kind::kTuple:
      text += '(';
      for (size_t i = 0; i < shape.elements.size(); ++i) {
        if (i > 0) text += ", ";
        if (i > 0 && i % 5 == 0) text += "/*index=" + std::to_string(i) + "*/";
        append_shape(shape.elements[i], with_layout, text);
      }
      text += ')';
      return;
    case Shape::Kind::kToken:
      text += "token[]";
      break;
    case Shape::Kind::kOpaque:
      text += "opaque[]";
      break;
    case Shape::Kind::kBuffer:
      text += "b(";
      for (const Shape& content : shape.elements) append_shape(content, with_layout, text);
      text += ')';
      break;
  }
  if (with_layout && shape.layout) append_layout(*shape.layout, text);
}

}  // namespace

Shape Shape::array(DType dtype, std::vector<int64_t> dims) {
  Shape shape;
  shape.dtype = dtype;
  shape.dims = std::move(dims);
  return shape;
}

Shape Shape::tuple(std::vector<Shape> elements) {
  Shape shape;
  shape.kind = Kind::kTuple;
  shape.elements = std::move(elements);
  return shape;
}

Shape Shape::token() {
  Shape shape;
  shape.kind = Kind::kToken;
  return shape;
}

bool Shape::is_static() const {
  if (std::find(dynamic.begin(), dynamic.end(), true) != dynamic.end()) return false;
  if (std::find(dims.begin(), dims.end(), kUnbounded) != dims.end()) return false;
  return std::all_of(elements.begin(), elements.end(), [](const Shape& element) { return element.is_static(); });
}

int64_t Shape::element_count() const {
  int64_t count = 1;
  bool unbounded = false;
  for (const int64_t dim : dims) {
    if (dim == kUnbounded) {
      unbounded = true;
    } else if (dim <= 0) {
      return 0;
    } else {
      count = saturating_multiply(count, dim);
    }
  }
  return unbounded ? INT64_MAX : count;
}

int64_t Shape::bytes() const {
  if (kind == Kind::kArray) return saturating_multiply(element_count(), dtype_bytes(dtype));
  int64_t total = 0;
  for (const Shape& element : elements) total = saturating_add(total, element.bytes());
  return total;
}

bool Shape::same_type(const Shape& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::kArray) {
    const auto is_dynamic = [](const Shape& shape, size_t i) { return i < shape.dynamic.size() && shape.dynamic[i]; };
    if (dtype != other.dtype || dims != other.dims) return false;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (is_dynamic(*this, i) != is_dynamic(other, i)) return false;
    }
    return true;
  }
  return std::equal(elements.begin(), elements.end(), other.elements.begin(), other.elements.end(),
                    [](const Shape& a, const Shape& b) { return a.same_type(b); });
}

std::string to_string(const Shape& shape, bool with_layout) {
  std::string text;
  append_shape(shape, with_layout, text);
  return text;
}

std::vector<int64_t> minor_to_major(const Shape& shape) {
  if (shape.layout) return shape.layout->minor_to_major;
  std::vector<int64_t> order;
  for (int64_t i = shape.rank() - 1; i >= 0; --i) order.push_back(i);
  return order;
}

bool is_row_major(const Shape& shape) {
  if (!shape.layout) return true;
  const std::vector<int64_t>& order = shape.layout->minor_to_major;
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<int64_t>(order.size() - 1 - i)) return false;
  }
  return true;
}

std::vector<int64_t> strides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> result(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    result[i] = stride;
    stride = saturating_multiply(stride, std::max<int64_t>(dims[i], 0));
  }
  return result;
}

}  // namespace sinter
