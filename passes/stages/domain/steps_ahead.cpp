#include "passes/stages/domain/steps_ahead.h"

#include "passes/stages/domain/launch_shape.h"

#include <algorithm>
#include <map>
#include <set>

#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/thresholds.h"
#include "passes/demand/nodes_read.h"
#include "passes/demand/replace_nodes.h"
#include "passes/demand/views/common_nodes.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/stages/domain/choose_domain.h"

namespace sinter {

namespace {

using Kind = DemandNode::Kind;

class Finder {
 public:
  Finder(const MapDemand& demand, int number)
      : graph_(*demand.graph), number_(number), loop_(graph_.loops[number]), needed_(needed_nodes(graph_)) {
    if (demand.block != 0) {
      const auto of_threads = demand.coordinates.end() - static_cast<std::ptrdiff_t>(demand.domain.of_block);
      of_blocks_.insert(demand.coordinates.begin(), of_threads);
    }
  }

  std::optional<StepsAhead> run() {
    find_common_slots();
    slots_ = common_slots_[number_];
    for (;;) {
      common_.assign(graph_.nodes.size(), std::nullopt);
      const std::set<NodeId> read = read_by_others();
      StepsAhead ahead;
      std::set<NodeId> shared;  // what lanes compute
      for (const NodeId value : read) {
        const std::set<NodeId> below = in_step(value);
        if (reads_slot(below) || cost(below) >= kDearInLane) ahead.values.push_back(value);
        if (cost(below) >= kDearInLane) shared.insert(below.begin(), below.end());
      }
      const std::vector<bool> slots = slots_for(shared);
      if (slots != slots_) {
        // What no shared value needs stays with each thread.
        slots_ = slots;
        continue;
      }
      std::set<NodeId> chain;  // what all threads compute for each step
      for (size_t slot = 0; slot < slots_.size(); ++slot) {
        if (!slots_[slot]) continue;
        ahead.slots.push_back(slot);
        const std::set<NodeId> below = in_step(loop_.slots[slot].next);
        chain.insert(below.begin(), below.end());
      }
      std::erase_if(shared, [&](NodeId node) { return chain.count(node) > 0; });
      ahead.saved = cost(shared);
      return ahead.saved > 0 ? std::optional(ahead) : std::nullopt;
    }
  }

 private:
  // The slots of each loop that are the same for all threads: of all those that may be, which are left when those go
  // whose values are not.
  void find_common_slots() {
    for (const DemandLoop& loop : graph_.loops) {
      const bool may_be = loop.counter >= 0 && loop.guard == 0;
      common_slots_.emplace_back(loop.slots.size(), may_be);
    }
    for (bool changed = true; changed;) {
      changed = false;
      slots_ = common_slots_[number_];
      common_.assign(graph_.nodes.size(), std::nullopt);
      for (size_t loop = 0; loop < graph_.loops.size(); ++loop) {
        for (size_t slot = 0; slot < common_slots_[loop].size(); ++slot) {
          const DemandLoop::Slot& carry = graph_.loops[loop].slots[slot];
          if (!common_slots_[loop][slot] || (!carry.shared && is_common(carry.init) && is_common(carry.next))) continue;
          common_slots_[loop][slot] = false;
          changed = true;
        }
      }
    }
  }

  bool is_common(NodeId id) {
    return sinter::is_common(graph_, id, [&](const DemandNode& node) { return may_be_common(node); }, &common_);
  }

  // Whether a node is the same for all threads if all that it is computed from is.
  bool may_be_common(const DemandNode& node) const {
    switch (node.kind) {
      case Kind::kCarry:
        return node.loop == number_ ? slots_[node.slot] : common_slots_[node.loop][node.slot];
      case Kind::kLoopResult:  // of a loop inside a step: no lane runs it
        return node.scope != loop_.scope && common_slots_[node.loop][node.slot];
      case Kind::kConstant:
      case Kind::kIndex:
      case Kind::kLoad:
      case Kind::kCompute:
      case Kind::kClampIndex:
      case Kind::kCall:
      case Kind::kCallResult:
        break;
      default:
        return false;
    }
    if (node.guard != 0) return false;
    bool common = true;
    node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      common &= atom.kind != IndexExpr::AtomKind::kCoordinate || of_blocks_.contains(atom.id) ||
                graph_.scopes[graph_.coordinates[atom.id].scope].kind == DemandScope::Kind::kLoop;
    });
    return common;
  }

