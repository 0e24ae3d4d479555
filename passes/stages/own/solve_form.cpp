#include "passes/stages/own/solve_form.h"

#include <algorithm>

#include "passes/analysis/values/hardware.h"

namespace sinter {

bool fits_block(const SolverCall& call, const Instruction& instruction) {
  if (call.column_major) return false;
  const Shape& first = instruction.operand(0)->shape;
  if (call.kind == SolverCall::Kind::kPivotsToPermutation) {
    return (first.dims.back() + instruction.shape.dims.back()) * dtype_bytes(DType::kS32) <= kSharedBytesOfBlock;
  }
  const auto [rows, columns] = matrix_extents(call, first);
  int64_t width = columns + 1;
  switch (call.kind) {
    case SolverCall::Kind::kCholesky:
      break;
    case SolverCall::Kind::kTriangularSolve: {
      const MatrixExtents right = matrix_extents(call, instruction.operand(1)->shape);
      width += std::min(kSolveTile, call.left ? right.columns : right.rows);
      break;
    }
    case SolverCall::Kind::kLu:
    case SolverCall::Kind::kQr:
    case SolverCall::Kind::kHouseholder:
      width += 1;
      break;
    default:
      return false;
  }
  const int64_t height = std::max(rows, columns);
  return height <= kSharedBytesOfBlock && width <= kSharedBytesOfBlock &&
         height * width * dtype_bytes(first.dtype) <= kSharedBytesOfBlock;
}

}  // namespace sinter
