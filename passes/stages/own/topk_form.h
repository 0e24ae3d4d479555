// Which top-k is a sort: rows that do not fit one block, and of which more is wanted than a block keeps on the way.
#pragma once

#include <cstdint>

namespace sinter {

inline constexpr int64_t kSortedRow = 4096;  // rows up to here are sorted by one block
inline constexpr int64_t kMostSelected = 512;

}  // namespace sinter
