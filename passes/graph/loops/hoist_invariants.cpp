// hoist_invariants: what has kernels of its own, a sort or a factorisation, and is the same in every step of a loop is
// made once, before the loop, which carries it on. What is cheaper stays: kernels compute it where they need it.
//
//   body:  %sort = (s32[9], s32[9]) sort(%keys, %iota), ...                 before the loop
//          %order = s32[9] get-tuple-element(%sort), index=1      =>        %order = get-tuple-element(%state), index=4
//
// Segment sums over the edges of a graph, in each step of a loop, sort the same edges (scatter_to_rows.cpp).
//
// hoist_sums: so are products, and sums over large arrays, the squares of points whose distance each step asks. Where a
// kernel of the step reads these arrays anyway, their sums may cost it nothing: the scheduler decides.
#include "passes/graph/loops/hoist_invariants.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/module/device_functions.h"
#include "passes/analysis/functions/value_table.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using IsWorthIt = bool (*)(const Instruction&);

bool is_dear(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kSort:
    case Opcode::kTopk:
    case Opcode::kFft:
    case Opcode::kCholesky:
    case Opcode::kTriangularSolve:
      return true;
    default:
      return calls_row_function(instruction);
  }
}

// Of many elements, and much fewer.
bool is_sum(const Instruction& instruction) {
  constexpr int64_t kMany = 1 << 14, kTimesFewer = 8;
  switch (instruction.opcode) {
    case Opcode::kDot:
    case Opcode::kConvolution:
      return true;
    case Opcode::kReduce: {
      const int64_t elements = instruction.operand(0)->shape.element_count();
      return instruction.shape.is_array() && elements >= kMany &&
             instruction.shape.element_count() * kTimesFewer <= elements;
    }
    default:
      return false;
  }
}

}  // namespace

InvariantSet find_invariants(const CarriedLoop& loop) {
  const WhileInfo info = analyze_while(loop.loop());
  InvariantSet invariants;
  for (const Instruction& instruction : loop.body().instructions()) {
    bool same = instruction.opcode == Opcode::kConstant;
    if (const std::optional<size_t> carry = carry_read(instruction)) {
      same = info.carries[*carry].kind == CarryKind::kInvariant;
    } else if (!same && &instruction != loop.body().root() && may_be_shared(instruction)) {
      same = true;
      for (const Instruction* operand : instruction.operands()) same &= invariants.count(operand) > 0;
    }
    if (same) invariants.insert(&instruction);
  }
  return invariants;
}

void make_before(const CarriedLoop& loop, const std::vector<Instruction*>& arrays) {
  InvariantSet needed;
  std::vector<const Instruction*> stack(arrays.begin(), arrays.end());
  while (!stack.empty()) {
    const Instruction* value = stack.back();
    stack.pop_back();
    if (!needed.insert(value).second || carry_read(*value)) continue;
    stack.insert(stack.end(), value->operands().begin(), value->operands().end());
  }
  std::unordered_map<const Instruction*, Instruction*> before;
  for (const Instruction& value : loop.body().instructions()) {
    if (needed.count(&value) == 0) continue;
    if (const std::optional<size_t> carry = carry_read(value)) {
      before[&value] = loop.init(*carry);
      continue;
    }
    std::vector<Instruction*> operands;
    for (const Instruction* operand : value.operands()) operands.push_back(before.at(operand));
    before[&value] = loop.loop().parent()->add_copy(value, operands, &loop.loop());
  }
  std::vector<Instruction*> inits;
  for (const Instruction* array : arrays) inits.push_back(before.at(array));
  const std::vector<Instruction*> reads = add_invariants(loop, inits);
  for (size_t i = 0; i < arrays.size(); ++i) arrays[i]->replace_all_uses_with(reads[i]);
}

namespace {

// The arrays that loops are to carry: of what is worth it, those that something else reads.
std::vector<Instruction*> find_arrays(const CarriedLoop& loop, const InvariantSet& invariants, IsWorthIt is_worth_it) {
  std::vector<Instruction*> arrays;
  const auto is_read = [&](const Instruction& array) {
    for (const Instruction* user : array.users()) {
      if (!is_worth_it(*user) || invariants.count(user) == 0) return true;
    }
    return false;
  };
  for (Instruction& instruction : loop.body().instructions()) {
    if (invariants.count(&instruction) == 0) continue;
    const bool of_tuple = instruction.opcode == Opcode::kGetTupleElement && is_worth_it(*instruction.operand(0));
    const bool itself = is_worth_it(instruction) && instruction.shape.is_array();
    if ((of_tuple || itself) && is_read(instruction)) arrays.push_back(&instruction);
  }
  return arrays;
}

bool hoist(Instruction& instruction, IsWorthIt is_worth_it) {
  CarriedLoop loop(instruction);
  if (!can_add_carries(loop)) return false;
  const InvariantSet invariants = find_invariants(loop);
  const std::vector<Instruction*> arrays = find_arrays(loop, invariants, is_worth_it);
  if (arrays.empty()) return false;
  make_before(loop, arrays);
  return true;
}

bool hoist_from_loops(Module& module, IsWorthIt is_worth_it) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= hoist(*loop, is_worth_it);
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace

bool hoist_invariants(Module& module, const GraphPassOptions&) { return hoist_from_loops(module, is_dear); }

bool hoist_sums(Module& module, const GraphPassOptions&) { return hoist_from_loops(module, is_sum); }

InvariantSet loop_invariants(const Computation& computation) {
  for (const auto& around : computation.parent()->computations()) {
    for (Instruction& instruction : around->instructions()) {
      if (instruction.opcode == Opcode::kWhile && *instruction.attributes->body == &computation)
        return find_invariants(CarriedLoop(instruction));
    }
  }
  return {};
}

}  // namespace sinter
