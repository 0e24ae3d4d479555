#include "passes/lower/write/sharing.h"

#include <algorithm>
#include <map>

#include "passes/demand/views/needed_nodes.h"
#include "passes/lower/rewrite/mentions.h"
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

namespace {

struct Order {
  const Variable* in = nullptr;
  const Variable* out = nullptr;
  bool read = false;  // since the last barrier
};

// False if `out` is written after `in` has been read, with no barrier between. Blocks are nested as deep as the text is
// indented.
bool barrier_comes_first(const Block& block, bool outermost, Order* order) {
  for (const Statement& statement : block) {
    bool reads = false, writes = false;
    for (const Expr* expr : {statement.target, statement.value, statement.begin}) {
      reads |= mentions(expr, order->in);
      writes |= mentions(expr, order->out);
    }
    // A barrier in a loop or a branch may be passed by; reads of its own statement stand before it.
    const bool waits = outermost && statement.value != nullptr && statement.value->sync == Sync::kBlock;
    order->read = (order->read || reads) && !waits;
    if (writes && order->read) return false;
    for (const Block* inner : {&statement.body, &statement.other}) {
      if (!barrier_comes_first(*inner, false, order)) return false;
    }
  }
  return true;
}

}  // namespace

AccessOrder::AccessOrder(const Block& block) : block_(block) {
  size_t number = 0;
  add(block, &number);
}

void AccessOrder::add(const Block& block, size_t* number) {
  for (const Statement& statement : block) {
    const size_t own = (*number)++;
    std::vector<const Expr*> left;
    for (const Expr* expr : {statement.target, statement.value, statement.begin}) {
      if (expr != nullptr) left.push_back(expr);
    }
    while (!left.empty()) {
      const Expr* expr = left.back();
      left.pop_back();
      if (expr->variable != nullptr) spans_.try_emplace(expr->variable, Span{own, own}).first->second.last = own;
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
  Order order = {.in = in, .out = out};
  return !barrier || barrier_comes_first(block_, true, &order);
}

}  // namespace sinter
