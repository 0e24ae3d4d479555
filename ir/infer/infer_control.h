// Shape rules of values, tuples, calls, loops, branches and ordering.
#pragma once

#include "ir/ops/op_table.h"

namespace sinter {

ShapeError verify_parameter(const Instruction& instruction);
ShapeError verify_constant(const Instruction& instruction);
ShapeResult infer_tuple(const Instruction& instruction);
ShapeResult infer_get_tuple_element(const Instruction& instruction);

ShapeResult infer_call(const Instruction& instruction);
ShapeError verify_call(const Instruction& instruction);
ShapeResult infer_fusion(const Instruction& instruction);
ShapeError verify_fusion(const Instruction& instruction);
ShapeResult infer_while(const Instruction& instruction);
ShapeError verify_while(const Instruction& instruction);
ShapeResult infer_conditional(const Instruction& instruction);
ShapeError verify_conditional(const Instruction& instruction);
ShapeError verify_custom_call(const Instruction& instruction);

// The operand's shape, whatever it is; of several operands the tuple of their shapes.
ShapeResult infer_same_as_operand(const Instruction& instruction);
ShapeResult infer_same_as_operands(const Instruction& instruction);
ShapeResult infer_add_dependency(const Instruction& instruction);
ShapeResult infer_after_all(const Instruction& instruction);

ShapeError verify_async_start(const Instruction& instruction);
// Element 1 of the start's tuple: what async-done, all-gather-done and collective-permute-done return.
ShapeResult infer_second_of_start(const Instruction& instruction);
ShapeError verify_copy_start(const Instruction& instruction);
ShapeResult infer_copy_done(const Instruction& instruction);

ShapeResult infer_get_dimension_size(const Instruction& instruction);
ShapeResult infer_set_dimension_size(const Instruction& instruction);

}  // namespace sinter
