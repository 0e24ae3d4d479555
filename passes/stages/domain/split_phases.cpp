#include "passes/stages/domain/split_phases.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/ops/op_table.h"
#include "ir/support/ceil_div.h"

namespace sinter {

namespace {

using NodeKind = DemandNode::Kind;

// More elements a thread than this are not held in registers: passes read memory again.
constexpr int64_t kMaxSlots = 32;
// Registers that kept elements may take.
constexpr int64_t kKeptRegisters = 64;
// A value at least this dear (op_table.h) is kept rather than computed again.
constexpr int kKeptCost = 8;

class Splitter {
 public:
  Splitter(RowDemand* demand, int64_t slots) : demand_(*demand), graph_(*demand->graph), slots_(slots) {
    column_scope_ = graph_.coordinates[demand->column].scope;
  }

  void run() {
    set_levels();
    count_ = graph_.nodes.size();
    int last = 0;
    for (const DemandReduce& reduce : graph_.reduces) {
      if (reduce.cooperative) last = std::max(last, level_[reduce.values[0]]);
    }
    for (const DemandStore& store : graph_.stores) {
      if (depends_on_column(store.node) || store.owners.empty()) last = std::max(last, level_[store.node]);
    }
    for (int phase = 0; phase <= last; ++phase) make_phase(phase);
    for (DemandStore& store : graph_.stores) {
      if (store.scope == 0)
        store.owners = demand_.extents.columns > 1 ? std::vector<int>{demand_.column} : std::vector<int>{};
    }
    graph_.set_scopes();
  }

 private:
  bool depends_on_column(NodeId id) const {
    for (int scope = graph_.nodes[id].scope; scope != 0; scope = graph_.scopes[scope].parent) {
      if (scope == column_scope_) return true;
    }
    return false;
  }

  // How many of the row's reductions lie below a node, one after the other. Operands have lower numbers.
  void set_levels() {
    level_.assign(graph_.nodes.size(), 0);
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      int level = 0;
      for (const NodeId read : graph_.parts_of(static_cast<NodeId>(id))) level = std::max(level, level_[read]);
      const DemandNode& node = graph_.nodes[id];
      if (node.kind == NodeKind::kReduce && graph_.reduces[node.reduce].cooperative) ++level;
      level_[id] = level;
    }
  }

  bool dear(const DemandNode& node) const {
    if (node.guard != 0) return false;
    if (node.kind == NodeKind::kLoad || node.kind == NodeKind::kCallResult) return true;
    if (node.kind == NodeKind::kCall) return node.instruction->shape.is_array();
    return node.kind == NodeKind::kCompute && op_def(node.instruction->opcode).cost >= kKeptCost;
  }

  void make_phase(int number) {
    ColumnPhase phase;
    DemandScope scope = graph_.scopes[column_scope_];
    scope.coordinates.clear();
    graph_.scopes.push_back(scope);
    phase.scope = static_cast<int>(graph_.scopes.size()) - 1;
    phase.coordinate = graph_.add_coordinate(demand_.extents.columns, "column", phase.scope);
    copies_.clear();
    guard_copies_.clear();

    std::vector<size_t> stores;
    for (size_t s = 0; s < graph_.stores.size(); ++s) {
      const DemandStore& store = graph_.stores[s];
      const bool element = store.owners.empty();
      if (element && store.scope == 0 && level_[store.node] == number) stores.push_back(s);
    }
    for (size_t r = 0; r < graph_.reduces.size(); ++r) {
      DemandReduce& reduce = graph_.reduces[r];
      if (!reduce.cooperative || done_.count(static_cast<int>(r)) > 0 || level_[reduce.values[0]] != number) continue;
      done_.insert(static_cast<int>(r));
      phase.reduces.push_back(static_cast<int>(r));
    }
    std::vector<NodeId> roots;
    for (const int r : phase.reduces) roots.push_back(graph_.reduces[r].values[0]);
    for (const size_t s : stores) roots.push_back(graph_.stores[s].node);
    copy_all(roots, number, phase);
    for (const int r : phase.reduces) {
      graph_.reduces[r].values[0] = copy_of(graph_.reduces[r].values[0]);
      graph_.reduces[r].scope = phase.scope;
    }
    for (const size_t s : stores) {
      graph_.stores[s].node = copy_of(graph_.stores[s].node);
      graph_.stores[s].offset = rewritten(graph_.stores[s].offset, phase);
      graph_.stores[s].scope = phase.scope;
    }
    graph_.phases.push_back(std::move(phase));
  }

