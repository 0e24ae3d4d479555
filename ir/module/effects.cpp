#include "ir/module/effects.h"

#include <algorithm>

namespace sinter {

bool draws(const Instruction& instruction) {
  return instruction.opcode == Opcode::kRng || instruction.opcode == Opcode::kRngGetAndUpdateState;
}

bool has_own_effect(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kInfeed:
    case Opcode::kOutfeed:
    case Opcode::kSend:
    case Opcode::kSendDone:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
      return true;
    case Opcode::kCustomCall:
      return instruction.attributes->custom_call_has_side_effect.value_or(false);
    default:
      return draws(instruction);
  }
}

ComputationSet computations_with(const Module& module, bool (*is_such)(const Instruction&)) {
  ComputationSet result;
  for (const auto& computation : module.computations()) {  // callees first
    const std::list<Instruction>& instructions = computation->instructions();
    const bool found = std::any_of(instructions.begin(), instructions.end(), [&](const Instruction& instruction) {
      return is_such(instruction) || calls_any(instruction, result);
    });
    if (found) result.insert(computation.get());
  }
  return result;
}

bool calls_any(const Instruction& instruction, const ComputationSet& computations) {
  if (computations.empty()) return false;
  const std::vector<Computation*> called = instruction.called_computations();
  return std::any_of(called.begin(), called.end(),
                     [&](const Computation* callee) { return computations.contains(callee); });
}

bool has_effect(const Instruction& instruction, const ComputationSet& computations_with_effects) {
  return has_own_effect(instruction) || calls_any(instruction, computations_with_effects);
}

ComputationSet computations_with_effects(const Module& module) { return computations_with(module, has_own_effect); }

}  // namespace sinter
