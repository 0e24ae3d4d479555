// update_stacks: rows of an array that a loop reads row by row, changes a little, and stacks again, are updated where
// they are. A scan over layers whose cache comes as `xs` and goes as `ys` is one:
//
//   body:  %old = f32[1,64,512] dynamic-slice(%xs, %t, 0, 0)             body:  %row = f32[1,1,512] reshape(%u)
//          %row = f32[64,512] reshape(%old)                        =>           %all = f32[6,64,512]
//          %new = f32[64,512] dynamic-update-slice(%row, %u, %p, 0)                 dynamic-update-slice(%ys, %row,
//          %back = f32[1,64,512] reshape(%new)                                      %t, %p, 0)
//          %all = f32[6,64,512] dynamic-update-slice(%ys, %back, ..)            %new = dynamic-slice(%all, %t, 0, 0)
//
// The stack begins as what was read. Kernels then write the updates alone (passes/schedule/groups/updates_in_place.h).
#include <algorithm>
#include <optional>
#include <vector>

#include "passes/analysis/loops/loop_starts.h"
#include "passes/analysis/loops/map_loop.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/small_update.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

Instruction* through_reshapes(Instruction* value) {
  while (value->opcode == Opcode::kReshape) value = value->operand(0);
  return value;
}

bool same_starts(const Instruction& slice, const Instruction& update) {
  return std::equal(slice.operands().begin() + 1, slice.operands().end(), update.operands().begin() + 2,
                    update.operands().end());
}

// A row of the array that the loop reads, and what it becomes.
struct ChangedRow {
  size_t read = 0;               // the carry that rows are read of
  size_t along = 0;              // the dimension that steps walk along
  Instruction* slice = nullptr;  // the row as it was
  Instruction* update = nullptr;
};

// `dims` without that dimension.
std::vector<int64_t> dims_without(std::vector<int64_t> dims, size_t dimension) {
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(dimension));
  return dims;
}

// Whether the loop does nothing else with the carry than to read that slice.
bool reads_slice_alone(const CarriedLoop& loop, size_t carry, const Instruction& slice) {
  for (const Instruction* read : loop.reads(loop.body(), carry)) {
    for (const Instruction* user : read->users()) {
      if (user != &slice && user != loop.body().root()) return false;
    }
  }
  return loop.reads(loop.condition(), carry).empty() && loop.reads_after(carry).empty();
}

std::optional<ChangedRow> find_row(const CarriedLoop& loop, const WhileInfo& info, size_t stack) {
  if (!overwrites_start(loop.loop(), info, stack)) return std::nullopt;
  const Instruction* put = loop.next(stack);
  const auto along = filled_dimension(loop.loop(), info, static_cast<int>(stack));
  if (put == nullptr || put->opcode != Opcode::kDynamicUpdateSlice || !along) return std::nullopt;
  ChangedRow row;
  row.along = along->dimension;
  row.update = through_reshapes(put->operand(1));
  if (row.update->opcode != Opcode::kDynamicUpdateSlice) return std::nullopt;
  row.slice = through_reshapes(row.update->operand(0));
  const std::vector<int64_t>& dims = row.update->shape.dims;
  if (row.slice->opcode != Opcode::kDynamicSlice || row.slice->shape != put->operand(1)->shape) return std::nullopt;
  if (dims != dims_without(row.slice->shape.dims, row.along) || !same_starts(*row.slice, *put)) return std::nullopt;
  if (row.update->operand(2)->shape.dtype != row.slice->operand(1)->shape.dtype) return std::nullopt;

  const std::optional<size_t> read = carry_read(*row.slice->operand(0));
  if (!read || row.slice->operand(0)->parent() != &loop.body()) return std::nullopt;
  row.read = *read;
  if (info.carries[row.read].kind != CarryKind::kInvariant || !reads_slice_alone(loop, row.read, *row.slice))
    return std::nullopt;
  const Shape& array = row.slice->operand(0)->shape;
  const int64_t updated = row.update->operand(1)->shape.bytes();
  const bool is_small = array.bytes() >= kSmallestUpdated && updated * kLargestPart <= row.update->shape.bytes();
  return is_small && updated > 0 && array.dims == put->shape.dims ? std::optional(row) : std::nullopt;
}

void update_in_stack(const CarriedLoop& loop, size_t stack, const ChangedRow& row) {
  Instruction& slice = *row.slice;
  Instruction& update = *row.update;
  Instruction* array = insert_tuple_element(slice, CarriedLoop::state(loop.body()), static_cast<int64_t>(stack));
  slice.set_operand(0, array);

  std::vector<int64_t> dims = update.operand(1)->shape.dims;
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(row.along), 1);
  std::vector<Instruction*> operands = {array, insert_reshape(update, update.operand(1), dims)};
  for (size_t d = 0, inner = 2; d < dims.size(); ++d)
    operands.push_back(d == row.along ? slice.operand(1 + d) : update.operand(inner++));
  Instruction* all = insert_like(update, Opcode::kDynamicUpdateSlice, array->shape, operands);
  std::vector<Instruction*> place = {all};
  place.insert(place.end(), slice.operands().begin() + 1, slice.operands().end());
  Instruction* again = insert_like(update, Opcode::kDynamicSlice, slice.shape, place, slice.attributes);
  loop.body().root()->set_operand(stack, all);
  update.replace_all_uses_with(insert_reshape(update, again, update.shape.dims));
  loop.loop().operand(0)->set_operand(stack, loop.init(row.read));
}

bool update_stacks_of(Instruction& instruction) {
  const CarriedLoop loop(instruction);
  if (!can_add_carries(loop) || instruction.operand(0)->users().size() != 1) return false;
  bool changed = false;
  for (size_t stack = 0; stack < loop.count(); ++stack) {
    const WhileInfo info = analyze_while(instruction);
    if (!info.trip_count || *info.trip_count < 2) return changed;
    const std::optional<ChangedRow> row = find_row(loop, info, stack);
    if (!row) continue;
    update_in_stack(loop, stack, *row);
    changed = true;
  }
  return changed;
}

}  // namespace

bool update_stacks(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= update_stacks_of(*loop);
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
