#include "passes/analysis/shapes/skinny_product.h"

#include <algorithm>

#include "passes/analysis/shapes/matrix_product.h"

namespace sinter {

namespace {

constexpr int64_t kMostVectors = 16;
// Less is read in no time, and had better be part of another kernel.
constexpr int64_t kMinOutputs = 32, kMinDepth = 16, kMinMatrix = int64_t{1} << 17;
// Of one vector: a reduction of rows reads as fast as it needs to (split_contractions.cpp).
constexpr int64_t kMinMatrixOfOne = int64_t{1} << 21;

}  // namespace

bool is_skinny_product(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kDot || is_complex(instruction.shape.dtype)) return false;
  const std::optional<ContractExtents> extents = contract_extents(instruction);
  if (!extents) return false;
  const int64_t vectors = std::min(extents->m, extents->n), outputs = std::max(extents->m, extents->n);
  return vectors <= kMostVectors && outputs >= kMinOutputs && extents->k >= kMinDepth &&
         extents->batch * outputs * extents->k >= (vectors == 1 ? kMinMatrixOfOne : kMinMatrix);
}

}  // namespace sinter
