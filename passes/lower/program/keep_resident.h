// Weights that the blocks of a launch keep in shared memory over all steps of a loop of grid scope: each block has the
// same tile in each step, and loads what it multiplies with before the first (`contract(gemv 16x64, resident)`):
//
//   bool loads_weights = true;
//   for (int t = 0; t < kSteps; ++t) {
//     barrier.wait_for_all();
//     for (int block = blockIdx.x; block < product::kBlocks; block += gridDim.x) {
//       product::run(block, x_current, weights, x_next, loads_weights);
//     }
//     loads_weights = gridDim.x < product::kBlocks;
//
// A block that has several tiles, on a device that holds fewer blocks, loads them anew: the same bits.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "passes/lower/host/host_plan.h"

namespace sinter {

// Positions among the kernel's parameters of the arrays that it keeps; empty: it is no such kernel.
std::vector<size_t> kept_parameters(const Kernel& kernel);

// Why a part cannot; empty: it can, or keeps nothing. `shares`: other parts have shared memory. `changes`: whether the
// steps change the array of that parameter.
std::string refuse_kept(const Kernel& kernel, bool shares, const std::function<bool(size_t)>& changes);

// What a launch keeps of a part, and the variable that says whether to load it.
struct Kept {
  std::vector<size_t> parameters;  // positions
  std::string loads;
};
// Bytes that a step would read of it.
int64_t bytes_kept(const HostStep& step, const HostPlan& plan, const Kernel& part, const std::vector<size_t>& kept);

// Has the part told by its last parameter whether to load.
void ask_whether_to_load(Kernel* part);

}  // namespace sinter
