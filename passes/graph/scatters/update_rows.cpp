// update_rows: what is made of a large array and of sums that few of its rows have is made of these rows.
//
//   %sums = f32[1000000,128] scatter(%zeros, %rows, %gradients), to_apply=%add      rows s32[16384], sorted
//   %s = subtract(%table, multiply(%sums, 0.1))
//                                         =>
//   %number = s32[16384] which of the different rows each is: a cumulative sum of where a row begins
//   %sums = f32[16384,128] scatter(%zeros, %number, %gradients), to_apply=%add
//   %s = f32[1000000,128] scatter(%table, %rows, subtract(%table[%rows], multiply(%sums[%number], 0.1))), which
//        overwrites
//
// Other rows would have sums of 0, times numbers that are finite, added or subtracted: they stay as they are. Updates
// of one row overwrite it with the same. So a step of training writes what it changes of a table, in place where that
// is donated (passes/schedule/groups/updates_in_place.h), and no array as large as the table is filled and read beside
// it. The order of each row's sum, and all that is made of it, are as before.
#include <cmath>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/analysis/values/small_update.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/scatters/scatter_dims.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Bytes that are filled and read in a few times the time of the launches that the rows take instead.
constexpr int64_t kLeastTable = 64 << 20;

// What becomes of the sums, up to where an array of as many elements is added to them or they are taken from it.
struct Change {
  std::vector<Instruction*> steps;  // each reads the one before, the first the scatter
  Instruction* result = nullptr;
  Value table = nullptr;
};

bool is_finite_splat(const Instruction& value) {
  const std::optional<double> number = splat_real(value);
  return number && std::isfinite(*number);
}

std::optional<Change> change_by(Instruction& scatter) {
  Change change;
  Instruction* sums = &scatter;
  for (;;) {
    if (sums->users().size() != 1 || sums->parent()->root() == sums) return std::nullopt;
    Instruction& user = *sums->users()[0];
    if (user.shape != scatter.shape || user.operands().size() > 2) return std::nullopt;
    const bool is_first = user.operands()[0] == sums;
    if (user.opcode == Opcode::kNegate) {
      change.steps.push_back(&user);
    } else if (user.opcode == Opcode::kMultiply && is_finite_splat(*user.operand(is_first ? 1 : 0))) {
      change.steps.push_back(&user);
    } else if (user.opcode == Opcode::kAdd || (user.opcode == Opcode::kSubtract && !is_first)) {
      change.result = &user;
      change.table = user.operand(is_first ? 1 : 0);
      return change;
    } else {
      return std::nullopt;
    }
    sums = &user;
  }
}

// Sums of few rows of a large array that is zeros.
bool sums_few_rows(const Instruction& scatter) {
  if (!is_row_scatter(scatter) || !is_float(scatter.shape.dtype) || !is_sorted(scatter)) return false;
  return simple_combiner(**scatter.attributes->to_apply) == Opcode::kAdd &&
         shares_updates(scatter, scatter.operand(1)->shape.dims[0]) && scatter.shape.bytes() >= kLeastTable &&
         is_small_update(scatter.shape, scatter.operand(2)->shape) &&
         neutral_beginning(Opcode::kAdd, scatter.shape.dtype, *scatter.operand(0));
}

// Which of the different rows each update is of.
Value number_rows(GraphBuilder& at, Module& module, Value rows) {
  const int64_t count = rows->shape.dims[0];
  const Value begins = at.compare({at.slice(rows, 0, 1, count), at.slice(rows, 0, 0, count - 1)}, "NE");
  const Value first = at.integer(DType::kS32, 0, {1});
  const Value steps = at.concatenate({first, at.convert(begins, DType::kS32)}, 0);
  Attributes attributes;
  attributes.window = window_of({0, false}, {count});
  attributes.to_apply = combine_two(module, Opcode::kAdd, DType::kS32);
  return at.make(Opcode::kReduceWindow, {steps, at.integer(DType::kS32, 0)}, std::move(attributes));
}

Value gathered_rows(GraphBuilder& at, Value array, Value rows) {
  Attributes gather;
  const Dims& dims = array->shape.dims;
  gather.offset_dims = dims.size() == 1 ? Dims{} : Dims{1};
  gather.collapsed_slice_dims = Dims{0};
  gather.start_index_map = Dims{0};
  gather.index_vector_dim = 1;
  gather.slice_sizes = dims;
  gather.slice_sizes->front() = 1;
  return at.make(Opcode::kGather, {array, rows}, std::move(gather));
}

void to_rows_alone(Instruction& scatter, const Change& change) {
  Module& module = *scatter.parent()->parent();
  GraphBuilder at(*change.result);
  const Value rows = scatter.operand(1), updates = scatter.operand(2);
  const Value number = number_rows(at, module, rows);
  Attributes attributes = scatter.attributes;
  attributes.indices_are_sorted = true;
  const Dims& dims = updates->shape.dims;
  const Value zeros = at.splat(at.constant(*splat_value(*scatter.operand(0))), dims);
  Value sums = at.make(Opcode::kScatter, {zeros, number, updates}, Attributes(attributes));
  sums = gathered_rows(at, sums, number);
  const auto repeated = [&](const Instruction& step, Value from, Value before) {
    std::vector<Value> operands;
    for (Instruction* operand : step.operands())
      operands.push_back(operand == before ? from : at.splat(at.constant(*splat_value(*operand)), dims));
    return at.make(step.opcode, operands);
  };
  Value before = &scatter;
  for (Instruction* step : change.steps) {
    sums = repeated(*step, sums, before);
    before = step;
  }
  const Value present = gathered_rows(at, change.table, rows);
  const bool sums_first = change.result->operand(0) == before;
  const std::vector<Value> operands = sums_first ? std::vector{sums, present} : std::vector{present, sums};
  const Value changed = at.make(change.result->opcode, operands);
  attributes.to_apply = take_second(module, scatter.shape.dtype);
  const Value result = at.make(Opcode::kScatter, {change.table, rows, changed}, std::move(attributes));
  change.result->replace_all_uses_with(result);
}

}  // namespace

bool update_rows(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* scatter : instructions_of(module, Opcode::kScatter)) {
    if (!sums_few_rows(*scatter)) continue;
    const std::optional<Change> change = change_by(*scatter);
    if (!change || splat_value(*change->table)) continue;
    to_rows_alone(*scatter, *change);
    changed = true;
  }
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
