// The work of parts of a launch, and of several launches as one.
#include <algorithm>
#include <cmath>

#include "passes/analysis/values/hardware.h"
#include "passes/schedule/cost/graph_work.h"
#include "passes/schedule/cost/work.h"
#include "passes/stages/domain/launch_shape.h"

namespace sinter {

Work share(const Work& work, double part) {
  Work result = work;
  for (double* field : {&result.f32, &result.f64, &result.integer, &result.special, &result.memory, &result.turns,
                        &result.tensor, &result.flops, &result.chain}) {
    *field *= part;
  }
  return result;
}

Work both(const Work& a, const Work& b) {
  Work result = a;
  add(&result, b, 1);
  result.chain = std::max(a.chain, b.chain);
  result.registers = std::max(a.registers, b.registers);
  result.after = std::max(a.after, b.after);
  result.of_data |= b.of_data;
  return result;
}

Work then(const Work& work, const Work& last) {
  Work result = both(work, last);
  result.chain = work.chain;
  result.after = work.after + kFoundCycles + last.chain;
  return result;
}

double combine_blocks(const MapDemand& demand) {
  double columns = 0;
  for (const DemandLoop& loop : demand.graph->loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) {
      if (stack.reduce != nullptr) columns += static_cast<double>(demand.graph->coordinates[loop.counter].extent);
    }
  }
  if (columns == 0) return 0;
  const int64_t block = stacking_block(demand.threads, stacked_bytes(*demand.graph));
  const double levels =
      std::ceil(std::log(std::max<double>(ceil_div(demand.threads, block), 2)) / std::log(kBlocksAGroup));
  return levels * (kFoundCycles + std::ceil(columns / (4 * block)) * kLoadCycles);
}

}  // namespace sinter
