#include "passes/analysis/values/contraction.h"

namespace sinter {

std::optional<size_t> contracted_product(const Instruction& sum) {
  if (sum.opcode != Opcode::kAdd && sum.opcode != Opcode::kSubtract) return std::nullopt;
  const auto note = sum.annotations->frontend_attributes.find(kContractionAttribute);
  if (note == sum.annotations->frontend_attributes.end()) return std::nullopt;
  return note->second == "0" ? 0 : 1;
}

bool is_contracted(const Instruction& product) {
  if (product.opcode != Opcode::kMultiply || product.users().size() != 1) return false;
  const Instruction& sum = *product.users()[0];
  const std::optional<size_t> slot = contracted_product(sum);
  return slot && sum.operand(*slot) == &product;
}

}  // namespace sinter
