#include "passes/lower/stages/products/result_pairs.h"

#include <algorithm>
#include <set>

namespace sinter {
namespace {

void add_loads(const DemandGraph* graph, std::set<const Instruction*>* arrays) {
  if (graph == nullptr) return;
  for (const DemandNode& node : graph->nodes) {
    if (node.kind == DemandNode::Kind::kLoad) arrays->insert(node.instruction);
  }
}

}  // namespace

std::vector<ElementwisePair> result_pairs(const ContractDemand& demand) {
  // Of parts that stand apart other blocks have another's results at the same place.
  if (demand.parts.apart) return {};
  std::set<const Instruction*> of_operands;  // asked for membership alone
  for (size_t number = 0; number < demand.operand_count(); ++number)
    add_loads(demand.operand(number).graph.get(), &of_operands);
  if (demand.pair) add_loads(demand.pair->graph.get(), &of_operands);
  for (const std::vector<const Instruction*>& arrays : demand.matrices)
    of_operands.insert(arrays.begin(), arrays.end());
  // Every other read of an array is in the graph of one thread an element, at a place of its own.
  std::vector<ElementwisePair> pairs = elementwise_pairs(*demand.graph, /*rows=*/false);
  std::erase_if(pairs, [&](const ElementwisePair& pair) { return of_operands.contains(pair.in); });
  return pairs;
}

}  // namespace sinter