  bool is_common_of_step(NodeId id) { return graph_.nodes[id].scope == loop_.scope && is_common(id); }

  // What is the same for all threads in a step and read by what is not, or by a loop inside the step.
  std::set<NodeId> read_by_others() {
    std::set<NodeId> read;
    const auto reads = [&](NodeId id) {
      if (is_common_of_step(id) && graph_.nodes[id].kind != Kind::kConstant) read.insert(id);
    };
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      const Kind kind = graph_.nodes[id].kind;
      if (!needed_[id] || kind == Kind::kLoopResult || is_common_of_step(static_cast<NodeId>(id))) continue;
      for (const NodeId part : nodes_read(graph_, static_cast<NodeId>(id))) reads(part);
    }
    for (size_t number = 0; number < graph_.loops.size(); ++number) {
      const DemandLoop& loop = graph_.loops[number];
      const bool other = static_cast<int>(number) != number_;
      for (size_t slot = 0; slot < loop.slots.size(); ++slot) {
        if (other) reads(loop.slots[slot].init);
        if (other || !slots_[slot]) reads(loop.slots[slot].next);
      }
      if (loop.condition != kNoNode) reads(loop.condition);
      for (const DemandLoop::Stack& stack : loop.stacks) {
        for (const auto& [offset, value] : stack.stores) {
          reads(value);
          offset.visit_leaves([&](const IndexExpr::Atom& atom) {
            if (atom.kind == IndexExpr::AtomKind::kValue) reads(atom.id);
          });
        }
      }
    }
    join_results(graph_, &read);
    return read;
  }

  // The node and what it is computed from, in the step.
  std::set<NodeId> in_step(NodeId first) const {
    std::set<NodeId> found;
    std::vector<NodeId> stack = {first};
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      if (graph_.nodes[id].scope != loop_.scope || !found.insert(id).second) continue;
      for (const NodeId part : nodes_read(graph_, id)) stack.push_back(part);
    }
    return found;
  }

  bool reads_slot(const std::set<NodeId>& nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph_.nodes[id].kind == Kind::kCarry; });
  }

  int64_t cost(const std::set<NodeId>& nodes) const {
    int64_t sum = 0;
    for (const NodeId id : nodes) {
      const DemandNode& node = graph_.nodes[id];
      if (node.kind == Kind::kCall || node.kind == Kind::kCompute) sum += operation_cost(*node.instruction);
    }
    return sum;
  }

  // Slots that `nodes` read, and those that these need of the step before.
  std::vector<bool> slots_for(std::set<NodeId> nodes) const {
    std::vector<bool> slots(slots_.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (const NodeId id : std::set<NodeId>(nodes)) {
        const DemandNode& node = graph_.nodes[id];
        if (node.kind != Kind::kCarry || slots[node.slot]) continue;
        slots[node.slot] = changed = true;
        const std::set<NodeId> below = in_step(loop_.slots[node.slot].next);
        nodes.insert(below.begin(), below.end());
      }
    }
    return slots;
  }

  const DemandGraph& graph_;
  const int number_;
  const DemandLoop& loop_;
  const std::vector<bool> needed_;
  std::set<int> of_blocks_;                      // coordinates that are the same for all threads of a block
  std::vector<std::vector<bool>> common_slots_;  // by loop: those that are the same for all threads
  std::vector<bool> slots_;                      // of them, those of this loop that are made ahead
  std::vector<std::optional<bool>> common_;  // nodes that are the same for all threads, and computed from such slots
};

class Rewriter {
 public:
  Rewriter(DemandGraph* graph, int number) : graph_(*graph), number_(number) {}

