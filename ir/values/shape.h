// Shapes: the type of an HLO value. An array has an element type, dimensions and perhaps a layout; a
// tuple has element shapes; a token only orders side effects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/values/dtype.h"

namespace sinter {

// `{1,0:T(8,128)}`: minor_to_major is {1,0}, properties is "T(8,128)" kept as written.
struct Layout {
  std::vector<int64_t> minor_to_major;
  std::string properties;
  bool operator==(const Layout&) const = default;
};

struct Shape {
  // kBuffer is `b(f32[4])`, recognised and refused; its content is elements[0].
  enum class Kind : uint8_t { kArray, kTuple, kToken, kOpaque, kBuffer };

  // The size of a `?` dimension.
  static constexpr int64_t kUnbounded = INT64_MIN;

  Kind kind = Kind::kArray;
  DType dtype = DType::kF32;
  std::vector<int64_t> dims;     // for `<=N` the bound N, for `?` kUnbounded
  std::vector<bool> dynamic;     // empty when every dimension is static
  std::optional<Layout> layout;  // nullopt where the text gives none: row-major
  std::vector<Shape> elements;   // of a tuple

  static Shape array(DType dtype, std::vector<int64_t> dims);
  static Shape scalar(DType dtype) { return array(dtype, {}); }
  static Shape tuple(std::vector<Shape> elements);
  static Shape token();

  bool is_array() const { return kind == Kind::kArray; }
  bool is_tuple() const { return kind == Kind::kTuple; }
  bool is_scalar() const { return is_array() && dims.empty(); }
  bool is_static() const;  // no dynamic dimension, in a tuple's elements either
  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  // Product of dims. The parser and verifier guarantee that bytes() fits int64_t (kMaxBytes).
  int64_t element_count() const;
  // Bytes of an array, or the sum over a tuple's elements; tokens take none.
  int64_t bytes() const;

  // Equal but for layouts (recursively).
  bool same_type(const Shape& other) const;
  // Exactly equal, layouts too.
  bool operator==(const Shape&) const = default;
};

// The largest array a module may declare, in bytes (2^46: more than any device holds).
inline constexpr int64_t kMaxBytes = int64_t{1} << 46;

// "f32[2,3]{1,0}"; tuples as XLA prints them, with /*index=5*/ comments.
std::string to_string(const Shape& shape, bool with_layout = true);

// The layout, or the row-major default of that rank.
std::vector<int64_t> minor_to_major(const Shape& shape);
bool is_row_major(const Shape& shape);

// Row-major strides, in elements.
std::vector<int64_t> strides(const std::vector<int64_t>& dims);

}  // namespace sinter
