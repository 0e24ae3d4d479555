// Contract kernels: one dot, a block a tile of its result, operands through shared memory.
#pragma once

#include "passes/lower/stages/base/lower_kernel.h"
#include "passes/stages/products/contract.h"

namespace sinter {

// The side of the tiles that blocks of so many threads compute, a thread an element; nullopt: no such tile.
std::optional<int64_t> contract_tile(int64_t threads);

// How the launch of a grid of tiles is spelled: kColumnTiles, kRowTiles, kBatch.
void spell_tiles(const ContractGrid& grid, int64_t batch, LaunchDimensions* launch);

LoweredKernel lower_contract(const Module& module, const TreeNode& node, const KernelValues& values,
                             const ContractDemand& demand, const BufferNames& names);

}  // namespace sinter
