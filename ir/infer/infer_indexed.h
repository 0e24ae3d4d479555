// Shape rules of ops whose operands say where elements are read or written.
#pragma once

#include "ir/ops/op_table.h"

namespace sinter {

ShapeResult infer_dynamic_slice(const Instruction& instruction);
ShapeResult infer_dynamic_update_slice(const Instruction& instruction);
ShapeResult infer_gather(const Instruction& instruction);
ShapeResult infer_scatter(const Instruction& instruction);
ShapeError verify_scatter(const Instruction& instruction);

}  // namespace sinter
