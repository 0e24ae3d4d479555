// Which functions emitted kernels can call.
#include "passes/analysis/functions/emittable.h"

#include <algorithm>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"

namespace sinter {

bool can_emit_function(const Computation& computation) {
  if (!is_per_element(computation)) return false;
  const auto& instructions = computation.instructions();
  return std::all_of(instructions.begin(), instructions.end(), [](const Instruction& instruction) {
    if (instruction.opcode == Opcode::kTuple) return true;
    return family_of(instruction) != Family::kElementwise ||
           cuda_spelling(instruction).kind != CudaSpelling::Kind::kNone;
  });
}

}  // namespace sinter
