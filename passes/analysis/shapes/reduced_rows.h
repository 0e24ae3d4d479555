// What a reduction reduces, as rows of a matrix.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/module/module.h"

namespace sinter {

// Rows that are reduced. Element `column` of row `row` is at row / inner * columns * inner + column * inner +
// row % inner of the array: with `inner` 1, elements of a row are neighbours; else rows are, `inner` of them.
struct RowExtents {
  int64_t rows = 1, columns = 1, inner = 1;
  bool operator==(const RowExtents&) const = default;
};

// In order of columns, then rows, then inner.
bool is_longer(const RowExtents& a, const RowExtents& b);

// The rows that a reduction reduces; nullopt where something stands between the reduced dimensions, or there is
// nothing.
std::optional<RowExtents> reduced_rows(const Instruction& reduce);

// Rows that are parts of longer ones, as many of each, which nothing divides: the last part of each is short.
struct ShortRows {
  int64_t parts = 1;    // of a longer row
  int64_t missing = 0;  // elements of its last part; 0: none is short

  friend bool operator==(const ShortRows&, const ShortRows&) = default;
};

// Which of a reduction's rows have elements only because longer ones were filled up to whole parts, with what changes
// nothing: reduce(reshape(pad(x, zero), [rows, parts, columns]), zero). None of any other reduction.
ShortRows filled_up(const Instruction& reduce);

}  // namespace sinter
