#include "passes/lower/write/sharing.h"

#include <algorithm>
#include <map>

#include "passes/demand/views/needed_nodes.h"
#include "passes/lower/write/write_kernel.h"

namespace sinter {

std::vector<ElementwisePair> elementwise_pairs(const DemandGraph& graph, bool rows) {
  struct Access {
    std::vector<const IndexExpr*> places;
    bool of_row = false;   // one of the row's threads stores, where all may read
    bool in_loop = false;  // stored by steps of a loop
  };
  const std::vector<bool> needed = needed_nodes(graph);
  std::vector<const Instruction*> loaded, stored;  // in order
  std::map<const Instruction*, Access> loads, stores;
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
    const auto [access, fresh] = loads.try_emplace(node.instruction);
    if (fresh) loaded.push_back(node.instruction);
    access->second.places.push_back(&node.expr);
  }
  for (const DemandStore& store : graph.stores) {
    const auto [access, fresh] = stores.try_emplace(store.value);
    if (fresh) stored.push_back(store.value);
    access->second.places.push_back(&store.offset);
    access->second.of_row |= !store.owners.empty();
  }
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) stores[stack.output].in_loop = true;
  }
  std::vector<ElementwisePair> pairs;
  for (const Instruction* in : loaded) {
    for (const Instruction* out : stored) {
      const Access& written = stores.at(out);
      if (written.in_loop || (written.of_row && !rows) || in->shape.dtype != out->shape.dtype) continue;
      if (in->shape.element_count() != out->shape.element_count()) continue;
      const auto is_stored = [&](const IndexExpr* place) {
        return std::any_of(written.places.begin(), written.places.end(),
                           [&](const IndexExpr* offset) { return *offset == *place; });
      };
      const std::vector<const IndexExpr*>& places = loads.at(in).places;
      if (std::all_of(places.begin(), places.end(), is_stored)) pairs.push_back({in, out, written.of_row});
    }
  }
  return pairs;
}

// Statements are numbered in the order of the text; a barrier that all of a block's threads come to begins another
// 2^32.
constexpr int kBarrierBit = 32;

AccessOrder::AccessOrder(const Block& block) : block_(block) {
  size_t number = 0;
  add(block, &number);
}

void AccessOrder::add(const Block& block, size_t* number) {
  for (const Statement& statement : block) {
    // A barrier in a loop or a branch may be passed by. What its own statement reads stands before it.
    const bool waits = &block == &block_ && statement.value != nullptr && statement.value->sync == Sync::kBlock;
    const size_t read = *number;
    if (waits) *number += size_t{1} << kBarrierBit;
    const size_t written = (*number)++;
    std::vector<const Expr*> left;
    for (const Expr* expr : {statement.target, statement.value, statement.begin}) {
      if (expr != nullptr) left.push_back(expr);
    }
    while (!left.empty()) {
      const Expr* expr = left.back();
      left.pop_back();
      if (expr->variable != nullptr) spans_.try_emplace(expr->variable, Span{written, read}).first->second.last = read;
      left.insert(left.end(), expr->operands.begin(), expr->operands.end());
    }
    add(statement.body, number);
    add(statement.other, number);
  }
}

bool AccessOrder::reads_before_writes(const Variable* in, const Variable* out, bool barrier) const {
  const auto read = spans_.find(in), written = spans_.find(out);
  if (read == spans_.end() || written == spans_.end()) return true;
  if (read->second.last > written->second.first) return false;
  // Where one stands between the last read and the first write, one does between any two.
  return !barrier || read->second.last >> kBarrierBit < written->second.first >> kBarrierBit;
}

}  // namespace sinter
