// choose_fma: which multiplication an addition contracts with, decided once, on the HLO, so that every copy of a
// value has the same bits in every build.
//
//   %m = f32[8] multiply(%a, %b)                %m = f32[8] multiply(%a, %b)
//   ROOT %s = f32[8] add(%c, %m)           =>   ROOT %s = f32[8] add(%c, %m), frontend_attributes={sinter_fma="1"}
//
// The attribute names the operand. An f32 or f64 add or subtract qualifies if that operand is a multiply with this
// one use; where both operands do, operand 1. The evaluator ignores the attribute; emitted code writes fmaf. A choice
// already in the text is made anew, and taken out with --no-fma.
#include <optional>

#include "passes/analysis/values/contraction.h"
#include "passes/graph/base/passes.h"

namespace sinter {
namespace {

std::optional<size_t> product_to_contract(const Instruction& sum) {
  if (sum.opcode != Opcode::kAdd && sum.opcode != Opcode::kSubtract) return {};
  if (sum.shape.dtype != DType::kF32 && sum.shape.dtype != DType::kF64) return {};
  for (const size_t index : {size_t{1}, size_t{0}}) {
    const Instruction* product = sum.operand(index);
    if (product->opcode == Opcode::kMultiply && product->users().size() == 1 && product != sum.parent()->root()) {
      return index;
    }
  }
  return {};
}

}  // namespace

bool choose_fma(Module& module, const GraphPassOptions& options) {
  bool changed = false;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      const std::optional<size_t> index = options.fma ? product_to_contract(instruction) : std::nullopt;
      const auto present = instruction.annotations->frontend_attributes.find(kContractionAttribute);
      if (!index) {
        if (present == instruction.annotations->frontend_attributes.end()) continue;
        instruction.annotations.edit().frontend_attributes.erase(kContractionAttribute);
        changed = true;
        continue;
      }
      const std::string choice = std::to_string(*index);
      if (present != instruction.annotations->frontend_attributes.end() && present->second == choice) continue;
      instruction.annotations.edit().frontend_attributes[kContractionAttribute] = choice;
      changed = true;
    }
  }
  return changed;
}

}  // namespace sinter
