// Which scope of a kernel's text each node of a demand graph belongs to: the innermost one it depends on.
#include <algorithm>
#include <map>
#include <set>

#include "llvm/ADT/SmallBitVector.h"
#include "passes/demand/demand.h"
#include "passes/demand/lane_steps.h"
#include "passes/demand/nodes_read.h"

namespace sinter {

namespace {

// A set of scopes.
using ScopeSet = llvm::SmallBitVector;

// A constant that is chosen where a nested choice, between it and something else, lets nothing else through: rows
// below 2 of an array of which rows from 2 on are asked for.
void decide_nested_choices(DemandGraph& graph) {
  for (DemandNode& node : graph.nodes) {
    if (node.kind != DemandNode::Kind::kChoose) continue;
    const DemandNode& nested = graph.nodes[node.operands[0]];
    if (nested.kind != DemandNode::Kind::kChoose) continue;
    const IndexExpr apart = nested.expr - node.expr;
    const bool excluded = apart.is_constant() &&
                          (nested.low - apart.constant() >= node.high || nested.high - apart.constant() <= node.low);
    const DemandNode& left = graph.nodes[nested.operands[1]];
    if (!excluded || left.kind != DemandNode::Kind::kConstant) continue;
    const DemandNode& other = graph.nodes[node.operands[1]];
    const bool same = other.kind == DemandNode::Kind::kConstant && other.literal.same_value(left.literal);
    if (same) {
      node = DemandNode(other);
    } else {
      node.operands[0] = nested.operands[1];
    }
  }
}

}  // namespace

int64_t DemandGraph::nested_steps(const DemandReduce& reduce) const {
  constexpr int64_t kMost = 1 << 20;  // no product overflows
  int64_t steps = 1;
  for (int scope = reduce.scope; scope > 0 && scopes[scope].kind != DemandScope::Kind::kLoop;
       scope = scopes[scope].parent) {
    if (scopes[scope].kind == DemandScope::Kind::kReduce)
      steps = std::min(steps, kMost) * std::min(steps_in(scope), kMost);
  }
  return steps;
}

int64_t DemandGraph::steps_in(int scope) const {
  int64_t steps = 1;
  for (const int id : scopes[scope].coordinates) steps *= coordinates[id].extent;
  return steps;
}

IndexExpr DemandGraph::step_in(int scope) const {
  std::vector<IndexExpr> index;
  std::vector<int64_t> extents;
  for (const int id : scopes[scope].coordinates) {
    index.push_back(coordinate(id));
    extents.push_back(coordinates[id].extent);
  }
  return linearize(index, extents);
}

// Of reductions with several results.
void DemandGraph::find_unread_accumulators() {
  const auto has_several = [](const DemandReduce& reduce) { return reduce.accumulators.size() > 1 && !reduce.chooses; };
  if (std::none_of(reduces.begin(), reduces.end(), has_several)) return;
  std::map<int, std::vector<size_t>> results;  // by reduction
  for (const DemandNode& node : nodes) {
    if (node.kind == DemandNode::Kind::kReduce) results[node.reduce].push_back(static_cast<size_t>(node.result));
  }
  for (DemandReduce& reduce : reduces) reduce.unread.clear();
  for (size_t number = 0; number < reduces.size(); ++number) {
    DemandReduce& reduce = reduces[number];
    if (!has_several(reduce)) continue;
    std::vector<bool> unread(reduce.accumulators.size(), true);
    std::vector<NodeId> open;
    const auto is_read = [&](size_t accumulator) {
      if (unread[accumulator]) open.push_back(reduce.combined[accumulator]);
      unread[accumulator] = false;
    };
    for (const size_t result : results[static_cast<int>(number)]) is_read(result);
    std::set<NodeId> seen;
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (!seen.insert(id).second) continue;
      if (nodes[id].kind == DemandNode::Kind::kAccumulator && nodes[id].reduce == static_cast<int>(number))
        is_read(nodes[id].result);
      for (const NodeId next : nodes_read(*this, id)) open.push_back(next);
    }
    const bool any = std::find(unread.begin(), unread.end(), true) != unread.end();
    reduce.unread = any ? std::move(unread) : std::vector<bool>();
  }
}

