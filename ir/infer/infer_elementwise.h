// Shape rules of elementwise ops. Names say which element types an op takes: real (any float), float (real or
// complex), number (float or integer), integer, bits (integer or pred), ordered (all but complex), any.
#pragma once

#include "ir/ops/op_table.h"

namespace sinter {

ShapeResult infer_abs(const Instruction& instruction);
ShapeResult infer_number_unary(const Instruction& instruction);
ShapeResult infer_float_unary(const Instruction& instruction);
ShapeResult infer_real_unary(const Instruction& instruction);
ShapeResult infer_integer_unary(const Instruction& instruction);
ShapeResult infer_bits_unary(const Instruction& instruction);
ShapeResult infer_is_finite(const Instruction& instruction);
ShapeResult infer_reduce_precision(const Instruction& instruction);
ShapeResult infer_part(const Instruction& instruction);  // real, imag
ShapeResult infer_complex(const Instruction& instruction);

ShapeResult infer_any_binary(const Instruction& instruction);
ShapeResult infer_number_binary(const Instruction& instruction);
ShapeResult infer_float_binary(const Instruction& instruction);
ShapeResult infer_real_or_integer_binary(const Instruction& instruction);
ShapeResult infer_ordered_binary(const Instruction& instruction);
ShapeResult infer_integer_binary(const Instruction& instruction);
ShapeResult infer_bits_binary(const Instruction& instruction);

ShapeResult infer_compare(const Instruction& instruction);
ShapeResult infer_select(const Instruction& instruction);
ShapeResult infer_clamp(const Instruction& instruction);

ShapeError verify_convert(const Instruction& instruction);
ShapeError verify_stochastic_convert(const Instruction& instruction);

}  // namespace sinter
