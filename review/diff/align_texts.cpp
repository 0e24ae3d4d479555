#include "review/diff/align_texts.h"

#include <algorithm>
#include <cstdint>

namespace sinter {

std::vector<AlignedPiece> align_texts(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const std::vector<std::string>&a = before, &b = after;
  size_t first = 0, last = 0;
  while (first < a.size() && first < b.size() && a[first] == b[first]) ++first;
  while (last < a.size() - first && last < b.size() - first && a[a.size() - 1 - last] == b[b.size() - 1 - last]) ++last;
  const size_t rows = a.size() - first - last, columns = b.size() - first - last;
  constexpr size_t kMostCells = 4'000'000;
  const bool small = rows * columns <= kMostCells;
  // rest[i][j] of what follows piece i of one and j of the other. No more than two thousand are in both.
  std::vector<uint16_t> rest(small ? (rows + 1) * (columns + 1) : 0);
  const auto length = [&](size_t i, size_t j) -> uint16_t& { return rest[i * (columns + 1) + j]; };
  for (size_t i = small ? rows : 0; i-- > 0;) {
    for (size_t j = columns; j-- > 0;) {
      length(i, j) = a[first + i] == b[first + j] ? static_cast<uint16_t>(length(i + 1, j + 1) + 1)
                                                  : std::max(length(i + 1, j), length(i, j + 1));
    }
  }
  std::vector<AlignedPiece> pieces;
  const auto add = [&](size_t i, size_t j) { pieces.push_back({static_cast<int>(i), static_cast<int>(j)}); };
  for (size_t i = 0; i < first; ++i) add(i, i);
  for (size_t i = 0, j = 0; i < rows || j < columns;) {
    if (small && i < rows && j < columns && a[first + i] == b[first + j]) {
      add(first + i++, first + j++);
    } else if (i < rows && (j == columns || !small || length(i + 1, j) >= length(i, j + 1))) {
      pieces.push_back({.before = static_cast<int>(first + i++)});
    } else {
      pieces.push_back({.after = static_cast<int>(first + j++)});
    }
  }
  for (size_t i = 0; i < last; ++i) add(a.size() - last + i, b.size() - last + i);
  return pieces;
}

}  // namespace sinter
