// Contract kernels: one dot, a block a tile of its result, operands through shared memory.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "passes/lower/stages/base/run_tiles.h"
#include "passes/lower/stages/base/stage_writer.h"
#include "passes/stages/products/contract.h"

namespace sinter {

// An element's spelling longer than this stands in an if statement, not in a conditional expression.
inline constexpr int64_t kInlineWidth = 48;

// The side of the tiles that blocks of so many threads compute, a thread an element; nullopt: no such tile.
std::optional<int64_t> contract_tile(int64_t threads);

// How the launch of a grid of tiles is spelled: kColumnTiles, kRowTiles, kBatch.
void spell_tiles(const ContractGrid& grid, int64_t batch, LaunchDimensions* launch);

// What its tiles divide among them, if it is not folded. `tile_rows`: the constant that is a tile's rows.
std::vector<TiledElements> tiled_products(const ContractDemand& demand, const std::string& tile_rows);

// The arrays that a graph's results are made of.
std::set<const Instruction*> loaded_arrays(const DemandGraph& graph);
// Which part the column of a tile, or the output of a block, belongs to.
const Expr* part_at(StageWriter* writer, const Variable* column);
// Of products with a matrix each (part_matrices.h), and none else: what is loaded of `arrays` of the first part,
// `expressions` read in those of `part`, to which pointers are chosen in `block`.
void choose_matrices(StageWriter* writer, const ContractDemand& demand, const std::set<const Instruction*>& arrays,
                     const Expr* part, Expressions* expressions, Block* block);

LoweredStage lower_contract(const StageInput& input, const ContractDemand& demand);

}  // namespace sinter
