#include "passes/schedule/cost/launch_cost.h"

#include <algorithm>

#include "passes/demand/views/touched_bytes.h"
#include "passes/schedule/cost/contract_work.h"
#include "passes/schedule/cost/work.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/domain/row_width.h"
#include "passes/stages/domain/split_phases.h"
#include "passes/stages/scans/scan_tile.h"

namespace sinter {

namespace {

// Read and written, each element once.
int64_t bytes_of(const DemandGraph& graph) {
  const TouchedBytes touched = touched_bytes(graph);
  int64_t bytes = 0;
  for (const auto* arrays : {&touched.read, &touched.written}) {
    for (const auto& [array, some] : *arrays) bytes += some;
  }
  return bytes;
}

}  // namespace

LaunchCost map_cost(const MapDemand& demand) {
  const LaunchShape shape = map_launch_shape(demand);
  LaunchCost cost;
  cost.work = map_work(demand, shape.domain.width);
  cost.launch = {.blocks = shape.grid, .threads = shape.block, .bytes = bytes_of(*demand.graph)};
  if (shape.domain.tile > 0) {
    const MapTiles tiles = *map_tiles(demand, shape.domain.tile);
    cost.work = map_tiles_work(demand, tiles);
    cost.launch.shared_bytes = tiles.shared_bytes;
  }
  return cost;
}

std::optional<LaunchCost> row_cost(RowDemand* demand, int64_t most_nodes) {
  const LaunchShape shape = row_launch_shape(demand->extents);
  const int64_t threads = threads_a_row(shape.tier, demand->extents, shape.block);
  LaunchCost cost;
  cost.launch = {.blocks = shape.grid, .threads = shape.block, .bytes = bytes_of(*demand->graph)};
  if (!split_phases(demand, threads, most_nodes)) return std::nullopt;
  cost.work = row_work(*demand, threads, best_row_width(*demand, shape.tier, threads));
  return cost;
}

LaunchCost contract_cost(const ContractDemand& demand) {
  const ContractGrid shape = contract_grid(demand.extents, kContractTile);
  LaunchCost cost;
  cost.work = contract_work(demand, kContractTile);
  cost.launch = {.blocks = shape.grid[0] * shape.grid[1] * shape.grid[2],
                 .threads = kContractTile * kContractTile,
                 .bytes = bytes_of(*demand.graph)};
  return cost;
}

LaunchCost scan_cost(const ScanDemand& demand) {
  const ScanTile tile = scan_tile(demand);
  LaunchCost cost;
  cost.work = scan_work(demand);
  cost.launch = {.blocks = tile.blocks, .threads = tile.threads, .bytes = bytes_of(*demand.graph)};
  cost.launches = tile.tiles > 1 ? 2 : 1;
  return cost;
}

double predicted_us(const LaunchCost& cost, const Gpu& gpu) {
  if (cost.launches == 1) return estimate(cost.work, cost.launch, gpu).us;
  const auto launches = static_cast<double>(cost.launches);
  return launches * estimate(share(cost.work, 1 / launches), cost.launch, gpu).us;
}

LaunchCost side_by_side(const LaunchCost& a, const LaunchCost& b) {
  LaunchCost cost;
  cost.work = both(a.work, b.work);
  cost.launch.threads = std::max(a.launch.threads, b.launch.threads);
  cost.launch.shared_bytes = std::max(a.launch.shared_bytes, b.launch.shared_bytes);
  cost.launch.counted = a.launch.counted + b.launch.counted;
  // Threads that may be in any block are in the larger ones.
  double chains = 0;
  cost.launch.blocks = 0;
  for (const LaunchCost* part : {&a, &b}) {
    const int64_t blocks = part->launch.blocks;
    const double chain = part->work.mean_chain > 0 ? part->work.mean_chain : part->work.chain;
    cost.launch.blocks += blocks;
    chains += static_cast<double>(blocks) * chain;
  }
  cost.work.mean_chain = chains / static_cast<double>(cost.launch.blocks);
  cost.launch.bytes = a.launch.bytes + b.launch.bytes;
  return cost;
}

LaunchCost one_after_the_other(const LaunchCost& cost, const LaunchCost& last) {
  Work in_turn = last.work;
  in_turn.chain *= static_cast<double>(last.launch.blocks);
  LaunchCost result = cost;
  result.work = then(cost.work, in_turn);
  result.launch.bytes += last.launch.bytes;
  if (cost.launch.blocks > 1) result.launch.counted = cost.launch.blocks;
  return result;
}

}  // namespace sinter
