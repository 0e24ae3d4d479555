#include "passes/stages/domain/better_apart.h"

#include <algorithm>
#include <map>
#include <set>

#include "passes/analysis/values/thresholds.h"
#include "passes/stages/domain/launch_shape.h"

namespace sinter {

namespace {

// A reduction or contraction is computed once an element, not again for each use of it; a short sum may be, a few
// times, and one that is not long in a step of a map loop, whose kernels would be launched for each step. The reduction
// that is computed more often; nullptr if there is none.
const Instruction* recomputed_reduction(const MapDemand& demand) {
  constexpr int64_t kNotLong = 4096;
  const DemandGraph& graph = *demand.graph;
  if (!graph.loops.empty()) return nullptr;
  std::map<const Instruction*, int64_t> times;
  const Instruction* last = nullptr;
  std::set<int> seen;  // each once, whichever of its results are read
  for (const DemandNode& node : graph.nodes) {
    if (node.kind != DemandNode::Kind::kReduce) continue;
    const DemandReduce& reduce = graph.reduces[node.reduce];
    // What a window chooses is no value that could be stored.
    if (reduce.chooses || !seen.insert(node.reduce).second) continue;
    const Shape& shape =
        reduce.instruction->shape.is_tuple() ? reduce.instruction->shape.elements[0] : reduce.instruction->shape;
    const int64_t terms = reduce.scope >= 0 ? graph.steps_in(reduce.scope) : 1;
    const int64_t steps = graph.steps_of(reduce.instruction->parent());
    if (steps > 1 && graph.nested_steps(reduce) <= kNotLong) continue;
    const bool is_short = reduce.instruction->opcode == Opcode::kReduce && terms <= kShortReduction;
    const int64_t limit = (reduce.scope < 0 || is_short ? 4 : 1) * shape.element_count() * steps;
    int64_t made = demand.threads;
    for (int scope = node.scope; scope != 0 && made <= limit; scope = graph.scopes[scope].parent) {
      for (const int id : graph.scopes[scope].coordinates) made *= std::min(graph.coordinates[id].extent, limit + 1);
    }
    times[reduce.instruction] += std::min(made, limit + 1);
    if (times[reduce.instruction] > limit) last = reduce.instruction;
  }
  return last;
}

// An output that a row kernel gives for each element, though its blocks are few and the elements many; nullptr if there
// is none. Such a one is computed faster by a kernel of its own.
const Instruction* spread_over_few(const KernelValues& kernel, const RowExtents& row) {
  constexpr int64_t kFewBlocks = 32, kMany = 131072;
  if (row_launch_shape(row).grid >= kFewBlocks || row.rows * row.columns < kMany) return nullptr;
  for (const Instruction* output : kernel.outputs) {
    if (stored_shape(kernel.context, *output).element_count() > kFewOfARow * row.rows) return output;
  }
  return nullptr;
}

// Steps of the loops that a reduction is made in, though it stands beside them in the text.
int64_t steps_beside(const DemandGraph& graph, const DemandReduce& reduce) {
  constexpr int64_t kMost = int64_t{1} << 30;
  int64_t steps = 1;
  for (int scope = reduce.scope; scope > 0; scope = graph.scopes[scope].parent) {
    if (graph.scopes[scope].kind != DemandScope::Kind::kLoop) continue;
    const DemandLoop& loop = graph.loops[graph.scopes[scope].loop];
    if (loop.instruction->parent() == reduce.instruction->parent())
      steps = std::min(steps, kMost) * loop.info.trip_count.value_or(1);
  }
  return steps;
}

// A reduction whose steps each make another one, or that steps of a loop make, where few threads would make many steps
// one after the other: the other had better be a kernel of its own. nullptr if there is none.
const Instruction* serial_nest(const MapDemand& demand) {
  constexpr int64_t kManySteps = 512;
  const DemandGraph& graph = *demand.graph;
  if (demand.threads >= kThreadsAtOnce) return nullptr;
  for (const DemandReduce& reduce : graph.reduces) {
    if (reduce.scope <= 0 || graph.steps_of(reduce.instruction->parent()) > 1) continue;
    const int64_t beside = steps_beside(graph, reduce);
    if (beside > 1 && beside * graph.nested_steps(reduce) > kManySteps) return reduce.instruction;
    if (!graph.loops.empty()) continue;
    const DemandScope& around = graph.scopes[graph.scopes[reduce.scope].parent];
    const bool nested = around.kind == DemandScope::Kind::kReduce;
    if (nested && graph.nested_steps(reduce) > kManySteps) return reduce.instruction;
  }
  return nullptr;
}

}  // namespace

std::optional<DemandGraph::Failure> better_apart(const MapDemand& demand) {
  if (const Instruction* serial = serial_nest(demand)) return DemandGraph::Failure{serial, "serial-reduction"};
  if (const Instruction* recomputed = recomputed_reduction(demand))
    return DemandGraph::Failure{recomputed, "recomputed-reduction"};
  return std::nullopt;
}

std::optional<DemandGraph::Failure> better_apart(const KernelValues& kernel, const RowDemand& demand) {
  if (const Instruction* spread = spread_over_few(kernel, demand.extents))
    return DemandGraph::Failure{spread, "few-rows"};
  return std::nullopt;
}

}  // namespace sinter
