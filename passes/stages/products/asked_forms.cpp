#include "passes/stages/products/asked_forms.h"

#include <set>

#include "ir/module/opcode.h"
#include "passes/analysis/functions/attention.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

namespace {

constexpr const char* kAnnotation = "sinter_forms";

template <class Visit>
void for_products(Module& module, const Visit& visit) {
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == Opcode::kDot || instruction.opcode == Opcode::kConvolution) visit(instruction);
    }
  }
}

// What chains' kernels compute.
std::set<const Computation*> chains_of(const Module& module) {
  std::set<const Computation*> chains;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (!is_chain(instruction)) continue;
      for (const Computation* called : instruction.called_computations()) chains.insert(called);
    }
  }
  return chains;
}

void ask_for(Instruction& product, std::string_view form) {
  if (product.annotations->frontend_attributes.count(kAnnotation) > 0) return;
  product.annotations.edit().frontend_attributes[kAnnotation] = form;
}

}  // namespace

std::string form_of_products(std::string_view form, TensorCoreForm::Product product) {
  if (product == TensorCoreForm::Product::k16Bits) return std::string(form);
  if (form != kWgmma) return "";
  const std::string_view text = product_text(product);
  return std::string(form) + " " + std::string(text.substr(0, text.size() - 1));
}

void ask_for_form(Module& module, std::string_view form, TensorCoreForm::Product product) {
  const std::set<const Computation*> chains = chains_of(module);
  for_products(module, [&](Instruction& instruction) {
    const bool is_of_chain = chains.count(instruction.parent()) > 0;
    if (!is_of_chain && tensor_core_product(instruction) == product) ask_for(instruction, form);
  });
}

void ask_for_chains(Module& module) {
  const std::set<const Computation*> chains = chains_of(module);
  for_products(module, [&](Instruction& instruction) {
    if (chains.count(instruction.parent()) > 0) ask_for(instruction, kWgmma);
  });
}

void ask_for_no_form(Module& module) {
  for_products(module, [](Instruction& instruction) {
    if (instruction.annotations->frontend_attributes.count(kAnnotation) > 0)
      instruction.annotations.edit().frontend_attributes.erase(kAnnotation);
  });
}

bool is_asked_for(const Instruction& product, std::string_view form) {
  const auto& annotations = product.annotations->frontend_attributes;
  const auto found = annotations.find(kAnnotation);
  return found != annotations.end() && (found->second == form || (form == kWgmma && found->second == kTma));
}

bool may_be_asked_for(const Instruction& product, std::string_view form) {
  return product.annotations->frontend_attributes.count(kAnnotation) == 0 || is_asked_for(product, form);
}

}  // namespace sinter
