#include "passes/analysis/shapes/reduced_rows.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/constants.h"

namespace sinter {

bool is_longer(const RowExtents& a, const RowExtents& b) {
  return std::tie(a.columns, a.rows, a.inner) > std::tie(b.columns, b.rows, b.inner);
}

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

ShortRows filled_up(const Instruction& reduce) {
  const Instruction& parts = *reduce.operand(0);
  const std::vector<int64_t>& reduced = *reduce.attributes->dimensions;
  if (reduce.operands().size() != 2 || reduced.size() != 1 || reduced[0] == 0) return {};
  if (parts.opcode != Opcode::kReshape || parts.operand(0)->opcode != Opcode::kPad) return {};
  const Instruction& pad = *parts.operand(0);
  const int64_t filled = reduced[0] - 1;  // dimension
  std::vector<int64_t> dims = parts.shape.dims;
  const int64_t columns = dims[filled + 1];
  dims[filled] *= columns;
  dims.erase(dims.begin() + filled + 1);
  std::vector<PadBounds> padding = *pad.attributes->padding;
  if (pad.shape.dims != dims || padding[filled].high <= 0 || padding[filled].high >= columns) return {};
  const int64_t missing = std::exchange(padding[filled].high, 0);
  if (std::ranges::any_of(padding, [](const PadBounds& bounds) { return bounds != PadBounds(); })) return {};
  const std::optional<Opcode> combiner = simple_combiner(**reduce.attributes->to_apply);
  const std::optional<Literal> filling = splat_value(*pad.operand(1));
  if (!combiner || !filling) return {};
  const std::optional<Literal> nothing = part_beginning(*combiner, pad.shape.dtype, *reduce.operand(1));
  if (!nothing || !nothing->same_value(*filling)) return {};
  return {.parts = parts.shape.dims[filled], .missing = missing};
}

}  // namespace sinter