void DemandGraph::set_scopes() {
  decide_nested_choices(*this);
  find_unread_accumulators();
  const size_t scope_count = scopes.size();
  if (scope_count == 1) {
    for (DemandNode& node : nodes) node.scope = 0;
    return;
  }
  std::vector<ScopeSet> needs;  // empty: not known yet
  std::vector<ScopeSet> owner;  // what the construct that opens a scope depends on
  // The loops that results with an arm stand in: one statement makes them all, in all of these.
  std::vector<ScopeSet> loops_of(scope_count, ScopeSet(static_cast<unsigned>(scope_count)));
  std::vector<int> lanes;  // of reductions' steps: who made them has said what they stand in
  for (size_t scope = 1; scope < scope_count; ++scope) {
    if (is_lanes_of_steps(*this, static_cast<int>(scope))) lanes.push_back(static_cast<int>(scope));
  }

  const auto leaves = [&](const IndexExpr& expr, ScopeSet& set) {
    expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind == IndexExpr::AtomKind::kCoordinate) set[coordinates[atom.id].scope] = true;
    });
  };

  // `set` is what a loop's results and stores depend on: the loop itself depends on the rest.
  const auto own_loop = [&](const DemandLoop& loop, ScopeSet* set) {
    const int opened[] = {loop.scope, loop.ahead.scope, loop.ahead.chain_scope};
    for (const int scope : opened) {
      if (scope >= 0) (*set)[scope] = false;
    }
    for (const int scope : opened) {
      if (scope >= 0) owner[scope] = *set;
    }
  };
  std::vector<NodeId> stack, below;
  const auto find_needs = [&](NodeId first) {
    stack = {first};
    while (!stack.empty()) {
      const NodeId id = stack.back();
      if (!needs[id].empty()) {
        stack.pop_back();
        continue;
      }
      below.clear();
      visit_reads(*this, id, [&](NodeId part, ReadAs) { below.push_back(part); });
      bool ready = true;
      for (const NodeId part : below) {
        if (needs[part].empty()) {
          stack.push_back(part);
          ready = false;
        }
      }
      if (!ready) continue;
      stack.pop_back();
      const DemandNode& node = nodes[id];
      ScopeSet set(static_cast<unsigned>(scope_count));
      for (const NodeId part : below) set |= needs[part];
      leaves(node.expr, set);
      if (node.guard != 0) set[node.guard] = true;
      switch (node.kind) {
        case DemandNode::Kind::kCarry:
        case DemandNode::Kind::kShared: {
          const DemandLoop& loop = loops[node.loop];
          set[loop.slots[node.slot].ahead ? loop.ahead.chain_scope : loop.scope] = true;
          break;
        }
        case DemandNode::Kind::kOfLane:
          set[loops[node.loop].ahead.scope] = true;
          break;
        case DemandNode::Kind::kOfBlock:
          set[first_thread] = false;
          break;
        case DemandNode::Kind::kFromLane:
          set[loops[node.loop].ahead.scope] = false;
          set[loops[node.loop].scope] = true;
          break;
        case DemandNode::Kind::kAccumulator:
          set[reduces[node.reduce].scope] = true;
          break;
        case DemandNode::Kind::kKept:
          set[node.guard] = true;
          break;
        case DemandNode::Kind::kReduce: {
          const int scope = reduces[node.reduce].scope;
          leaves(reduces[node.reduce].place, set);
          if (const int guard = reduces[node.reduce].guard; guard != 0) {
            const std::vector<DemandTest>& tests = reduces[node.reduce].tests;
            for (const DemandTest& test : tests) leaves(test.expr, set);
            set[guard] = false;
            if (owner[guard].empty()) owner[guard].resize(static_cast<unsigned>(scope_count));
            if (!tests.empty()) owner[guard] |= set;
            owner[guard][scope] = true;
          }
          for (const int own : lanes) {
            if (own == lanes_of_steps(*this, reduces[node.reduce])) set[own] = false;
          }
          if (scope >= 0) {
            set[scope] = false;
            if (owner[scope].empty()) owner[scope].resize(static_cast<unsigned>(scope_count));
            if (!reduces[node.reduce].cooperative) owner[scope] |= set;
          }
          break;
        }
        case DemandNode::Kind::kLoopResult: {
          own_loop(loops[node.loop], &set);
          break;
        }
        case DemandNode::Kind::kChoose:
          for (const int arm : node.arm_scope) {
            if (arm == 0) continue;
            set |= loops_of[arm];
            set[arm] = false;
          }
          for (const int arm : node.arm_scope) {
            if (arm != 0) owner[arm] = set;
          }
          break;
        default:
          break;
      }
      set[0] = false;
      needs[id] = std::move(set);
    }
  };
  // True if a result stands in fewer loops than another of its conditional. Few programs have such, and few rounds.
  const auto find_strays = [&] {
    const auto count = static_cast<NodeId>(nodes.size());
    for (NodeId id = 0; id < count; ++id) {
      for (const int arm : nodes[id].arm_scope) {
        if (arm == 0) continue;
        for (const unsigned scope : needs[id].set_bits()) {
          if (scopes[scope].kind != DemandScope::Kind::kGuard) loops_of[arm].set(scope);
        }
      }
    }
    bool found = false;
    for (NodeId id = 0; id < count; ++id) {
      for (const int arm : nodes[id].arm_scope) found |= arm != 0 && loops_of[arm].test(needs[id]);
    }
    return found;
  };
  do {
    needs.assign(nodes.size(), {});
    owner.assign(scope_count, {});
    for (NodeId id = 0; id < static_cast<NodeId>(nodes.size()); ++id) find_needs(id);
  } while (find_strays());
  // A loop with nothing but stacked results has no kLoopResult node: it depends on what its stores depend on.
  for (const DemandLoop& loop : loops) {
    if (!owner[loop.scope].empty()) continue;
    ScopeSet set(static_cast<unsigned>(scope_count));
    for (const DemandLoop::Slot& slot : loop.slots) {
      set |= needs[slot.init];
      set |= needs[slot.next];
    }
    if (loop.condition != kNoNode) set |= needs[loop.condition];
    for (const DemandLoop::Stack& stack : loop.stacks) {
      for (const auto& [offset, value] : stack.stores) set |= needs[value];
    }
    own_loop(loop, &set);
  }

  for (const int own : lanes) {
    owner[own].clear();
    owner[own].resize(static_cast<unsigned>(scope_count));
    owner[own].set(scopes[own].parent);
  }

  // Depths: a scope lies inside the deepest scope its construct depends on. Settles in at most scope_count rounds.
  const auto deepest = [&](const ScopeSet& set) {
    int best = 0;
    for (const unsigned i : set.set_bits()) {
      if (scopes[i].depth > scopes[best].depth) best = static_cast<int>(i);
    }
    return best;
  };
  for (size_t scope = 1; scope < scope_count; ++scope) scopes[scope].depth = 1;
  for (size_t round = 0; round < scope_count; ++round) {
    bool changed = false;
    for (size_t scope = 1; scope < scope_count; ++scope) {
      const int parent = owner[scope].empty() ? 0 : deepest(owner[scope]);
      const int depth = scopes[parent].depth + 1;
      if (parent != scopes[scope].parent || depth != scopes[scope].depth) changed = true;
      scopes[scope].parent = parent;
      scopes[scope].depth = depth;
    }
    if (!changed) break;
  }
  for (size_t id = 0; id < nodes.size(); ++id) nodes[id].scope = deepest(needs[id]);
}

}  // namespace sinter
