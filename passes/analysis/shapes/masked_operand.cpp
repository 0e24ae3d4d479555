#include "passes/analysis/shapes/masked_operand.h"

#include <llvm/ADT/STLExtras.h>

#include "passes/analysis/values/constants.h"

namespace sinter {

const Instruction* masked_operand(const Instruction& dot, size_t side) {
  if (dot.opcode != Opcode::kDot) return nullptr;
  const Instruction& select = *dot.operand(side);
  const bool is_masked =
      select.opcode == Opcode::kSelect && !select.operand(0)->shape.is_scalar() && splat_real(*select.operand(2)) == 0;
  return is_masked ? &select : nullptr;
}

bool is_masked_in_segments(const Instruction& dot) {
  const Instruction* select = masked_operand(dot);
  const std::vector<int64_t> contracted = dot.attributes->lhs_contracting_dims.value_or(std::vector<int64_t>());
  if (select == nullptr || select->operand(1)->opcode != Opcode::kBroadcast || contracted.size() < 2) return false;
  const int64_t segments = select->shape.dims[static_cast<size_t>(contracted[0])];
  return segments > 1 && segments <= kMostSegments &&
         !llvm::is_contained(*select->operand(1)->attributes->dimensions, contracted[0]);
}

bool is_masked_by_batch(const Instruction& dot, size_t side) {
  const Instruction* select = masked_operand(dot, side);
  if (select == nullptr || select->operand(1)->opcode != Opcode::kBroadcast) return false;
  const auto& dims = side == 0 ? dot.attributes->lhs_batch_dims : dot.attributes->rhs_batch_dims;
  const std::vector<int64_t>& kept = *select->operand(1)->attributes->dimensions;
  int64_t batches = 1;
  for (const int64_t dim : dims.value_or(std::vector<int64_t>())) {
    if (llvm::is_contained(kept, dim)) return false;
    batches *= select->shape.dims[static_cast<size_t>(dim)];
  }
  return batches > 1;
}

}  // namespace sinter
