// Operands of a matrix product whose tiles the hardware copies by itself (templates/device/tile_copy.cuh): matrices of
// 16-bit elements in one array, rows of neighbours that begin at multiples of 16 bytes.
#pragma once

#include <cstdint>
#include <optional>

#include "passes/stages/products/contract.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

// In elements, those of neighbours first, as TiledMatrices has them.
struct TmaTiles {
  const Instruction* array = nullptr;
  int64_t first = 0;    // element of the array
  bool along_k = true;  // rows are along k
  int64_t extents[3] = {1, 1, 1};
  int64_t strides[2] = {1, 1};
  bool batched = false;  // else the same matrix for all of the batch
};
std::optional<TmaTiles> tma_tiles(const ContractOperand& operand, DType dtype);

// The right operand with its columns in order: of parts (column_parts.h) each run is a copy of its own.
const ContractOperand& rhs_in_order(const ContractDemand& demand);
// Neighbours of a part in a tile: of columns that are side by side in memory, those of 128 bytes; of others all that
// the tile has of a part.
int64_t tma_part_run(const TmaTiles& rhs, const ColumnParts& parts, const TensorCoreForm& form);
// Whether a tile, and the sums of it that are in shared memory at a time, have all parts.
bool tma_has_parts(const ContractDemand& demand, const TensorCoreForm& form);

// Whether the hardware can copy both operands; and whether blocks can number the tiles that they multiply in turn.
bool has_tma_operands(const ContractDemand& demand);
bool can_count_tiles(const ContractExtents& extents, const TensorCoreForm& form);

// Blocks of a launch: as many as a GPU has multiprocessors, or tiles.
int64_t tma_blocks(const ContractExtents& extents, const TensorCoreForm& form);
int64_t result_tiles(const ContractExtents& extents, const TensorCoreForm& form);

}  // namespace sinter
