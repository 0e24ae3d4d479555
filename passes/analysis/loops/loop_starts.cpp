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

// The carries that need no start: `overwritten`, and those that a launch clears.
struct Starts {
  std::set<size_t> overwritten, cleared;
};

Starts starts_of(const Instruction& loop) {
  Starts starts;
  if (!has_tuples(loop)) return starts;
  const WhileInfo info = analyze_while(loop);
  const Instruction* state = first_state(loop);
  for (size_t k = 0; k < info.carries.size(); ++k) {
    if (overwrites_start(loop, info, k)) {
      starts.overwritten.insert(k);
    } else if (info.carries[k].kind == CarryKind::kGeneral && is_of_zeros(*array_value(state->operand(k)))) {
      starts.cleared.insert(k);
    }
  }
  return starts;
}

}  // namespace

bool overwrites_start(const Instruction& loop, const WhileInfo& info, size_t carry) {
  return info.trip_count.value_or(0) > 0 && has_tuples(loop) &&
         filled_dimension(loop, info, static_cast<int>(carry)).has_value();
}

std::set<size_t> cleared_starts(const Instruction& loop) { return starts_of(loop).cleared; }

std::vector<const Instruction*> arrays_begun_with(const Instruction& loop, bool one_launch) {
  const Starts starts = starts_of(loop);
  std::set<size_t> without = starts.overwritten;
  if (one_launch) without.insert(starts.cleared.begin(), starts.cleared.end());
  if (without.empty()) return array_operands(loop);
  std::vector<const Instruction*> arrays;
  const Instruction* state = first_state(loop);
  for (size_t k = 0; k < state->operands().size(); ++k) {
    if (!without.contains(k)) arrays.push_back(array_value(state->operand(k)));
  }
  return arrays;
}

}  // namespace sinter
