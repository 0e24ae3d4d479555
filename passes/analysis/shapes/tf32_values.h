// Values of f32 that are TF32 as they are, since they come of a type with as few digits: 16-bit floats, bytes. Products
// on tensor cores take them for what they are (docs/numerics.md): a term of what TF32 leaves of them would be zero.
#pragma once

#include <array>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Conversions from such a type, and what chooses and moves their elements; constants, too. False where that is not
// seen.
bool is_tf32(const Instruction& value);

using Tf32Operands = std::array<bool, 2>;

// Whether the left (0) and right (1) operands of all these products of one kernel are: of dots, which may have them
// `swapped`, or of a convolution, whose filter may be on either side (matrix_product.h).
Tf32Operands tf32_operands(const std::vector<const Instruction*>& products, bool swapped);

}  // namespace sinter