  void run(const StepsAhead& ahead) {
    const int64_t trip = graph_.coordinates[loop().counter].extent;
    loop().ahead.scope = add_scope(DemandScope::Kind::kAhead);
    loop().ahead.step = graph_.add_coordinate(trip, CoordinateRole::kAhead, loop().ahead.scope);
    std::map<NodeId, NodeId> lanes, chain;
    for (const size_t slot : ahead.slots) {
      const NodeId carried = loop().slots[slot].carried;
      DemandNode start = graph_.nodes[carried];
      start.kind = Kind::kOfLane;
      lanes[carried] = add(std::move(start));
      loop().ahead.starts.push_back(lanes[carried]);
      chain[carried] = carried;
    }
    for (const NodeId value : ahead.values) {
      DemandNode here = graph_.nodes[value];
      here.kind = Kind::kFromLane;
      here.operands = {copy(value, loop().ahead.step, &lanes)};
      here.expr = graph_.coordinate(loop().counter).floor_mod(kWarp);
      here.loop = number_;
      from_lane_[value] = add(std::move(here));
    }
    if (!ahead.slots.empty()) {
      loop().ahead.chain_scope = add_scope(DemandScope::Kind::kLoop);
      loop().ahead.chain_counter = graph_.add_coordinate(trip, CoordinateRole::kStep, loop().ahead.chain_scope);
    }
    std::vector<NodeId> next;
    for (const size_t slot : ahead.slots) {
      loop().slots[slot].ahead = true;
      next.push_back(copy(loop().slots[slot].next, loop().ahead.chain_counter, &chain));
    }
    std::set<NodeId> made;
    for (const auto* copies : {&lanes, &chain, &from_lane_}) {
      for (const auto& [value, copied] : *copies) made.insert(copied);
    }
    replace_nodes(&graph_, from_lane_, made);
    for (size_t i = 0; i < ahead.slots.size(); ++i) loop().slots[ahead.slots[i]].next = next[i];
    graph_.set_scopes();
  }

 private:
  DemandLoop& loop() { return graph_.loops[number_]; }

  int add_scope(DemandScope::Kind kind) {
    DemandScope scope;
    scope.kind = kind;
    scope.instruction = loop().instruction;
    scope.loop = number_;
    graph_.scopes.push_back(scope);
    return static_cast<int>(graph_.scopes.size()) - 1;
  }

  NodeId add(DemandNode node) {
    graph_.nodes.push_back(std::move(node));
    return static_cast<NodeId>(graph_.nodes.size()) - 1;
  }

  // A value of the step as it is where the step is numbered `counter`.
  NodeId copy(NodeId id, int counter, std::map<NodeId, NodeId>* copies) {
    const int step = loop().scope;
    const auto adapt = [&](DemandNode* node) {
      node->expr = node->expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
        if (atom.kind != IndexExpr::AtomKind::kCoordinate || atom.id != loop().counter) return std::nullopt;
        return graph_.coordinate(counter);
      });
    };
    return copy_node(&graph_, id, [&](NodeId part) { return graph_.nodes[part].scope == step; }, adapt, copies);
  }

  DemandGraph& graph_;
  const int number_;
  std::map<NodeId, NodeId> from_lane_;  // a value -> the same, read from its lane
};

}  // namespace

std::optional<StepsAhead> find_steps_ahead(const MapDemand& demand, size_t number) {
  const DemandGraph& graph = *demand.graph;
  const DemandLoop& loop = graph.loops[number];
  for (int around = loop.scope; around > 0; around = graph.scopes[around].parent) {
    const DemandScope& scope = graph.scopes[around];
    if (scope.kind != DemandScope::Kind::kLoop || graph.loops[scope.loop].counter < 0) return std::nullopt;
  }
  // Lanes of a warp that are of several groups do not take the same steps of a reduction.
  if (groups_of_block(demand) > 1) return std::nullopt;
  if (demand.threads == 1 || loop.counter < 0 || loop.lane != nullptr || loop.guard != 0) return std::nullopt;
  if (graph.coordinates[loop.counter].extent < kWarp) return std::nullopt;
  return Finder(demand, static_cast<int>(number)).run();
}

bool is_worth_ahead(const StepsAhead& ahead) { return !choose_otherwise && ahead.saved >= kWorthLanes; }

bool computes_ahead(const MapDemand& demand, const Instruction& loop) {
  for (size_t number = 0; number < demand.graph->loops.size(); ++number) {
    if (demand.graph->loops[number].instruction == &loop && find_steps_ahead(demand, number)) return true;
  }
  return false;
}

void compute_ahead(DemandGraph* graph, size_t number, const StepsAhead& ahead) {
  Rewriter(graph, static_cast<int>(number)).run(ahead);
}

}  // namespace sinter
