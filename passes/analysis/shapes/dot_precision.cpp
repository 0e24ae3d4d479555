#include "passes/analysis/shapes/dot_precision.h"

#include <algorithm>

namespace sinter {

namespace {

constexpr const char* kAnnotation = "sinter_dot_precision";

bool is_open(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kDot && instruction.opcode != Opcode::kConvolution) return false;
  if (instruction.attributes->algorithm) return false;
  const auto& precision = instruction.attributes->operand_precision;
  return !precision ||
         std::all_of(precision->begin(), precision->end(), [](const std::string& word) { return word == "default"; });
}

}  // namespace

void set_dot_precision(Module& module, const std::string& precision) {
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (is_open(instruction)) instruction.annotations.edit().frontend_attributes[kAnnotation] = precision;
    }
  }
}

std::string dot_precision(const Instruction& dot) {
  const std::string algorithm = dot.attributes->algorithm.value_or("");
  if (algorithm == "dot_tf32_tf32_f32") return "tf32";
  if (algorithm == "dot_f32_f32_f32") return "f32";
  const auto& annotations = dot.annotations->frontend_attributes;
  const auto found = annotations.find(kAnnotation);
  return found == annotations.end() ? "" : found->second;
}

}  // namespace sinter
