#include "passes/schedule/groups/choose_contract.h"

#include "passes/analysis/values/hardware.h"
#include "passes/schedule/cost/work.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

namespace {

// Tiles to choose from, the larger first: operands are read from memory less often by a larger tile, and more blocks
// make smaller ones.
struct Candidate {
  int64_t m, n, threads;
};
constexpr Candidate kCandidates[] = {{128, 128, 256}, {128, 128, 128}, {128, 64, 128}, {64, 128, 128},
                                     {64, 64, 128},   {64, 32, 128},   {32, 64, 128},  {32, 32, 128}};

}  // namespace

ContractChoice choose_contract(const ContractDemand& demand, const Gpu* gpu) {
  ContractChoice best;
  best.threads = kContractTile * kContractTile;
  best.cost = contract_cost(demand);
  const std::optional<TensorCoreForm::Product> product = tensor_core_product(*demand.dot);
  if (!product || gpu == nullptr || gpu->tensor_fma == 0) return best;
  double least = predicted_us(best.cost, *gpu);
  // Sums of a warp and lane, of which so many leave registers for what else there is: the index of a copy, the terms of
  // TF32, elements on their way through registers. ptxas has spilled above.
  constexpr int64_t kManySums = 64;
  const auto is_simple = [&](const ContractOperand& operand) {
    const std::optional<TileCopy> copy = tile_copy(operand, demand.dot->operand(0)->shape.dtype);
    return copy && copy->strided;
  };
  const bool simple =
      *product == TensorCoreForm::Product::k16Bits && is_simple(demand.operands[0]) && is_simple(demand.operands[1]);
  for (const Candidate& candidate : kCandidates) {
    TensorCoreForm form = {.product = *product, .m = candidate.m, .n = candidate.n};
    form.k = 64 / form.element_bytes();
    const std::optional<WarpTile> part = warp_tile(form, candidate.threads);
    if (!part || (!simple && part->m * part->n / kWarp > kManySums)) continue;
    const ContractGrid grid = contract_grid(demand.extents, form.m, form.n);
    LaunchCost cost = best.cost;
    cost.work = tensor_core_work(demand, form, candidate.threads);
    cost.launch.blocks = grid.grid[0] * grid.grid[1] * grid.grid[2];
    cost.launch.threads = candidate.threads;
    cost.launch.shared_bytes = form.shared_bytes();
    const double us = predicted_us(cost, *gpu);
    if (us >= least) continue;
    least = us;
    best = {form, candidate.threads, cost};
  }
  return best;
}

}  // namespace sinter
