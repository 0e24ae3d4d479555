// Shape rules of ops that move elements to places known from attributes.
#pragma once

#include "ir/ops/op_table.h"

namespace sinter {

ShapeResult infer_transpose(const Instruction& instruction);
ShapeResult infer_reverse(const Instruction& instruction);
ShapeResult infer_slice(const Instruction& instruction);
ShapeResult infer_pad(const Instruction& instruction);
ShapeResult infer_concatenate(const Instruction& instruction);

// The text states these results.
ShapeError verify_broadcast(const Instruction& instruction);
ShapeError verify_reshape(const Instruction& instruction);
ShapeError verify_iota(const Instruction& instruction);
ShapeError verify_bitcast(const Instruction& instruction);
ShapeError verify_bitcast_convert(const Instruction& instruction);
ShapeError verify_dynamic_reshape(const Instruction& instruction);

}  // namespace sinter
