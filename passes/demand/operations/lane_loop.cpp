#include "passes/demand/operations/lane_loop.h"

#include <set>
#include <utility>
#include <vector>

#include "passes/analysis/functions/value_table.h"
#include "passes/demand/demand.h"

namespace sinter {

namespace {

bool is_carry(const Instruction& value, int64_t carry) {
  return value.opcode == Opcode::kGetTupleElement && value.operand(0)->opcode == Opcode::kParameter &&
         *value.attributes->tuple_index == carry;
}

// What the predicate of each lane is spread over, where a lane has several elements.
const Instruction* lane_of(const Instruction* predicate) {
  while (predicate->opcode == Opcode::kBroadcast || predicate->opcode == Opcode::kReshape) {
    predicate = predicate->operand(0);
  }
  return predicate;
}

// The predicates that the condition reduces with `or`.
const Instruction* any_of(const Instruction& root) {
  if (root.opcode != Opcode::kReduce || root.operands().size() != 2) return nullptr;
  const Instruction *predicates = root.operand(0), *init = root.operand(1);
  const bool from_false = init->opcode == Opcode::kConstant && init->literal.integer_at(0) == 0;
  const bool any = predicates->shape.dtype == DType::kPred && from_false &&
                   simple_combiner(**root.attributes->to_apply) == Opcode::kOr;
  return any ? predicates : nullptr;
}

// True if two values of different computations do the same to the parameters of theirs.
bool same_function(const Instruction* one, const Instruction* other) {
  std::set<std::pair<const Instruction*, const Instruction*>> seen;
  std::vector<std::pair<const Instruction*, const Instruction*>> left = {{one, other}};
  while (!left.empty()) {
    const auto [a, b] = left.back();
    left.pop_back();
    if (!seen.emplace(a, b).second) continue;
    if (a->opcode == Opcode::kParameter && b->opcode == Opcode::kParameter) {
      if (a->parameter_number != b->parameter_number) return false;
      continue;
    }
    if (!same_meaning(*a, *b) || a->operands().size() != b->operands().size()) return false;
    for (size_t i = 0; i < a->operands().size(); ++i) left.emplace_back(a->operand(i), b->operand(i));
  }
  return true;
}

}  // namespace

const Instruction* lane_predicate(const Instruction& while_instruction) {
  const Instruction* any = any_of(*(*while_instruction.attributes->condition)->root());
  const Instruction* state = (*while_instruction.attributes->body)->root();
  if (any == nullptr || any->shape.element_count() < 2 || state->opcode != Opcode::kTuple) return nullptr;
  const Instruction* predicate = nullptr;
  for (size_t carry = 0; carry < state->operands().size(); ++carry) {
    const Instruction* next = state->operand(carry);
    if (is_carry(*next, static_cast<int64_t>(carry))) continue;
    if (next->opcode != Opcode::kSelect || !is_carry(*next->operand(2), static_cast<int64_t>(carry))) return nullptr;
    const Instruction* lane = lane_of(next->operand(0));
    if (predicate != nullptr && lane != predicate) return nullptr;
    predicate = lane;
  }
  if (predicate == nullptr || !(predicate->shape == any->shape) || !same_function(predicate, any)) return nullptr;
  return predicate;
}

}  // namespace sinter
