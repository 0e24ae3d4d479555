// count_in_integers: floats that a scatter adds up, and that are whole numbers which come to few enough that no sum is
// rounded, are counted as integers, in any order.
//
//   %counts = f32[64] scatter(%zeros, %rows, %ones), to_apply=%add
//                                         =>
//   %numbers = s32[64] scatter(%zeros, %rows, %ones), to_apply=%add
//   %counts = f32[64] convert(%numbers)
//
// Bins of floats have turns, and updates of many elements are sorted, so that each sum has its order; of integers
// threads add in any (passes/stages/own). Floats that another scatter adds up in the same rows stay with it.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/stages/own/bins_stage.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Of fewer updates in bins no launch more is worth it.
constexpr int64_t kManyInBins = int64_t{1} << 22;
// Up to here every whole number is an f32, and so is every sum of such that stays within.
constexpr int64_t kLargestExact = int64_t{1} << 24;

struct WholeNumbers {
  int64_t low = 0, high = 0;
};

// Of floats that are whole numbers, none of them -0: what they are made of as integers is found by as_integers.
std::optional<WholeNumbers> whole_numbers(const Instruction& value, int depth = 0) {
  constexpr int kMaxDepth = 8;
  if (depth > kMaxDepth) return std::nullopt;
  if (const std::optional<double> number = splat_real(value)) {
    const bool is_whole = std::abs(*number) <= kLargestExact && std::trunc(*number) == *number;
    if (!is_whole || (*number == 0 && std::signbit(*number))) return std::nullopt;
    return WholeNumbers{static_cast<int64_t>(*number), static_cast<int64_t>(*number)};
  }
  switch (value.opcode) {
    case Opcode::kConvert: {
      const DType from = value.operand(0)->shape.dtype;
      if (from == DType::kPred) return WholeNumbers{0, 1};
      if (!is_integer(from) || dtype_bits(from) > 8) return std::nullopt;
      return WholeNumbers{integer_min(from), integer_max(from)};
    }
    case Opcode::kSelect: {
      const std::optional<WholeNumbers> a = whole_numbers(*value.operand(1), depth + 1);
      const std::optional<WholeNumbers> b = a ? whole_numbers(*value.operand(2), depth + 1) : std::nullopt;
      if (!b) return std::nullopt;
      return WholeNumbers{std::min(a->low, b->low), std::max(a->high, b->high)};
    }
    case Opcode::kReshape:
      return whole_numbers(*value.operand(0), depth + 1);
    default:
      return std::nullopt;
  }
}

Value as_integers(GraphBuilder& at, Instruction& value) {
  if (const std::optional<double> number = splat_real(value))
    return at.integer(DType::kS32, static_cast<int64_t>(*number), value.shape.dims);
  if (value.opcode == Opcode::kConvert) return at.convert(value.operand(0), DType::kS32);
  if (value.opcode == Opcode::kReshape) return at.reshape(as_integers(at, *value.operand(0)), value.shape.dims);
  const Value first = as_integers(at, *value.operand(1));
  return at.select({value.operand(0), first, as_integers(at, *value.operand(2))});
}

bool is_worth_it(const Instruction& scatter) {
  const int64_t updates = scatter.operand(2)->shape.element_count();
  if (wants_bins(scatter)) return updates >= kManyInBins;
  return scatter.shape.element_count() >= kManyPairs / std::max<int64_t>(updates, 1) &&
         !scatter.attributes->indices_are_sorted.value_or(false);
}

bool may_count(const Instruction& scatter) {
  if (scatter.operands().size() != 3 || scatter.shape.dtype != DType::kF32) return false;
  const Attributes& attributes = scatter.attributes;
  const bool has_windows = attributes.update_window_dims && !attributes.update_window_dims->empty();
  if (has_windows || attributes.unique_indices.value_or(false)) return false;
  if (simple_combiner(**attributes.to_apply) != Opcode::kAdd) return false;
  const std::optional<double> begin = splat_real(*scatter.operand(0));
  if (begin != 0.0 || std::signbit(*begin)) return false;
  const std::optional<WholeNumbers> bounds = whole_numbers(*scatter.operand(2));
  if (!bounds) return false;
  const int64_t largest = std::max(std::abs(bounds->low), std::abs(bounds->high));
  const int64_t updates = scatter.operand(2)->shape.element_count();
  return updates > 0 && largest <= kLargestExact / updates && is_worth_it(scatter);
}

// Whether another scatter has its updates in the same rows.
bool has_company(const Instruction& scatter) {
  return std::ranges::any_of(scatter.operand(1)->users(), [&](const Instruction* user) {
    const bool scatters =
        user != &scatter && user->opcode == Opcode::kScatter && user->operand(1) == scatter.operand(1);
    return scatters && is_float(user->shape.dtype);
  });
}

void count(Module& module, Instruction& scatter) {
  GraphBuilder at(scatter);
  Attributes attributes = *scatter.attributes;
  attributes.to_apply = combine_two(module, Opcode::kAdd, DType::kS32);
  const Value zeros = at.integer(DType::kS32, 0, scatter.shape.dims);
  const Value ones = as_integers(at, *scatter.operand(2));
  const Value numbers = at.make(Opcode::kScatter, {zeros, scatter.operand(1), ones}, std::move(attributes));
  scatter.replace_all_uses_with(at.convert(numbers, DType::kF32));
}

}  // namespace

bool count_in_integers(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* scatter : instructions_of(module, Opcode::kScatter)) {
    const bool is_read = !scatter->users().empty() || scatter->parent()->root() == scatter;
    if (!is_read || !may_count(*scatter) || has_company(*scatter)) continue;
    count(module, *scatter);
    changed = true;
  }
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
