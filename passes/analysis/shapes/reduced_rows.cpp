#include "passes/analysis/shapes/reduced_rows.h"

#include <algorithm>
#include <vector>

namespace sinter {

std::optional<RowExtents> reduced_rows(const Instruction& reduce) {
  const Shape& source = reduce.operand(0)->shape;
  const std::vector<int64_t>& reduced = *reduce.attributes->dimensions;
  if (reduced.empty() || !std::is_sorted(reduced.begin(), reduced.end())) return std::nullopt;
  RowExtents extents;
  for (int64_t d = 0; d < source.rank(); ++d) {
    const bool is_reduced = std::find(reduced.begin(), reduced.end(), d) != reduced.end();
    if (!is_reduced) {
      extents.rows *= source.dims[d];
      if (d > reduced.front()) extents.inner *= source.dims[d];
    } else if (extents.inner != 1 && source.dims[d] != 1) {
      return std::nullopt;  // something stands between the reduced dimensions
    } else {
      extents.columns *= source.dims[d];
    }
  }
  if (extents.columns == 0 || extents.rows == 0) return std::nullopt;
  return extents;
}

}  // namespace sinter
