#include "passes/analysis/shapes/skinny_product.h"

#include <algorithm>

#include "passes/analysis/shapes/matrix_product.h"

namespace sinter {

namespace {

// Less is read in no time, and had better be part of another kernel.
constexpr int64_t kMinOutputs = 32, kMinDepth = 16, kMinMatrix = int64_t{1} << 17;
// Of one vector: a reduction of rows reads as fast as it needs to (split_contractions.cpp), unless a loop's steps all
// read the same, which a skinny product may keep on chip.
constexpr int64_t kMinMatrixOfOne = int64_t{1} << 21;

// True for what a loop hands from step to step as it is, in its body; also turned round, or converted.
bool is_same_in_all_steps(const Instruction* value) {
  while (value->opcode == Opcode::kTranspose || value->opcode == Opcode::kReshape || value->opcode == Opcode::kConvert)
    value = value->operand(0);
  if (value->opcode != Opcode::kGetTupleElement || value->operand(0)->opcode != Opcode::kParameter) return false;
  const Instruction* next = value->parent()->root();
  const auto index = static_cast<size_t>(*value->attributes->tuple_index);
  if (next->opcode != Opcode::kTuple || next->shape != value->operand(0)->shape) return false;
  const Instruction* passed = next->operand(index);
  return passed->opcode == Opcode::kGetTupleElement && passed->operand(0) == value->operand(0) &&
         passed->attributes->tuple_index == value->attributes->tuple_index;
}

}  // namespace

bool is_skinny_product(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kDot || is_complex(instruction.shape.dtype)) return false;
  const std::optional<ContractExtents> extents = contract_extents(instruction);
  if (!extents) return false;
  const int64_t vectors = std::min(extents->m, extents->n), outputs = std::max(extents->m, extents->n);
  const bool is_one = vectors == 1 && !is_same_in_all_steps(instruction.operand(extents->m > extents->n ? 0 : 1));
  return vectors <= kMostVectors && outputs >= kMinOutputs && extents->k >= kMinDepth &&
         extents->batch * outputs * extents->k >= (is_one ? kMinMatrixOfOne : kMinMatrix);
}

}  // namespace sinter
