// Shape rules of ops that slide a window over an array.
#pragma once

#include "ir/ops/op_table.h"

namespace sinter {

ShapeResult infer_reduce_window(const Instruction& instruction);
ShapeError verify_reduce_window(const Instruction& instruction);
ShapeResult infer_select_and_scatter(const Instruction& instruction);
ShapeError verify_select_and_scatter(const Instruction& instruction);
ShapeResult infer_convolution(const Instruction& instruction);

}  // namespace sinter
