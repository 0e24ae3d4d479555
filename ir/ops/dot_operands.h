// The type that a dot's operands are rounded to.
#pragma once

#include <optional>
#include <string>

#include "ir/module/module.h"

namespace sinter {

// "dot_bf16_bf16_f32", "dot_f16_f16_f16" and their like multiply 16-bit floats: where one operand has that type, the
// other is rounded to it. Two of f32 are left as they are, which is more exact (docs/numerics.md). Algorithms of more
// terms (`_x3`), and those that take any of several types, do not round; nor does a dot that names none.
inline std::optional<DType> operands_round_to(const Instruction& dot) {
  const std::string name = dot.attributes->algorithm.value_or("");
  const bool bf16 = name == "dot_bf16_bf16_f32" || name == "dot_bf16_bf16_bf16";
  if (!bf16 && name != "dot_f16_f16_f32" && name != "dot_f16_f16_f16") return std::nullopt;
  const DType dtype = bf16 ? DType::kBF16 : DType::kF16;
  const DType left = dot.operand(0)->shape.dtype, right = dot.operand(1)->shape.dtype;
  return left != right && (left == dtype || right == dtype) ? std::optional(dtype) : std::nullopt;
}

}  // namespace sinter
