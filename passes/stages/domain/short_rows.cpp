#include "passes/stages/domain/short_rows.h"

#include <optional>

namespace sinter {

ShortRows short_rows(const std::set<const Instruction*>& values, const RowExtents& rows) {
  std::optional<ShortRows> all;
  for (const Instruction* value : values) {
    if (value->opcode != Opcode::kReduce || reduced_rows(*value) != rows) continue;
    const ShortRows own = filled_up(*value);
    if (all && *all != own) return {};
    all = own;
  }
  return all.value_or(ShortRows());
}

int64_t elements_of(const RowExtents& rows, const ShortRows& short_rows) {
  return rows.rows * rows.columns - rows.rows / short_rows.parts * short_rows.missing;
}

}  // namespace sinter
