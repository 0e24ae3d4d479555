#include "passes/stages/products/tma_tiles.h"

#include <algorithm>

#include "passes/analysis/values/hardware.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

std::optional<TmaTiles> tma_tiles(const ContractOperand& operand, DType dtype) {
  constexpr int64_t kRowBytes = 16;                   // rows begin at multiples of
  constexpr int64_t kMostStride = 1ll << 40;          // bytes
  constexpr int64_t kMostExtent = (1ll << 31) - 256;  // coordinates are ints, also of a tile that goes beyond
  const int64_t bytes = dtype_bytes(dtype), chunk = kRowBytes / bytes;
  const std::optional<TileCopy> copy = tile_copy(operand, dtype);
  if (!copy || !copy->strided || copy->elements != chunk || bytes != 2) return std::nullopt;
  const int along = copy->along_k ? operand.k : operand.outer, across = copy->along_k ? operand.outer : operand.k;
  const IndexExpr& from = copy->from;
  const auto is_matrix_coordinate = [&](const IndexExpr::Term& term) {
    return term.atom->id == along || term.atom->id == across || term.atom->id == operand.batch;
  };
  if (!std::all_of(from.terms().begin(), from.terms().end(), is_matrix_coordinate)) return std::nullopt;
  const auto extent = [&](int id) { return operand.graph->coordinates[static_cast<size_t>(id)].extent; };
  TmaTiles tiles = {.array = copy->array, .first = from.constant(), .along_k = copy->along_k};
  const bool has_batch = extent(operand.batch) > 1;
  const int64_t row = from.coefficient_of_coordinate(across);
  const int64_t matrix = has_batch ? from.coefficient_of_coordinate(operand.batch) : 0;
  tiles.batched = matrix != 0;
  tiles.extents[0] = extent(along);
  tiles.extents[1] = extent(across);
  tiles.extents[2] = tiles.batched ? extent(operand.batch) : 1;
  tiles.strides[0] = row;
  tiles.strides[1] = tiles.batched ? matrix : row * tiles.extents[1];
  for (const int64_t stride : tiles.strides) {
    if (stride <= 0 || stride % chunk != 0 || stride * bytes >= kMostStride) return std::nullopt;
  }
  for (const int64_t length : tiles.extents) {
    if (length >= kMostExtent) return std::nullopt;
  }
  return tiles;
}

int64_t result_tiles(const ContractExtents& extents, const TensorCoreForm& form) {
  const ContractGrid grid = contract_grid(extents, form.m, form.n);
  return extents.batch * grid.rows * grid.columns;
}

int64_t tma_blocks(const ContractExtents& extents, const TensorCoreForm& form) {
  return std::min(result_tiles(extents, form), kMultiprocessors);
}

const ContractOperand& rhs_in_order(const ContractDemand& demand) {
  return demand.in_order ? *demand.in_order : demand.operands[1];
}

int64_t tma_part_run(const TmaTiles& rhs, const ColumnParts& parts, const TensorCoreForm& form) {
  return rhs.along_k ? form.n / parts.count : form.tile_k();
}

bool tma_has_parts(const ContractDemand& demand, const TensorCoreForm& form) {
  const ColumnParts& parts = demand.parts;
  if (parts.count == 1 || parts.apart) return parts.are_whole(form.n) && demand.has_partners(form.n);
  if (parts.empty > 0) return false;  // a k tile has as many bytes as are copied
  const std::optional<TmaTiles> rhs = tma_tiles(rhs_in_order(demand), demand.dot->operand(1)->shape.dtype);
  constexpr int64_t kEight = 8;  // columns of sums that registers have together
  return rhs && form.n % (tma_part_run(*rhs, parts, form) * parts.count) == 0 &&
         form.columns_at_once() / parts.count >= kEight;
}

bool has_tma_operands(const ContractDemand& demand) {
  const DType dtype = demand.dot->operand(0)->shape.dtype;
  return demand.extents.k > 0 && demand.rows.empty() && tma_tiles(demand.operands[0], dtype) &&
         tma_tiles(rhs_in_order(demand), dtype);
}

bool can_count_tiles(const ContractExtents& extents, const TensorCoreForm& form) {
  constexpr int64_t kMostTiles = 1ll << 30;  // numbers are ints, and go beyond the last by those of all blocks
  return result_tiles(extents, form) <= kMostTiles;
}

}  // namespace sinter
