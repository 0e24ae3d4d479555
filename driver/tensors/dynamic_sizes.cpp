// Nothing behind the verifier knows sizes of arrays but from their shapes, so a program is refused before the first
// pass.
#include "driver/tensors/dynamic_sizes.h"

#include <algorithm>

namespace sinter {
namespace {

// It has a size that none of its operands, nor the caller of its computation, gave it.
bool brings_in_size(const Computation& computation, const Instruction& instruction, const Computation& entry) {
  if (instruction.shape.is_static()) return false;
  if (instruction.opcode == Opcode::kParameter) return &computation == &entry;
  const auto is_static = [](const Instruction* operand) { return operand->shape.is_static(); };
  return std::all_of(instruction.operands().begin(), instruction.operands().end(), is_static);
}

}  // namespace

bool refuse_dynamic_sizes(const Module& module, Diagnostics& diagnostics) {
  bool good = true;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (!brings_in_size(*computation, instruction, *module.entry())) continue;
      good = false;
      const std::string opcode(opcode_name(instruction.opcode));
      diagnostics.error(instruction.loc, "E0301", opcode + ": values of dynamic size are not compiled",
                        "trace the program with static shapes, once for each size that is needed; the texts are one "
                        "library: sinter compile n8.hlo n64.hlo --name model (docs/entries.md)");
    }
  }
  return good;
}

}  // namespace sinter
