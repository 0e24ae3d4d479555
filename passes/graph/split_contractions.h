// Which contractions are split: those of fewer tiles than a GPU has multiprocessors for.
#pragma once

#include <cstdint>

namespace sinter {

inline constexpr int64_t kContractTile = 16;  // rows and columns of results that a block of threads makes

}  // namespace sinter
