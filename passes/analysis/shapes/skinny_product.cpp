#include "passes/analysis/shapes/skinny_product.h"

#include <algorithm>

#include "passes/analysis/shapes/matrix_product.h"

namespace sinter {

namespace {

// Less is read in no time, and had better be part of another kernel; still less is made in no time by a thread an
// element, too.
constexpr int64_t kMinOutputs = 32, kMinSkinnyDepth = 16, kMinMatrix = int64_t{1} << 17, kMinSmall = int64_t{1} << 13;
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

// The extents of few vectors times a matrix of some size; nullopt for what is none.
static std::optional<ContractExtents> few_vectors(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kDot || is_complex(instruction.shape.dtype)) return std::nullopt;
  const std::optional<ContractExtents> extents = contract_extents(instruction);
  if (!extents || std::min(extents->m, extents->n) > kMostVectors) return std::nullopt;
  if (std::max(extents->m, extents->n) < kMinOutputs || extents->k < kMinSkinnyDepth) return std::nullopt;
  return extents;
}

static int64_t matrix_elements(const ContractExtents& extents) {
  return extents.batch * std::max(extents.m, extents.n) * extents.k;
}

bool is_skinny_product(const Instruction& instruction) {
  const std::optional<ContractExtents> extents = few_vectors(instruction);
  if (!extents) return false;
  const bool is_one = std::min(extents->m, extents->n) == 1 &&
                      !is_same_in_all_steps(instruction.operand(extents->m > extents->n ? 0 : 1));
  return matrix_elements(*extents) >= (is_one ? kMinMatrixOfOne : kMinMatrix);
}

bool is_small_skinny_product(const Instruction& instruction) {
  const std::optional<ContractExtents> extents = few_vectors(instruction);
  return extents && matrix_elements(*extents) >= kMinSmall && !is_skinny_product(instruction);
}

}  // namespace sinter
