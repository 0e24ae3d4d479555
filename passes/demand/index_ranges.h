// What is known of index expressions: which values a type holds, whether a range lies within limits, whether data say
// what they are.
#pragma once

#include <cstdint>

#include "ir/index/index_expr.h"
#include "ir/values/dtype.h"

namespace sinter {

inline IndexRange dtype_range(DType dtype) {
  const int bits = dtype_bits(dtype);
  switch (dtype_class(dtype)) {
    case DTypeClass::kSigned:
      if (bits >= 64) return {INT64_MIN / 4, INT64_MAX / 4};
      return {-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1};
    case DTypeClass::kUnsigned:
      if (bits >= 62) return {0, INT64_MAX / 4};
      return {0, (int64_t{1} << bits) - 1};
    default:
      return {0, 1};
  }
}

inline bool inside(const IndexRange& range, const IndexRange& limits) {
  return range.low >= limits.low && range.high <= limits.high;
}

// No value of the range is in [low, high).
inline bool outside_of(const IndexRange& range, int64_t low, int64_t high) {
  return range.high < low || range.low >= high;
}

// Something in it is computed; else it is of coordinates alone.
inline bool depends_on_data(const IndexExpr& expr) {
  bool found = false;
  expr.visit_leaves([&](const IndexExpr::Atom& atom) { found |= atom.kind == IndexExpr::AtomKind::kValue; });
  return found;
}

}  // namespace sinter
