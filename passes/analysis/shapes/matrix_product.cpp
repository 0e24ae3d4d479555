#include "passes/analysis/shapes/matrix_product.h"

#include <algorithm>
#include <set>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/shapes/skinny_product.h"
#include "passes/analysis/values/hardware.h"

namespace sinter {

namespace {

// Smaller than this, tiles would be mostly empty.
constexpr int64_t kMinSide = 8;
constexpr int64_t kMinDepth = 16;
constexpr int64_t kMinElements = 512;
// What `int` can count, with a tile to spare.
constexpr int64_t kMaxExtent = INT32_MAX - 1024;

bool fills_tiles(const Instruction& product, const ContractExtents& extents) {
  return extents.m >= kMinSide && extents.n >= kMinSide && product.shape.element_count() >= kMinElements &&
         contract_grid(extents, kContractTile).grid[0] <= INT32_MAX;
}

}  // namespace

std::optional<ConvolutionMatrices> convolution_matrices(const Instruction& convolution) {
  if (convolution.opcode != Opcode::kConvolution) return std::nullopt;
  const Attributes& attributes = convolution.attributes;
  const ConvolutionDims& labels = *attributes.dim_labels;
  const Shape& kernel = convolution.operand(1)->shape;
  const int64_t rank = convolution.shape.rank();
  ConvolutionMatrices matrices;
  matrices.kernel_rows = labels.output_feature != rank - 1;
  matrices.groups = attributes.feature_group_count.value_or(1) * attributes.batch_group_count.value_or(1);
  matrices.between = matrices.groups > 1 && !matrices.kernel_rows;
  // A thread makes what a channel of one feature gives.
  if (matrices.between && convolution.shape.dims[rank - 1] == matrices.groups) return std::nullopt;
  for (int64_t d = 0; d < rank; ++d) {
    if (d == labels.output_feature) {
      (matrices.kernel_rows ? matrices.rows : matrices.columns).push_back(d);
    } else if (!matrices.kernel_rows) {
      matrices.rows.push_back(d);
    } else {
      (d < labels.output_feature ? matrices.batch : matrices.columns).push_back(d);
    }
  }
  for (int64_t d = 0; d < kernel.rank(); ++d) {
    if (d != labels.rhs_output_feature) matrices.taps.push_back(d);
  }
  matrices.extents.batch = product(convolution.shape, matrices.batch) * matrices.groups;
  matrices.extents.m = product(convolution.shape, matrices.rows);
  matrices.extents.n = product(convolution.shape, matrices.columns);
  (matrices.kernel_rows ? matrices.extents.m : matrices.extents.n) /= matrices.groups;
  matrices.extents.k = product(kernel, matrices.taps);
  return matrices;
}

std::optional<ContractExtents> contract_extents(const Instruction& dot) {
  if (!is_dot_or_convolution(dot)) return std::nullopt;
  for (const DType dtype : {dot.shape.dtype, dot.operand(0)->shape.dtype, dot.operand(1)->shape.dtype}) {
    if (dtype == DType::kPred) return std::nullopt;
  }
  ContractExtents extents;
  if (dot.opcode == Opcode::kConvolution) {
    const std::optional<ConvolutionMatrices> matrices = convolution_matrices(dot);
    if (!matrices) return std::nullopt;
    extents = matrices->extents;
  } else {
    const OperandDims left = operand_dims(dot, 0);
    const OperandDims right = operand_dims(dot, 1);
    extents.batch = product(dot.operand(0)->shape, left.batch);
    extents.m = product(dot.operand(0)->shape, left.free);
    extents.n = product(dot.operand(1)->shape, right.free);
    extents.k = product(dot.operand(0)->shape, left.contracting);
  }
  for (const int64_t extent : {extents.batch, extents.m, extents.n, extents.k}) {
    if (extent < 1 || extent > kMaxExtent) return std::nullopt;
  }
  return extents;
}

bool is_contraction(const Instruction& instruction) {
  if (is_skinny_product(instruction)) return true;
  const std::optional<ContractExtents> extents = contract_extents(instruction);
  return extents && extents->k >= kMinDepth && fills_tiles(instruction, *extents);
}

bool is_shallow_product(const Instruction& instruction) {
  if (is_skinny_product(instruction)) return false;
  const std::optional<ContractExtents> extents = contract_extents(instruction);
  return extents && extents->k > 1 && extents->k < kMinDepth && fills_tiles(instruction, *extents);
}

bool is_narrow_convolution(const Instruction& instruction) {
  // Fewer products than this take no longer than a launch.
  constexpr int64_t kMinProducts = 1 << 22;
  if (instruction.opcode != Opcode::kConvolution) return false;
  const std::optional<ContractExtents> extents = contract_extents(instruction);
  return extents && extents->k >= kMinDepth && std::min(extents->m, extents->n) < kMinSide &&
         std::max(extents->m, extents->n) >= kMinElements &&
         instruction.shape.element_count() >= kMinProducts / extents->k &&
         contract_grid(*extents, kContractTile).grid[0] <= INT32_MAX;
}

bool follows_contraction(const Instruction& value) {
  if (family_of(value) != Family::kElementwise || !value.shape.is_array()) return false;
  const int64_t elements = value.shape.element_count();
  std::set<const Instruction*> seen;
  std::vector<const Instruction*> stack = {&value};
  while (!stack.empty()) {
    const Instruction* current = stack.back();
    stack.pop_back();
    if (!current->shape.is_array() || current->shape.element_count() != elements) continue;
    if (is_contraction(*current)) return true;
    const bool through = family_of(*current) == Family::kElementwise || current->opcode == Opcode::kReshape;
    if (!through || !seen.insert(current).second) continue;
    stack.insert(stack.end(), current->operands().begin(), current->operands().end());
  }
  return false;
}

ContractGrid contract_grid(const ContractExtents& extents, int64_t tile_m, int64_t tile_n) {
  ContractGrid grid;
  grid.rows = ceil_div(extents.m, tile_m);
  grid.columns = ceil_div(extents.n, tile_n);
  grid.folded = grid.rows > kMostBlocksYZ || extents.batch > kMostBlocksYZ;
  if (grid.folded) {
    grid.grid[0] = grid.columns * grid.rows * extents.batch;
  } else {
    grid.grid[0] = grid.columns;
    grid.grid[1] = grid.rows;
    grid.grid[2] = extents.batch;
  }
  return grid;
}

}  // namespace sinter
