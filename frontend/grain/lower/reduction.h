// What the two files of reductions share.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "frontend/grain/compiler.h"

namespace sinter::grain {

inline bool contains(const std::vector<Index*>& indices, const Index* index) {
  return std::find(indices.begin(), indices.end(), index) != indices.end();
}

// What a maximum begins with.
inline double lowest(DType dtype) { return is_float(dtype) ? -std::numeric_limits<double>::infinity() : 0; }

}  // namespace sinter::grain
