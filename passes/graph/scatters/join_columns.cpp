// join_columns: numbers that are added up in the rows in which another scatter adds up whole rows are one more column
// of these, where rows go to bins (passes/stages/own/bins_stage.h) and a warp has a lane to spare.
//
//   %sums = f32[32,16] scatter(%zeros, %labels, %points), to_apply=%add          points f32[65536,16]
//   %counts = f32[32] scatter(%none, %labels, %ones), to_apply=%add              ones f32[65536]
//                                         =>
//   %both = f32[32,17] scatter(%zeros, %labels, concatenate(%points, %ones)), to_apply=%add
//   %sums, %counts = slices of %both
//
// Means of clusters are such, of segments and of groups. Alone, counts would be a reduction for each row.
#include <unordered_map>
#include <vector>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/stages/own/bins_stage.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

bool adds_to_rows(const Instruction& scatter) {
  const bool is_read = !scatter.users().empty() || scatter.parent()->root() == &scatter;
  const Attributes& attributes = scatter.attributes;
  const bool has_batch = attributes.input_batching_dims && !attributes.input_batching_dims->empty();
  return is_read && scatter.opcode == Opcode::kScatter && scatter.operands().size() == 3 && !has_batch &&
         simple_combiner(**attributes.to_apply) == Opcode::kAdd && splat_value(*scatter.operand(0)) &&
         attributes.inserted_window_dims == std::vector<int64_t>{0} &&
         attributes.scatter_dims_to_operand_dims == std::vector<int64_t>{0};
}

// Adds rows, of a last dimension that is the updates' last too, in bins with room for a column more.
bool has_spare_column(const Instruction& rows) {
  if (!adds_to_rows(rows) || rows.shape.rank() != 2) return false;
  const int64_t columns = rows.shape.dims[1], last = rows.operand(2)->shape.rank() - 1;
  return rows.attributes->update_window_dims == std::vector<int64_t>{last} &&
         rows.operand(2)->shape.dims[last] == columns && columns % kWarp != 0 && wants_bins(rows);
}

bool adds_numbers(const Instruction& numbers) {
  const bool no_window = !numbers.attributes->update_window_dims || numbers.attributes->update_window_dims->empty();
  return adds_to_rows(numbers) && numbers.shape.rank() == 1 && no_window;
}

bool go_together(const Instruction& rows, const Instruction& numbers) {
  return rows.operand(1) == numbers.operand(1) && rows.shape.dims[0] == numbers.shape.dims[0] &&
         rows.shape.dtype == numbers.shape.dtype && rows.operand(2)->shape.dtype == numbers.operand(2)->shape.dtype &&
         rows.attributes->index_vector_dim == numbers.attributes->index_vector_dim &&
         splat_value(*rows.operand(0))->same_value(*splat_value(*numbers.operand(0)));
}

void join(Instruction& rows, Instruction& numbers) {
  Instruction& later = rows.position() < numbers.position() ? numbers : rows;
  GraphBuilder at(later);
  const int64_t count = rows.shape.dims[0], columns = rows.shape.dims[1];
  const Shape& updates = rows.operand(2)->shape;
  GraphBuilder::Dims one = updates.dims;
  one.back() = 1;
  const Value column = at.reshape(numbers.operand(2), one);
  const Value pieces = at.concatenate({rows.operand(2), column}, updates.rank() - 1);
  const Value begin = at.splat(at.constant(*splat_value(*rows.operand(0))), {count, columns + 1});
  const Value both = at.make(Opcode::kScatter, {begin, rows.operand(1), pieces}, Attributes(*rows.attributes));
  const Value sums = at.slice(both, 1, 0, columns);
  rows.replace_all_uses_with(sums);
  numbers.replace_all_uses_with(at.reshape(at.slice(both, 1, columns, columns + 1), {count}));
  rows.parent()->sort();
}

bool join_columns_of(Computation& computation) {
  std::unordered_map<const Instruction*, Instruction*> rows_at;  // by what says where they go
  for (Instruction& scatter : computation.instructions()) {
    if (has_spare_column(scatter)) rows_at.emplace(scatter.operand(1), &scatter);
  }
  if (rows_at.empty()) return false;
  for (Instruction& numbers : computation.instructions()) {
    if (!adds_numbers(numbers)) continue;
    const auto found = rows_at.find(numbers.operand(1));
    if (found == rows_at.end() || !go_together(*found->second, numbers)) continue;
    Instruction& rows = *found->second;
    const bool apart =
        rows.position() < numbers.position() ? !depends_on(numbers, {&rows}) : !depends_on(rows, {&numbers});
    if (!apart) continue;
    join(rows, numbers);
    return true;
  }
  return false;
}

}  // namespace

bool join_columns(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) {
    while (join_columns_of(*computation)) changed = true;
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
