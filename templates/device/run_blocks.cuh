// Blocks of a launch that computes as many elements as a run has of those that there may be.
#pragma once

#include <cstdint>

inline namespace sinter_helpers {

// For `count` elements, `each` a block. One where there are none, so that a CUDA graph of the run
// has the same launches whatever its sizes.
inline unsigned run_blocks(int64_t count, int64_t each) {
  return count > 0 ? static_cast<unsigned>((count + each - 1) / each) : 1;
}

}  // namespace sinter_helpers
