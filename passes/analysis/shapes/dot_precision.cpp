#include "passes/analysis/shapes/dot_precision.h"

#include <algorithm>

#include "ir/module/opcode.h"
#include "passes/analysis/shapes/dot_dimensions.h"

namespace sinter {

namespace {

constexpr const char* kAnnotation = "sinter_dot_precision";

// What products of f32 are made in where an algorithm is named: at least as exact as that. Those whose operands are
// rounded to fewer bits than TF32 has need no more; of three terms of bf16 each, 3xtf32 has more bits; of six and nine,
// f32.
struct Algorithm {
  std::string_view name, precision;
};
constexpr Algorithm kAlgorithms[] = {
    {"dot_any_f8_any_f8_f32", "tf32"},  {"dot_any_f8_any_f8_f32_fast_accum", "tf32"},
    {"dot_any_f8_any_f8_any", "tf32"},  {"dot_any_f8_any_f8_any_fast_accum", "tf32"},
    {"dot_f16_f16_f16", "tf32"},        {"dot_f16_f16_f32", "tf32"},
    {"dot_bf16_bf16_bf16", "tf32"},     {"dot_bf16_bf16_f32", "tf32"},
    {"dot_bf16_bf16_f32_x3", "3xtf32"}, {"dot_bf16_bf16_f32_x6", "f32"},
    {"dot_bf16_bf16_f32_x9", "f32"},    {"dot_tf32_tf32_f32", "tf32"},
    {"dot_tf32_tf32_f32_x3", "3xtf32"}, {"dot_f32_f32_f32", "f32"},
    {"dot_f64_f64_f64", "f64"},
};

const Algorithm* algorithm_of(const Instruction& dot) {
  const std::string name = dot.attributes->algorithm.value_or("");
  const auto* found = std::find_if(std::begin(kAlgorithms), std::end(kAlgorithms),
                                   [&](const Algorithm& row) { return row.name == name; });
  return found == std::end(kAlgorithms) ? nullptr : found;
}

bool asks_for(const Instruction& dot, std::string_view word) {
  const auto& precision = dot.attributes->operand_precision;
  return precision && std::find(precision->begin(), precision->end(), word) != precision->end();
}

bool is_open(const Instruction& instruction) {
  if (!is_dot_or_convolution(instruction) || instruction.attributes->algorithm) return false;
  const auto& precision = instruction.attributes->operand_precision;
  return !precision ||
         std::all_of(precision->begin(), precision->end(), [](const std::string& word) { return word == "default"; });
}

}  // namespace

bool check_dot_algorithms(const Module& module, Diagnostics& diagnostics) {
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      const std::string name = instruction.attributes->algorithm.value_or("dot_unset");
      if (!is_dot_or_convolution(instruction) || name == "dot_unset") continue;
      const std::string what = std::string(opcode_name(instruction.opcode)) + ": algorithm=" + name;
      const Algorithm* algorithm = algorithm_of(instruction);
      if (algorithm == nullptr) {
        diagnostics.error(instruction.loc, "E0301", what + " is not known", "docs/numerics.md lists those that are");
      } else if (algorithm->precision == "f64" && instruction.operand(0)->shape.dtype != DType::kF64) {
        diagnostics.error(instruction.loc, "E0301", what + " is not compiled for operands of other types than f64",
                          "convert the operands to f64");
      }
    }
  }
  return diagnostics.ok();
}

void set_dot_precision(Module& module, const std::string& precision) {
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (is_open(instruction)) instruction.annotations.edit().frontend_attributes[kAnnotation] = precision;
    }
  }
}

std::string dot_precision(const Instruction& dot) {
  if (const Algorithm* algorithm = algorithm_of(dot)) return std::string(algorithm->precision);
  if (asks_for(dot, "highest")) return "f32";
  if (asks_for(dot, "high")) return "3xtf32";
  const auto& annotations = dot.annotations->frontend_attributes;
  const auto found = annotations.find(kAnnotation);
  return found == annotations.end() ? "" : found->second;
}

}  // namespace sinter
