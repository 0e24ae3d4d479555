#include "passes/lower/arrange/items.h"

#include <algorithm>

#include "passes/demand/contracted_node.h"
#include "passes/demand/nodes_read.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/lower/arrange/arranger.h"
#include "passes/lower/text/rotation.h"

namespace sinter {

using NodeKind = DemandNode::Kind;

namespace {

// A guard's arm longer than this becomes an if statement.
constexpr int64_t kArmWidth = 48;

}  // namespace

Items Arranger::run() {
  reachable_ = needed_nodes(graph_, [&](NodeId node) { return reads(node); });
  needed_loops_ = needed_loops(graph_, reachable_);
  count_uses();
  choose_guard_forms();
  name_vectors();
  // Widths are estimated before loops have variables: a placeholder stands for each.
  std::vector<int> without_name;
  for (size_t id = 0; id < graph_.coordinates.size(); ++id) {
    if (expressions_.coordinates.emplace(static_cast<int>(id), expressions_.kernel->name_expr("t")).second) {
      without_name.push_back(static_cast<int>(id));
    }
  }
  const Expr* slot = expressions_.slot;
  expressions_.slot = expressions_.kernel->name_expr("k");
  name_indices();
  name_quotients();
  name_values();
  expressions_.slot = slot;
  for (const int id : without_name) expressions_.coordinates.erase(id);
  make_items();
  link_items();
  order_items();
  return std::move(items_);
}

int Arranger::statement_scope(int scope) const {
  while (graph_.scopes[scope].kind == DemandScope::Kind::kGuard && !items_.statement_guard[scope]) {
    scope = graph_.scopes[scope].parent;
  }
  return scope;
}

bool Arranger::absorbed_product(NodeId id, NodeId operand) const {
  const DemandNode& node = graph_.nodes[id];
  return node.kind == NodeKind::kCompute && contracted_node(graph_, *node.instruction, node.operands) == operand;
}

std::vector<NodeId> Arranger::reads(NodeId id) const {
  if (const std::optional<Rotation> rotated = rotation(graph_, id)) return {rotated->operand};
  std::vector<NodeId> result;
  const DemandNode& node = graph_.nodes[id];
  const bool written_out = node.kind == NodeKind::kReduce && graph_.reduces[node.reduce].scope < 0;
  visit_reads(graph_, id, [&](NodeId read, ReadAs as) {
    if (as == ReadAs::kOperand && absorbed_product(id, read)) {
      const std::vector<NodeId>& factors = graph_.nodes[read].operands;
      result.insert(result.end(), factors.begin(), factors.end());
    } else if (as == ReadAs::kOperand || (as == ReadAs::kTerm && written_out)) {
      result.push_back(read);
    }
  });
  return result;
}

void Arranger::count_uses() {
  uses_.assign(graph_.nodes.size(), 0);
  used_deeper_.assign(graph_.nodes.size(), false);
  must_name_.assign(graph_.nodes.size(), false);
  items_.statement_guard.assign(graph_.scopes.size(), false);
  // Guards count as transparent here: an arm's expression may be spelled inside the conditional.
  const auto solid = [&](int scope) {
    while (graph_.scopes[scope].kind == DemandScope::Kind::kGuard) scope = graph_.scopes[scope].parent;
    return scope;
  };
  const auto use = [&](NodeId node, int scope) {
    ++uses_[node];
    if (solid(scope) != solid(graph_.nodes[node].scope)) used_deeper_[node] = true;
  };
  const auto index_use = [&](const IndexExpr& expr) {
    expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind == IndexExpr::AtomKind::kValue) must_name_[atom.id] = true;
    });
  };
  std::set<int> counted;
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    if (!reachable_[id]) continue;
    const DemandNode& node = graph_.nodes[id];
    // What one thread computes for its block is spelled where that thread stores it.
    const int scope = node.kind == NodeKind::kOfBlock ? graph_.first_thread : node.scope;
    for (const NodeId operand : reads(static_cast<NodeId>(id))) use(operand, scope);
    index_use(node.expr);
    if (expressions_.read_early.count(static_cast<NodeId>(id)) > 0) must_name_[id] = true;
    // Every thread takes part, where it stands.
    const bool of_all = node.kind == NodeKind::kBlockReduce || node.kind == NodeKind::kFromLane;
    if (of_all || node.kind == NodeKind::kOfBlock) must_name_[id] = true;
    if (node.kind == NodeKind::kExchanged) must_name_[id] = must_name_[node.operands[0]] = true;
    if (node.kind == NodeKind::kFromLane) {
      const DemandNode& computed = graph_.nodes[node.operands[0]];
      const NodeId named = computed.kind == NodeKind::kCallResult ? computed.operands[0] : node.operands[0];
      must_name_[named] = true;
      of_lanes_.insert(named);
    }
    if (node.kind == NodeKind::kReduce && graph_.reduces[node.reduce].scope >= 0 &&
        counted.insert(node.reduce).second) {
      const DemandReduce& reduce = graph_.reduces[node.reduce];
      for (size_t i = 0; i < reduce.init.size(); ++i) {
        if (reduce.is_read(i)) use(reduce.init[i], graph_.scopes[reduce.scope].parent);
      }
      for (const NodeId place : reduce.match) use(place, reduce.scope);
      if (reduce.chooses) {
        use(reduce.values[0], reduce.scope);
        index_use(reduce.place);
      }
      const std::vector<NodeId>& combined = reduce.combined.empty() ? reduce.values : reduce.combined;
      const int lanes = lanes_of_steps(graph_, reduce);
      for (size_t i = 0; i < combined.size(); ++i) {
        if (reduce.is_read(i)) use(combined[i], lanes > 0 ? lanes : reduce.scope);
      }
      for (const DemandTest& test : reduce.tests) index_use(test.expr);
      for (const DemandReduce::Tap& tap : reduce.taps) must_name_[tap.position] = true;
      if (!reduce.taps.empty() && reduce.guard != 0) items_.statement_guard[reduce.guard] = true;
    }
  }
  for (size_t l = 0; l < graph_.loops.size(); ++l) {
    const DemandLoop& loop = graph_.loops[l];
    if (!needed_loops_[l]) continue;
    for (const DemandLoop::Slot& slot : loop.slots) {
      use(slot.init, graph_.scopes[loop.scope].parent);
      use(slot.next, slot.ahead ? loop.ahead.chain_scope : loop.scope);
    }
    if (loop.condition != kNoNode) use(loop.condition, loop.scope);
    for (const DemandLoop::Stack& stack : loop.stacks) {
      for (const auto& [offset, value] : stack.stores) {
        use(value, loop.scope);
        index_use(offset);
      }
    }
  }
  for (const NodeId result : graph_.results) use(result, 0);
  for (const DemandStore& store : graph_.stores) {
    use(store.node, store.scope);
    index_use(store.offset);
  }
  for (const ColumnPhase& phase : graph_.phases) {
    for (const auto& [slot, node] : phase.keeps) use(node, phase.scope);
  }
}

