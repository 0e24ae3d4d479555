// Shape rules of contractions. The text may state another element type for the result (bf16 x bf16 -> f32).
#pragma once

#include "ir/ops/op_table.h"

namespace sinter {

ShapeResult infer_dot(const Instruction& instruction);
ShapeResult infer_ragged_dot(const Instruction& instruction);
ShapeResult infer_scaled_dot(const Instruction& instruction);

}  // namespace sinter
