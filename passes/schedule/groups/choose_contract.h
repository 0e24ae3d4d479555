// Choosing how a matrix product is computed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "passes/schedule/cost/launch_cost.h"
#include "passes/stages/products/contract.h"

namespace sinter {

// How a contraction is computed: as vectors times a matrix, in tiles on tensor cores, or an element a thread.
struct ContractChoice {
  std::string schedule;  // "contract(mma 128x128x32, stages 4)"
  int64_t threads = 0;   // of a block
  int64_t grid[3] = {1, 1, 1};
  LaunchCost cost;
};
// That takes the least time, of these forms; without a GPU to ask, an element a thread. `threads`: of a block, where
// some form can have so many; 0: as many as its form wants.
ContractChoice choose_contract(const ContractDemand& demand, const Gpu* gpu, bool tensor_cores, int64_t threads = 0);

// In a loop of grid scope: with all of a block's matrix in its shared memory, a block a multiprocessor; nullopt where
// that does not fit.
std::optional<ContractChoice> resident_contract(const ContractDemand& demand, const Gpu& gpu);

}  // namespace sinter
