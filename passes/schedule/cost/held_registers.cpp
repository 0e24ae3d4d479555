#include "passes/schedule/cost/held_registers.h"

#include <algorithm>
#include <cmath>

#include "passes/demand/views/needed_nodes.h"
#include "passes/schedule/cost/graph_work.h"

namespace sinter {

namespace {

// Registers that a kernel needs whatever it computes: coordinates, an address or two.
constexpr double kOtherRegisters = 14;
constexpr double kMostRegisters = 255;
// Registers of what ptxas has under way at a time: loads of several steps of a reduction, operations of a function's
// copies.
constexpr double kPipelineRegisters = 26, kCallRegisters = 16;

double width(DType dtype) { return dtype == DType::kPred ? 0.25 : std::max(1.0, dtype_bits(dtype) / 32.0); }

double width(const DemandNode& node) {
  switch (node.kind) {
    case DemandNode::Kind::kConstant:
    case DemandNode::Kind::kIndex:
    case DemandNode::Kind::kCarry:
      return 0;  // in the instruction, computed where it is used, or counted with the loop
    default:
      return width(node.dtype);
  }
}

}  // namespace

int whole_registers(double registers) {
  return static_cast<int>(std::ceil(std::min(registers + kOtherRegisters, kMostRegisters)));
}

double HeldRegisters::spilled() const { return std::max(registers + kOtherRegisters - kMostRegisters, 0.0); }

double graph_registers(const DemandGraph& graph, double lanes) { return held_registers(graph, lanes).registers; }

HeldRegisters held_registers(const DemandGraph& graph, double lanes) {
  const std::vector<bool> needed = needed_nodes(graph);
  std::vector<int> last(graph.nodes.size(), -1);
  const auto use = [&](NodeId node, int at) {
    if (node >= 0) last[node] = std::max(last[node], at);
  };
  const int end = static_cast<int>(graph.nodes.size());
  for (int id = 0; id < end; ++id) {
    if (!needed[id]) continue;
    for (const NodeId operand : graph.nodes[id].operands) use(operand, id);
  }
  double always = 0;
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Slot& slot : loop.slots) {
      if (slot.carried != kNoNode && needed[slot.carried]) always += width(graph.nodes[slot.carried].dtype);
    }
  }
  std::vector<double> ends(graph.nodes.size() + 1, 0);
  double live = 0, most = 0;
  int scope = 0;
  for (int id = 0; id < end; ++id) {
    live -= ends[id];
    if (!needed[id] || last[id] < id) continue;
    const double registers = width(graph.nodes[id]);
    live += registers;
    ends[std::min(last[id] + 1, end)] += registers;
    if (live > most) scope = graph.nodes[id].scope;
    most = std::max(most, live);
  }
  bool pipelines = false, calls = false;
  for (int id = 0; id < end; ++id) {
    const DemandNode& node = graph.nodes[id];
    const bool reduces = graph.scopes[node.scope].kind == DemandScope::Kind::kReduce;
    pipelines |=
        needed[id] && reduces && (node.kind == DemandNode::Kind::kLoad || node.kind == DemandNode::Kind::kElement);
    calls |= needed[id] && node.kind == DemandNode::Kind::kCall;
  }
  return {always * lanes + most * lanes + (pipelines ? kPipelineRegisters : 0) + (calls ? kCallRegisters : 0), scope};
}

}  // namespace sinter
