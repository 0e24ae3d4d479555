#include "passes/graph/stacked_reductions.h"

#include <algorithm>

#include "passes/graph/combiner.h"
#include "passes/graph/while_analysis.h"

namespace sinter {

namespace {

constexpr int64_t kWarp = 32;  // threads; a block has whole warps

// Whether step t writes the reduction, in a form that has parts, into element t of what the loop fills.
bool is_recorded(const CarriedLoop& loop, const WhileInfo& info, const Instruction& reduce) {
  const DType dtype = reduce.shape.dtype;
  const bool is_plain = reduce.operands().size() == 2 && reduce.shape.is_scalar() && sum_type(dtype) == dtype;
  if (!is_plain || !simple_combiner(**reduce.attributes->to_apply)) return false;
  if (reduce.operand(1)->opcode != Opcode::kConstant) return false;
  const Instruction* value = &reduce;
  while (value->users().size() == 1 && value->users()[0]->opcode == Opcode::kReshape) value = value->users()[0];
  if (value->users().size() != 1 || value->users()[0]->opcode != Opcode::kDynamicUpdateSlice) return false;
  const Instruction* update = value->users()[0];
  if (update->operand(1) != value || update->shape.dims != std::vector<int64_t>{*info.trip_count}) return false;
  const std::optional<size_t> counter = carry_read(*update->operand(2));
  if (!counter || info.carries[*counter].kind != CarryKind::kInduction) return false;
  if (info.carries[*counter].start != 0 || info.carries[*counter].step != 1) return false;
  for (size_t i = 0; i < loop.count(); ++i) {
    if (loop.next(i) == update) return is_filled(loop, i);
  }
  return false;
}

}  // namespace

bool blocks_reduce(int64_t elements, int64_t threads, int64_t steps) {
  return elements == threads && threads > 0 && threads % kWarp == 0 && threads / kWarp <= kMostStacked / steps;
}

int64_t carried_elements(const CarriedLoop& loop) {
  int64_t elements = 0;
  for (size_t i = 0; i < loop.count(); ++i) {
    const Instruction* next = loop.next(i);
    if (next == nullptr || !next->shape.is_array() || is_filled(loop, i) || carry_read(*next) == i) continue;
    if (next->shape.element_count() > kFewElements) elements = std::max(elements, next->shape.element_count());
  }
  return elements;
}

InstructionSet stacked_reductions(const CarriedLoop& loop) {
  const WhileInfo info = analyze_while(loop.loop());
  if (!loop.is_taken_apart() || !info.trip_count || *info.trip_count == 0) return {};
  InstructionSet recorded;
  for (const Instruction& reduce : loop.body().instructions()) {
    if (reduce.opcode == Opcode::kReduce && is_recorded(loop, info, reduce)) recorded.insert(&reduce);
  }
  if (recorded.empty()) return {};
  const int64_t carried = carried_elements(loop), reduced = (*recorded.begin())->operand(0)->shape.element_count();
  int64_t threads = carried > 0 ? carried : reduced;
  const auto one_of_each = [&](const Instruction* reduce) {
    return blocks_reduce(reduce->operand(0)->shape.element_count(), threads, *info.trip_count);
  };
  if (!values_by_element(loop, recorded)) {  // a row each
    threads = reduced;
    if (!values_by_row(loop, recorded, threads)) return {};
  }
  int64_t bytes = 0;
  for (const Instruction* reduce : recorded) bytes += dtype_bytes(reduce->shape.dtype);
  return bytes <= kMostOfAThread && std::ranges::all_of(recorded, one_of_each) ? recorded : InstructionSet();
}

}  // namespace sinter
