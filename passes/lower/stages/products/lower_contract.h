// Contract kernels: one dot, a block a tile of its result, operands through shared memory.
#pragma once

#include "passes/lower/stages/base/lowered_stage.h"
#include "passes/stages/products/contract.h"

namespace sinter {

// The side of the tiles that blocks of so many threads compute, a thread an element; nullopt: no such tile.
std::optional<int64_t> contract_tile(int64_t threads);

// How the launch of a grid of tiles is spelled: kColumnTiles, kRowTiles, kBatch.
void spell_tiles(const ContractGrid& grid, int64_t batch, LaunchDimensions* launch);

LoweredStage lower_contract(const StageInput& input, const ContractDemand& demand);

}  // namespace sinter
