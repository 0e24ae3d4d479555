#include "passes/analysis/shapes/masked_operand.h"

#include "passes/analysis/values/constants.h"

namespace sinter {

const Instruction* masked_operand(const Instruction& dot) {
  if (dot.opcode != Opcode::kDot) return nullptr;
  const Instruction& select = *dot.operand(0);
  const bool is_masked =
      select.opcode == Opcode::kSelect && !select.operand(0)->shape.is_scalar() && splat_real(*select.operand(2)) == 0;
  return is_masked ? &select : nullptr;
}

}  // namespace sinter