void Arranger::choose_guard_forms() {
  const size_t count = graph_.scopes.size();
  std::vector<bool> block(count, false);
  std::vector<int64_t> width_of(count, 0);
  for (const DemandReduce& reduce : graph_.reduces) {
    if (reduce.guard != 0) block[reduce.guard] = true;
  }
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const DemandNode& node = graph_.nodes[id];
    if (!reachable_[id] || graph_.scopes[node.scope].kind != DemandScope::Kind::kGuard) continue;
    if (node.kind == NodeKind::kConstant || node.kind == NodeKind::kIndex) continue;
    width_of[node.scope] += node.kind == NodeKind::kLoad ? 16 : 6;
    if (uses_[id] > 1 || must_name_[id] || node.kind == NodeKind::kLoopResult) block[node.scope] = true;
    if (node.kind == NodeKind::kReduce && graph_.reduces[node.reduce].scope >= 0) block[node.scope] = true;
  }
  for (size_t scope = 1; scope < count; ++scope) {
    if (graph_.scopes[scope].kind == DemandScope::Kind::kGuard && width_of[scope] > kArmWidth) block[scope] = true;
  }
  for (const DemandReduce& reduce : graph_.reduces) {
    if (reduce.guard == 0) continue;
    block[reduce.guard] = true;
    items_.statement_guard[reduce.guard] = true;
  }
  // A block inside an arm makes the arm a block.
  for (size_t round = 0; round < count; ++round) {
    bool changed = false;
    for (size_t scope = 1; scope < count; ++scope) {
      const int parent = graph_.scopes[scope].parent;
      const bool opens_block = graph_.scopes[scope].kind != DemandScope::Kind::kGuard || block[scope];
      if (opens_block && graph_.scopes[parent].kind == DemandScope::Kind::kGuard && !block[parent]) {
        block[parent] = changed = true;
      }
    }
    if (!changed) break;
  }
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const DemandNode& node = graph_.nodes[id];
    if (node.kind != NodeKind::kChoose || !reachable_[id]) continue;
    const bool statement =
        (node.arm_scope[0] != 0 && block[node.arm_scope[0]]) || (node.arm_scope[1] != 0 && block[node.arm_scope[1]]);
    if (!statement) continue;
    must_name_[id] = true;
    for (const int arm : node.arm_scope) {
      if (arm != 0) items_.statement_guard[arm] = true;
    }
  }
}

Items arrange(const Module& module, const DemandGraph& graph, Expressions& expressions) {
  return Arranger(module, graph, expressions).run();
}

}  // namespace sinter
