#include "passes/lower/sharing.h"

#include <algorithm>
#include <map>

#include "passes/lower/write_kernel.h"
#include "passes/schedule/needed_nodes.h"

namespace sinter {

ElementwisePairs elementwise_pairs(const DemandGraph& graph) {
  struct Access {
    std::vector<const IndexExpr*> places;
    bool replicated = false;  // threads that do not store the element read it too
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
    access->second.replicated |= !store.owners.empty();
  }
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) stores[stack.output].replicated = true;
  }
  ElementwisePairs pairs;
  for (const Instruction* in : loaded) {
    for (const Instruction* out : stored) {
      const Access& written = stores.at(out);
      if (written.replicated || in->shape.dtype != out->shape.dtype) continue;
      if (in->shape.element_count() != out->shape.element_count()) continue;
      const auto is_stored = [&](const IndexExpr* place) {
        return std::any_of(written.places.begin(), written.places.end(),
                           [&](const IndexExpr* offset) { return *offset == *place; });
      };
      const std::vector<const IndexExpr*>& places = loads.at(in).places;
      if (std::all_of(places.begin(), places.end(), is_stored)) pairs.emplace_back(in, out);
    }
  }
  return pairs;
}

namespace {

// False if the order is broken. Blocks are nested as deep as the text is indented.
bool in_order(const Block& block, const Variable* in, const Variable* out, bool* written) {
  for (const Statement& statement : block) {
    bool reads = false, writes = false;
    for (const Expr* expr : {statement.target, statement.value, statement.begin}) {
      reads |= mentions(expr, in);
      writes |= mentions(expr, out);
    }
    if (reads && *written) return false;
    *written |= writes;
    if (!in_order(statement.body, in, out, written) || !in_order(statement.other, in, out, written)) return false;
  }
  return true;
}

}  // namespace

bool reads_before_writes(const Block& block, const Variable* in, const Variable* out) {
  bool written = false;
  return in_order(block, in, out, &written);
}

}  // namespace sinter
