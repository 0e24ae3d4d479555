// JAX prints arrays above ten elements as `{...}` unless asked not to. A plan can be explained without the values;
// code cannot be made.
#include "driver/elided.h"

namespace sinter {

bool refuse_elided(const Module& module, Diagnostics& diagnostics) {
  bool complete = true;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (instruction.opcode != Opcode::kConstant || !instruction.literal.is_elided()) continue;
      complete = false;
      diagnostics.error(instruction.loc, "E0501", "the values of constant " + instruction.name + " are left out",
                        "print the text in full: lowered.compiler_ir(\"hlo\").as_hlo_text(print_large_constants=True)");
    }
  }
  return complete;
}

void make_up_elided(Module& module) {
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode != Opcode::kConstant || !instruction.literal.is_elided()) continue;
      if (!instruction.shape.is_array()) continue;
      Literal values(instruction.shape);
      int next = 0;
      for (std::byte& byte : values.mutable_bytes()) byte = std::byte(++next & 1);
      instruction.literal = values;
    }
  }
}

}  // namespace sinter
