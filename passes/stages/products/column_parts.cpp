#include "passes/stages/products/column_parts.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "ir/values/dtype.h"
#include "passes/stages/products/form_text.h"

namespace sinter {

namespace {

constexpr int64_t kMostColumnParts = 8;
constexpr int64_t kRunBytes = 32;  // that are read from memory at once
constexpr int64_t kNarrowTile = 32;
constexpr int64_t kTileApart = 64;               // whose columns are all of one part
constexpr int64_t kLeastRun = 4, kMostRun = 16;  // the results of a thread are side by side in one

}  // namespace

IndexExpr ColumnParts::column_at(const IndexExpr& place) const {
  if (count == 1) return place;
  return place.floor_div(run).floor_mod(count) * size + result_at(place);
}

IndexExpr ColumnParts::result_at(const IndexExpr& place) const {
  return place.floor_div(run * count) * run + place.floor_mod(run);
}

std::optional<ColumnParts> column_parts(const Instruction& dot, int64_t n, int64_t columns) {
  if (columns == n) return ColumnParts{.size = n};
  // A convolution's columns are where it is, or its features: JAX writes no gates of those.
  if (columns <= 0 || n % columns != 0 || dot.opcode != Opcode::kDot) return std::nullopt;
  const int64_t count = n / columns;
  if (count > kMostColumnParts) return std::nullopt;
  ColumnParts parts = {.count = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(count))), .size = columns};
  parts.empty = parts.count - count;
  const int64_t bytes = dtype_bytes(dot.operand(1)->shape.dtype);
  parts.run =
      std::gcd(columns, std::max({kLeastRun, kNarrowTile / parts.count, std::min(kMostRun, kRunBytes / bytes)}));
  return parts.run < kLeastRun ? std::nullopt : std::optional(parts);
}

std::optional<ColumnParts> parts_apart(size_t count, int64_t size) {
  if (static_cast<int64_t>(count) > kMostColumnParts || size <= 0 || size % kTileApart != 0) return std::nullopt;
  return ColumnParts{.count = static_cast<int64_t>(count), .size = size, .run = size, .apart = true};
}

}  // namespace sinter
