// What blocks do that take a map in tiles (MapTiles): as a map, but that what lies across is read and written once
// more, in shared memory, and found side by side.
#include <algorithm>

#include "passes/analysis/values/latencies.h"
#include "passes/schedule/cost/turns.h"
#include "passes/schedule/cost/work.h"

namespace sinter {

Work map_tiles_work(const MapDemand& demand, const MapTiles& tiles) {
  // Of an element: its place in the tile and in the array, and whether it is there, of what is read and of what is
  // stored. Much of that is the same for all elements of a thread.
  constexpr double kPlaceInstructions = 3;
  constexpr int kOfTiles = 16;  // registers: loads under way
  Work work = map_work(demand, 1);
  const auto elements = static_cast<double>(demand.threads);
  const TurnCounter turns(*demand.graph, 1);
  for (const NodeId id : tiles.loads) {
    const DemandNode& load = demand.graph->nodes[id];
    work.turns -= elements * turns.of(load.expr, load.dtype);
    work.memory += 2 * elements;
  }
  work.turns = std::max(work.turns, 0.0);
  work.integer += 2 * kPlaceInstructions * elements;
  // A thread's elements are loaded one behind the other.
  const double of_thread = static_cast<double>(tiles.rows * tiles.columns) / kMapTileThreads;
  work.chain += kBarrierCycles + kSharedCycles + of_thread * kSharedCycles;
  work.registers += kOfTiles;
  return work;
}

}  // namespace sinter
