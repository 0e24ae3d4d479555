#include "passes/stages/products/asked_forms.h"

#include "ir/module/opcode.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

namespace {

constexpr const char* kAnnotation = "sinter_forms";

}  // namespace

void ask_for_form(Module& module, std::string_view form) {
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode != Opcode::kDot && instruction.opcode != Opcode::kConvolution) continue;
      if (!form.empty()) {
        if (tensor_core_product(instruction) != TensorCoreForm::Product::k16Bits) continue;
        if (instruction.annotations->frontend_attributes.count(kAnnotation) > 0) continue;
        instruction.annotations.edit().frontend_attributes[kAnnotation] = form;
      } else if (instruction.annotations->frontend_attributes.count(kAnnotation) > 0) {
        instruction.annotations.edit().frontend_attributes.erase(kAnnotation);
      }
    }
  }
}

bool is_asked_for(const Instruction& product, std::string_view form) {
  const auto& annotations = product.annotations->frontend_attributes;
  const auto found = annotations.find(kAnnotation);
  return found != annotations.end() && (found->second == form || (form == kWgmma && found->second == kTma));
}

}  // namespace sinter
