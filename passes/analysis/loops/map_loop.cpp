#include "passes/analysis/loops/map_loop.h"

#include <algorithm>

#include "passes/analysis/shapes/matrix_product.h"
#include "passes/analysis/values/constants.h"

namespace sinter {

namespace {

// The number of the step as `start` has it: from 0 up, or (true) from the last down; nullopt for other values.
std::optional<bool> counts_backwards(const Instruction& start, const WhileInfo& info) {
  const int64_t last = *info.trip_count - 1;
  const auto counter = [&](const Instruction& value) -> const Carry* {
    const bool of_state = value.opcode == Opcode::kGetTupleElement && value.operand(0)->opcode == Opcode::kParameter;
    if (!of_state) return nullptr;
    const Carry& carry = info.carries[static_cast<size_t>(*value.attributes->tuple_index)];
    // One that wraps around comes to some places twice, and to others never.
    const bool counts =
        carry.kind == CarryKind::kInduction && !wraps_within(carry, value.shape.dtype, *info.trip_count);
    return counts ? &carry : nullptr;
  };
  if (const Carry* carry = counter(start)) {
    if (carry->start == 0 && carry->step == 1) return false;
    if (carry->start == last && carry->step == -1) return true;
  }
  if (start.opcode != Opcode::kSubtract || splat_integer(*start.operand(0)) != last) return std::nullopt;
  const Carry* carry = counter(*start.operand(1));
  if (carry == nullptr || carry->start != 0 || carry->step != 1) return std::nullopt;
  return true;
}

}  // namespace

bool is_stack(const Instruction& while_instruction, int carry) {
  const Computation& body = **while_instruction.attributes->body;
  const Instruction* root = body.root();
  if (root->opcode != Opcode::kTuple) return false;
  const Instruction* update = root->operand(carry);
  if (update->opcode != Opcode::kDynamicUpdateSlice || update->users().size() != 1) return false;
  const Instruction* old = update->operand(0);
  if (old->opcode != Opcode::kGetTupleElement || old->operand(0)->opcode != Opcode::kParameter) return false;
  if (*old->attributes->tuple_index != carry || old->users().size() != 1) return false;
  // No other way to read the carry, in the body or in the condition.
  const auto reads = [&](const Instruction& instruction) {
    return &instruction != old && instruction.opcode == Opcode::kGetTupleElement &&
           *instruction.attributes->tuple_index == carry && !instruction.users().empty();
  };
  if (std::ranges::any_of(old->operand(0)->users(), [&](const Instruction* user) { return reads(*user); }))
    return false;
  const Computation& condition = **while_instruction.attributes->condition;
  return std::ranges::none_of(condition.instructions(), [&](const Instruction& instruction) {
    return reads(instruction) && instruction.operand(0)->opcode == Opcode::kParameter;
  });
}

std::optional<FilledDimension> filled_dimension(const Instruction& loop, const WhileInfo& info, int carry) {
  if (!info.trip_count || !is_stack(loop, carry)) return std::nullopt;
  const Instruction* update = (*loop.attributes->body)->root()->operand(static_cast<size_t>(carry));
  const std::vector<int64_t>&whole = update->shape.dims, &piece = update->operand(1)->shape.dims;
  std::optional<FilledDimension> filled;
  for (size_t d = 0; d < whole.size(); ++d) {
    const Instruction& start = *update->operand(2 + d);
    if (whole[d] == piece[d] && splat_integer(start) == 0) continue;
    const std::optional<bool> backwards = counts_backwards(start, info);
    if (filled || piece[d] != 1 || whole[d] != *info.trip_count || !backwards) return std::nullopt;
    filled = FilledDimension{d, *backwards};
  }
  return filled;
}

bool is_map_loop(const Instruction& loop, const WhileInfo& info) {
  const Instruction* first = loop.operand(0);
  const Computation& body = **loop.attributes->body;
  if (!info.trip_count || *info.trip_count == 0 || first->opcode != Opcode::kTuple ||
      body.root()->opcode != Opcode::kTuple)
    return false;
  bool fills = false;
  for (size_t i = 0; i < info.carries.size(); ++i) {
    if (info.carries[i].kind != CarryKind::kGeneral) continue;
    if (!filled_dimension(loop, info, static_cast<int>(i))) return false;
    fills = true;
  }
  return fills && std::none_of(body.instructions().begin(), body.instructions().end(),
                               [](const Instruction& instruction) { return is_contraction(instruction); });
}

bool is_map_loop(const Instruction& loop) { return is_map_loop(loop, analyze_while(loop)); }

}  // namespace sinter
