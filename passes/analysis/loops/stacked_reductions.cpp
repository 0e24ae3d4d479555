#include "passes/analysis/loops/stacked_reductions.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/values/hardware.h"

namespace sinter {

namespace {

// Whether step t writes the reduction into element t of what the loop fills.
bool is_recorded(const CarriedLoop& loop, const WhileInfo& info, const Instruction& reduce) {
  if (!is_made_in_parts(reduce)) return false;
  const Instruction* value = &reduce;
  while (value->users().size() == 1 && value->users()[0]->opcode == Opcode::kReshape) value = value->users()[0];
  if (value->users().size() != 1 || value->users()[0]->opcode != Opcode::kDynamicUpdateSlice) return false;
  const Instruction* update = value->users()[0];
  if (update->operand(1) != value || update->shape.dims != std::vector<int64_t>{*info.trip_count}) return false;
  const std::optional<size_t> counter = carry_read(*update->operand(2));
  if (!counter || info.carries[*counter].kind != CarryKind::kInduction) return false;
  if (info.carries[*counter].start != 0 || info.carries[*counter].step != 1) return false;
  if (wraps_within(info.carries[*counter], update->operand(2)->shape.dtype, *info.trip_count)) return false;
  for (size_t i = 0; i < loop.count(); ++i) {
    if (loop.next(i) == update) return is_filled(loop, i);
  }
  return false;
}

}  // namespace

bool is_made_in_parts(const Instruction& reduce) {
  if (reduce.opcode != Opcode::kReduce || reduce.operands().size() != 2 || !reduce.shape.is_scalar()) return false;
  const DType dtype = reduce.shape.dtype;
  if (sum_type(dtype) != dtype || reduce.operand(1)->opcode != Opcode::kConstant) return false;
  const std::optional<Opcode> combiner = simple_combiner(**reduce.attributes->to_apply);
  return combiner && part_beginning(*combiner, dtype, *reduce.operand(1));
}

bool blocks_reduce(int64_t elements, int64_t threads, int64_t steps) {
  return elements == threads && threads > 0 && ceil_div(threads, kWarp) <= kMostStacked / steps;
}

InstructionSet stacked_reductions(const CarriedLoop& loop) {
  const WhileInfo info = analyze_while(loop.loop());
  if (!loop.is_taken_apart() || !info.trip_count || *info.trip_count == 0) return {};
  InstructionSet recorded;
  const Instruction* first = nullptr;
  for (const Instruction& reduce : loop.body().instructions()) {
    if (!is_recorded(loop, info, reduce)) continue;
    recorded.insert(&reduce);
    if (first == nullptr) first = &reduce;
  }
  if (first == nullptr) return {};
  const std::optional<LoopThreads> threads = threads_of(loop, recorded, first->operand(0)->shape);
  const auto one_of_each = [&](const Instruction* reduce) {
    return blocks_reduce(reduce->operand(0)->shape.element_count(), threads->count, *info.trip_count);
  };
  int64_t bytes = 0;
  for (const Instruction* reduce : recorded) bytes += dtype_bytes(reduce->shape.dtype);
  const bool fits = threads && bytes <= kMostOfAThread && std::ranges::all_of(recorded, one_of_each);
  return fits ? recorded : InstructionSet();
}

}  // namespace sinter
