#include "passes/analysis/loops/loop_starts.h"

#include <algorithm>

#include "passes/analysis/loops/map_loop.h"
#include "passes/analysis/values/arrays.h"
#include "passes/analysis/values/constants.h"

namespace sinter {

namespace {

// The tuple of what the state begins as; nullptr where it comes as a whole, or is no tuple.
const Instruction* first_state(const Instruction& loop) {
  const Instruction* state = loop.operand(0);
  while (state->opcode == Opcode::kOptBarrier) state = state->operand(0);
  return loop.shape.is_tuple() && state->opcode == Opcode::kTuple ? state : nullptr;
}

bool has_tuples(const Instruction& loop) {
  return first_state(loop) != nullptr && (*loop.attributes->body)->root()->opcode == Opcode::kTuple;
}

bool is_of_zeros(const Instruction& value) {
  if (value.opcode != Opcode::kBroadcast || value.shape.element_count() == 0) return false;
  const std::optional<Literal> every = splat_value(value);
  return every && std::ranges::all_of(every->bytes(), [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

std::set<size_t> overwritten_starts(const Instruction& loop) {
  std::set<size_t> result;
  if (!has_tuples(loop)) return result;
  const WhileInfo info = analyze_while(loop);
  if (info.trip_count.value_or(0) == 0) return result;
  for (size_t k = 0; k < info.carries.size(); ++k) {
    if (filled_dimension(loop, info, static_cast<int>(k))) result.insert(k);
  }
  return result;
}

std::set<size_t> cleared_starts(const Instruction& loop) {
  std::set<size_t> result;
  if (!has_tuples(loop)) return result;
  const WhileInfo info = analyze_while(loop);
  const std::set<size_t> overwritten = overwritten_starts(loop);
  const Instruction* state = first_state(loop);
  for (size_t k = 0; k < info.carries.size(); ++k) {
    if (info.carries[k].kind != CarryKind::kGeneral || overwritten.contains(k)) continue;
    if (is_of_zeros(*array_value(state->operand(k)))) result.insert(k);
  }
  return result;
}

std::vector<const Instruction*> arrays_begun_with(const Instruction& loop, bool one_launch) {
  std::set<size_t> without = overwritten_starts(loop);
  if (one_launch) without.merge(cleared_starts(loop));
  if (without.empty()) return array_operands(loop);
  std::vector<const Instruction*> arrays;
  const Instruction* state = first_state(loop);
  for (size_t k = 0; k < state->operands().size(); ++k) {
    if (!without.contains(k)) arrays.push_back(array_value(state->operand(k)));
  }
  return arrays;
}

}  // namespace sinter
