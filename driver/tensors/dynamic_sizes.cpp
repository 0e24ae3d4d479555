// Nothing behind this knows sizes of arrays but from their shapes.
#include "driver/tensors/dynamic_sizes.h"

#include <algorithm>

#include "ir/verify/verify.h"
#include "passes/graph/sizes/bound_dimensions.h"

namespace sinter {
namespace {

bool is_unbounded(const Shape& shape) {
  return std::find(shape.dims.begin(), shape.dims.end(), Shape::kUnbounded) != shape.dims.end() ||
         std::any_of(shape.elements.begin(), shape.elements.end(), is_unbounded);
}

// One error for each instruction that brings an unbounded dimension into the program; none for those that it is handed
// on to.
bool refuse_unbounded(const Module& module, Diagnostics& diagnostics) {
  bool good = true;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (!is_unbounded(instruction.shape)) continue;
      good = false;
      const bool inside = instruction.opcode == Opcode::kParameter && computation.get() != module.entry();
      const auto hands_on = [](const Instruction* operand) { return is_unbounded(operand->shape); };
      if (inside || std::any_of(instruction.operands().begin(), instruction.operands().end(), hands_on)) continue;
      diagnostics.error(instruction.loc, "E0301",
                        std::string(opcode_name(instruction.opcode)) + ": a dimension without bound is not compiled",
                        "give it the largest size that is needed: f32[<=1024,64] (docs/entries.md)");
    }
  }
  return good;
}

}  // namespace

bool verify_sizes(Module& module, Diagnostics& diagnostics) {
  if (!refuse_unbounded(module, diagnostics)) return false;
  return has_bounded_dimensions(module) ? bound_dimensions(module, diagnostics) : verify(module, diagnostics);
}

}  // namespace sinter
