// The dimensions of a dot's operands by role.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

inline bool is_dot_or_convolution(const Instruction& instruction) {
  return instruction.opcode == Opcode::kDot || instruction.opcode == Opcode::kConvolution;
}

// Of one operand, in the order in which the other operand or the result has them. `free` are those that are the
// result's own.
struct OperandDims {
  std::vector<int64_t> batch, free, contracting;
};
OperandDims operand_dims(const Instruction& dot, size_t side);

// The sizes of some dimensions of a shape, and how many elements they have together.
std::vector<int64_t> sizes(const Shape& shape, const std::vector<int64_t>& dims);
int64_t product(const Shape& shape, const std::vector<int64_t>& dims);

}  // namespace sinter
