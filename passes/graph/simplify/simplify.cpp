// simplify: algebraic identities, applied until none applies any more. The rules are in simplify_<topic>.cpp.
//
//   %r = f32[1,96] reshape(%x)
//   %b = f32[1,96] broadcast(%r), dimensions={0,1}
//   %s = f32[96] reshape(%b)
//   %c = f32[4,96] broadcast(%s), dimensions={1}      =>   %c = f32[4,96] broadcast(%x), dimensions={1}
#include <deque>
#include <unordered_set>

#include "ir/support/diagnostics.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

class Worklist {
 public:
  void push(Instruction* instruction) {
    if (waiting_.insert(instruction).second) queue_.push_back(instruction);
  }
  // Its operands; and theirs, where nothing else uses them, up to `reach` operands away.
  void push_operands(const Instruction& instruction, int reach) {
    for (Instruction* operand : instruction.operands()) {
      push(operand);
      if (reach > 1 && operand->users().size() == 1) push_operands(*operand, reach - 1);
    }
  }
  void push_all(const std::vector<Instruction*>& instructions) {
    for (Instruction* instruction : instructions) push(instruction);
  }
  Instruction* pop() {
    Instruction* instruction = queue_.front();
    queue_.pop_front();
    waiting_.erase(instruction);
    return instruction;
  }
  bool empty() const { return queue_.empty(); }

 private:
  std::deque<Instruction*> queue_;
  std::unordered_set<const Instruction*> waiting_;
};

Instruction* apply_rules(Instruction& instruction) {
  constexpr Instruction* (*kRules[])(Instruction&) = {
      simplify_arithmetic, simplify_logic, simplify_conversion, simplify_reshaping, simplify_slicing, simplify_window,
  };
  for (const auto rule : kRules) {
    if (Instruction* value = rule(instruction)) return value;
  }
  return nullptr;
}

bool simplify_computation(Computation& computation) {
  Worklist worklist;
  for (Instruction& instruction : computation.instructions()) worklist.push(&instruction);
  // Every rule makes something simpler; far more steps than this mean that two undo each other.
  size_t steps_left = 64 * computation.instructions().size() + 4096;
  bool changed = false;
  while (!worklist.empty()) {
    Instruction* instruction = worklist.pop();
    const bool used = !instruction->users().empty() || computation.root() == instruction;
    if (!used || !instruction->shape.is_array()) continue;
    Instruction* value = apply_rules(*instruction);
    if (value == nullptr) continue;
    check(steps_left-- > 0, "simplify", "rules do not come to an end at " + instruction->name);
    changed = true;
    if (value != instruction) instruction->replace_all_uses_with(value);
    worklist.push(value);
    worklist.push_operands(*value, kReach);
    worklist.push_all(value->users());
  }
  return changed;
}

}  // namespace

bool simplify(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) changed |= simplify_computation(*computation);
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
