#include "passes/analysis/shapes/cumulative_window.h"

#include <algorithm>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/constants.h"

namespace sinter {

std::vector<WindowDimension> window_of(const CumulativeWindow& cumulative, const std::vector<int64_t>& dims) {
  std::vector<WindowDimension> window(dims.size());
  const auto d = static_cast<size_t>(cumulative.dimension);
  window[d].size = dims[d];
  (cumulative.reverse ? window[d].pad_high : window[d].pad_low) = dims[d] - 1;
  return window;
}

std::optional<CumulativeWindow> cumulative_window(const Instruction& window) {
  if (window.opcode != Opcode::kReduceWindow || !window.attributes->window) return std::nullopt;
  const Shape& source = window.operand(0)->shape;
  if (!source.is_static()) return std::nullopt;
  for (size_t d = 0; d < source.dims.size(); ++d) {
    if ((*window.attributes->window)[d] == WindowDimension{}) continue;
    for (const bool reverse : {false, true}) {
      const CumulativeWindow cumulative{static_cast<int64_t>(d), reverse};
      if (*window.attributes->window == window_of(cumulative, source.dims)) return cumulative;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

bool is_by_one_operation(const Instruction& window) {
  return window.operands().size() == 2 && window.operand(1)->opcode == Opcode::kConstant &&
         simple_combiner(**window.attributes->to_apply);
}

namespace {

// One where the predicate is true, zero elsewhere.
bool is_one_where(const Instruction& value, const Instruction& predicate) {
  if (!is_integer(value.shape.dtype)) return false;
  if (value.opcode == Opcode::kConvert) return value.operand(0) == &predicate;
  return value.opcode == Opcode::kSelect && value.operand(0) == &predicate && splat_integer(*value.operand(1)) == 1 &&
         splat_integer(*value.operand(2)) == 0;
}

}  // namespace

std::optional<RunningCount> running_count(const Instruction& value, const Instruction& predicate) {
  if (predicate.shape.dtype != DType::kPred) return std::nullopt;
  RunningCount count;
  const Instruction* sum = &value;
  while (sum->opcode == Opcode::kAdd || sum->opcode == Opcode::kSubtract) {
    const bool subtracts = sum->opcode == Opcode::kSubtract;
    const Instruction& term = *sum->operand(1);
    const std::optional<int64_t> number = splat_integer(term);
    if (number && *number <= INT32_MAX && *number >= INT32_MIN) {
      count.offset += subtracts ? -*number : *number;
    } else if (subtracts && count.counts_itself && is_one_where(term, predicate)) {
      count.counts_itself = false;
    } else {
      return std::nullopt;
    }
    sum = sum->operand(0);
  }
  const std::optional<CumulativeWindow> cumulative = cumulative_window(*sum);
  if (!cumulative || sum->operands().size() != 2 || !is_one_where(*sum->operand(0), predicate)) return std::nullopt;
  count.dimension = cumulative->dimension;
  const bool adds = simple_combiner(**sum->attributes->to_apply) == Opcode::kAdd;
  const DType dtype = value.shape.dtype;
  const bool fits = count.least() >= integer_min(dtype) &&
                    sum->shape.dims[count.dimension] <= integer_max(dtype) - std::max<int64_t>(count.offset, 0);
  return adds && fits && splat_integer(*sum->operand(1)) == 0 ? std::optional(count) : std::nullopt;
}

}  // namespace sinter