  NodeId copy_of(NodeId id) const {
    const auto found = copies_.find(id);
    return found == copies_.end() ? id : found->second;
  }

  int guard_copy(int guard, const ColumnPhase& phase) {
    (void)phase;
    if (guard == 0) return 0;
    const auto [place, fresh] = guard_copies_.try_emplace(guard, 0);
    if (fresh) {
      graph_.scopes.push_back(graph_.scopes[guard]);
      place->second = static_cast<int>(graph_.scopes.size()) - 1;
    }
    return place->second;
  }

  IndexExpr rewritten(const IndexExpr& expr, const ColumnPhase& phase) const {
    return expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
      if (atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == demand_.column)
        return graph_.coordinate(phase.coordinate);
      if (atom.kind == IndexExpr::AtomKind::kValue && copies_.count(atom.id) > 0)
        return IndexExpr::value(copies_.at(atom.id), atom.range);
      return std::nullopt;
    });
  }

  void copy_all(const std::vector<NodeId>& roots, int number, ColumnPhase& phase) {
    // What this pass needs, stopping at what an earlier pass has and can keep.
    std::set<NodeId> needed;
    std::vector<NodeId> stack(roots.rbegin(), roots.rend());
    std::map<NodeId, int> keep;
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      if (!depends_on_column(id) || needed.count(id) > 0) continue;
      needed.insert(id);
      const auto computed = first_copy_.find(id);
      if (computed != first_copy_.end() && dear(graph_.nodes[id])) {
        auto kept = kept_of_.find(id);
        if (kept == kept_of_.end() && static_cast<int64_t>(graph_.kept.size() + 1) * slots_ <= kKeptRegisters) {
          graph_.kept.push_back({graph_.nodes[id].instruction, graph_.nodes[id].dtype});
          kept = kept_of_.emplace(id, static_cast<int>(graph_.kept.size()) - 1).first;
          graph_.phases[computed->second.first].keeps.emplace_back(kept->second, computed->second.second);
        }
        if (kept != kept_of_.end()) {
          keep[id] = kept->second;
          continue;
        }
      }
      for (const NodeId read : graph_.parts_of(id)) stack.push_back(read);
    }
    for (const NodeId id : needed) {
      DemandNode node = graph_.nodes[id];
      const auto kept = keep.find(id);
      if (kept != keep.end()) {
        node.kind = NodeKind::kKept;
        node.operands.clear();
        node.expr = IndexExpr();
        node.slot = kept->second;
        node.guard = phase.scope;
      } else {
        for (NodeId& operand : node.operands) operand = copy_of(operand);
        node.expr = rewritten(node.expr, phase);
        node.guard = guard_copy(node.guard, phase);
        for (int& arm : node.arm_scope) arm = guard_copy(arm, phase);
        if (node.kind == NodeKind::kReduce && !graph_.reduces[node.reduce].cooperative) {
          DemandReduce reduce = graph_.reduces[node.reduce];
          for (auto& term : reduce.terms) {
            for (NodeId& part : term) part = copy_of(part);
          }
          for (NodeId& part : reduce.init) part = copy_of(part);
          node.reduce = static_cast<int>(graph_.reduces.size());
          graph_.reduces.push_back(std::move(reduce));
        }
      }
      graph_.nodes.push_back(std::move(node));
      const NodeId copy = static_cast<NodeId>(graph_.nodes.size()) - 1;
      copies_[id] = copy;
      if (kept == keep.end()) first_copy_.try_emplace(id, std::make_pair(number, copy));
    }
  }

  RowDemand& demand_;
  DemandGraph& graph_;
  int64_t slots_;
  int column_scope_ = 0;
  size_t count_ = 0;
  std::vector<int> level_;
  std::set<int> done_;
  std::map<NodeId, NodeId> copies_;  // of the pass being made
  std::map<int, int> guard_copies_;
  std::map<NodeId, std::pair<int, NodeId>> first_copy_;  // node -> first pass that computes it, its copy there
  std::map<NodeId, int> kept_of_;
};

}  // namespace

void split_phases(RowDemand* demand, int64_t threads) {
  const int64_t slots = ceil_div(demand->extents.columns, threads);
  Splitter(demand, slots <= kMaxSlots ? slots : int64_t{1} << 20).run();
}

}  // namespace sinter
