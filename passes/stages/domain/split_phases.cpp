#include "passes/stages/domain/split_phases.h"

#include <algorithm>
#include <map>

#include "ir/ops/op_table.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/values/thresholds.h"
#include "passes/demand/nodes_read.h"
#include "passes/demand/views/needed_nodes.h"

namespace sinter {

namespace {

using NodeKind = DemandNode::Kind;

// More elements a thread than this are not held in registers: passes read memory again.
constexpr int64_t kMaxSlots = 32;
constexpr int64_t kKeepNothing = 1 << 20;  // slots, of which no value is kept

class Splitter {
 public:
  Splitter(RowDemand* demand, int64_t slots, int64_t most_nodes)
      : demand_(*demand),
        graph_(*demand->graph),
        slots_(slots),
        most_nodes_(most_nodes),
        nodes_(graph_.nodes.size()),
        reduces_(graph_.reduces.size()),
        read_(reduces_, false) {
    column_scope_ = graph_.coordinates[demand->column].scope;
  }

  bool run() {
    set_levels();
    int last = 0;
    for (size_t r = 0; r < reduces_; ++r) {
      const DemandReduce& reduce = graph_.reduces[r];
      if (reduce.cooperative && read_[r]) last = std::max(last, pass_of(reduce));
    }
    for (const DemandStore& store : graph_.stores) {
      if (depends_on_column(store.node) || store.owners.empty()) last = std::max(last, nodes_[store.node].level);
    }
    // Nodes are copied where their vector grows.
    const auto of_columns =
        std::count_if(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.of_column; });
    graph_.nodes.reserve(nodes_.size() + static_cast<size_t>(std::min<int64_t>(most_nodes_, (last + 1) * of_columns)));
    for (int phase = 0; phase <= last; ++phase) {
      make_phase(phase);
      if (static_cast<int64_t>(graph_.nodes.size() - nodes_.size()) > most_nodes_) return false;
    }
    for (DemandStore& store : graph_.stores) {
      if (store.scope == 0)
        store.owners = demand_.extents.columns > 1 ? std::vector<int>{demand_.column} : std::vector<int>{};
    }
    graph_.set_scopes();
    return true;
  }

 private:
  // What is known of a node that there was before the passes were made.
  struct Node {
    int level = 0;           // how many of the row's reductions lie below it, one after the other
    bool of_column = false;  // whether it differs from column to column
    int visited = -1;        // by which pass, the last one
    NodeId copy = kNoNode;   // of that pass
    int first_pass = -1;     // that computes it, ...
    NodeId first = kNoNode;  // ... its copy there
    int kept = -1;           // where that is kept
  };

  bool depends_on_column(NodeId id) const {
    for (int scope = graph_.nodes[id].scope; scope != 0; scope = graph_.scopes[scope].parent) {
      if (scope == column_scope_) return true;
    }
    return false;
  }

  // Operands have lower numbers.
  void set_levels() {
    const std::vector<bool> needed = needed_nodes(graph_);
    for (size_t id = 0; id < nodes_.size(); ++id) {
      int level = 0;
      visit_reads(graph_, static_cast<NodeId>(id),
                  [&](NodeId read, ReadAs) { level = std::max(level, nodes_[read].level); });
      const DemandNode& node = graph_.nodes[id];
      if (node.kind == NodeKind::kReduce && graph_.reduces[node.reduce].cooperative) ++level;
      if (node.kind == NodeKind::kReduce && needed[id]) read_[static_cast<size_t>(node.reduce)] = true;
      nodes_[id].level = level;
      nodes_[id].of_column = depends_on_column(static_cast<NodeId>(id));
    }
  }

  // The pass that combines what the row reduces, behind those that what it begins with needs.
  int pass_of(const DemandReduce& reduce) const {
    int pass = nodes_[reduce.values[0]].level;
    for (const NodeId init : reduce.init) pass = std::max(pass, nodes_[init].level);
    return pass;
  }

  bool dear(const DemandNode& node) const {
    if (node.guard != 0) return false;
    if (node.kind == NodeKind::kLoad || node.kind == NodeKind::kCallResult) return true;
    if (node.kind == NodeKind::kCall) return node.instruction->shape.is_array();
    return node.kind == NodeKind::kCompute && op_def(node.instruction->opcode).cost >= kDearInRow;
  }

  void make_phase(int number) {
    ColumnPhase phase;
    DemandScope scope = graph_.scopes[column_scope_];
    scope.coordinates.clear();
    graph_.scopes.push_back(scope);
    phase.scope = static_cast<int>(graph_.scopes.size()) - 1;
    phase.coordinate = graph_.add_coordinate(demand_.extents.columns, CoordinateRole::kColumn, phase.scope);
    pass_ = number;
    guard_copies_.clear();

    std::vector<size_t> stores;
    for (size_t s = 0; s < graph_.stores.size(); ++s) {
      const DemandStore& store = graph_.stores[s];
      const bool element = store.owners.empty();
      if (element && store.scope == 0 && nodes_[store.node].level == number) stores.push_back(s);
    }
    for (size_t r = 0; r < reduces_; ++r) {
      const DemandReduce& reduce = graph_.reduces[r];
      if (!read_[r]) continue;
      // Those of passes before are of copies now.
      const auto value = static_cast<size_t>(reduce.cooperative ? reduce.values[0] : kNoNode);
      if (value < nodes_.size() && pass_of(reduce) == number) phase.reduces.push_back(static_cast<int>(r));
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

  bool has_copy(NodeId id) const {
    return static_cast<size_t>(id) < nodes_.size() && nodes_[id].visited == pass_ && nodes_[id].copy != kNoNode;
  }

  NodeId copy_of(NodeId id) const { return has_copy(id) ? nodes_[id].copy : id; }

  int guard_copy(int guard) {
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
      if (atom.kind == IndexExpr::AtomKind::kValue && has_copy(atom.id))
        return IndexExpr::value(copy_of(atom.id), atom.range);
      return std::nullopt;
    });
  }

  // Whether the value may be kept in place of what it is made of. A product that is rounded with the sum it is added to
  // may not: it would be rounded by itself.
  bool may_stand_for_others(const DemandNode& node) const {
    return node.kind == NodeKind::kCompute && node.guard == 0 && node.instruction->opcode != Opcode::kMultiply;
  }

  bool is_kept_here(NodeId id) const { return nodes_[id].first_pass >= 0 && dear(graph_.nodes[id]); }

  // Of what earlier passes have and this one reads: what needs several dear values that nothing else here needs is kept
  // in their place, a register for several.
  void keep_for_several(const std::vector<NodeId>& roots) {
    std::vector<NodeId> read;  // the first that earlier passes have, seen from the roots
    std::vector<NodeId> stack = roots;
    std::vector<int> reader(nodes_.size(), kUnread);  // by number in `read`
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      if (!nodes_[id].of_column || reader[id] != kUnread) continue;
      reader[id] = kNew;
      if (nodes_[id].first_pass >= 0) {
        read.push_back(id);
        continue;
      }
      visit_reads(graph_, id, [&](NodeId part, ReadAs) { stack.push_back(part); });
    }
    for (const NodeId id : read) reader[id] = kUnread;
    std::vector<NodeId> dears;
    for (size_t i = 0; i < read.size(); ++i) {
      stack = {read[i]};
      while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        const int number = static_cast<int>(i);
        int& known = reader[id];
        if (!nodes_[id].of_column || known == number || known == kSeveral) continue;
        if (known == kUnread && is_kept_here(id) && nodes_[id].kept < 0) dears.push_back(id);
        known = known == kUnread ? number : kSeveral;
        if (is_kept_here(id) || nodes_[id].kept >= 0) continue;
        visit_reads(graph_, id, [&](NodeId part, ReadAs) { stack.push_back(part); });
      }
    }
    std::vector<int> alone(read.size(), 0);  // dear values of one reader's only
    for (const NodeId id : dears) {
      if (reader[id] >= 0) ++alone[static_cast<size_t>(reader[id])];
    }
    for (size_t i = 0; i < read.size(); ++i) {
      if (alone[i] > 1 && may_stand_for_others(graph_.nodes[read[i]])) keep(read[i]);
    }
  }

  // Keeps what an earlier pass has, if there are registers.
  void keep(NodeId id) {
    Node& known = nodes_[id];
    if (known.kept >= 0 || static_cast<int64_t>(graph_.kept.size() + 1) * slots_ > kKeptRegisters) return;
    graph_.kept.push_back({graph_.nodes[id].instruction, graph_.nodes[id].dtype});
    known.kept = static_cast<int>(graph_.kept.size()) - 1;
    graph_.phases[known.first_pass].keeps.emplace_back(known.kept, known.first);
  }

  void copy_all(const std::vector<NodeId>& roots, int number, ColumnPhase& phase) {
    keep_for_several(roots);
    // What this pass needs, stopping at what an earlier pass has and can keep.
    std::vector<NodeId> needed;
    std::vector<NodeId> stack(roots.rbegin(), roots.rend());
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      Node& known = nodes_[id];
      if (!known.of_column || known.visited == number) continue;
      known.visited = number;
      known.copy = kNoNode;
      needed.push_back(id);
      if (is_kept_here(id)) keep(id);
      if (known.kept >= 0) continue;
      visit_reads(graph_, id, [&](NodeId read, ReadAs) { stack.push_back(read); });
    }
    std::sort(needed.begin(), needed.end());
    for (const NodeId id : needed) {
      DemandNode node = graph_.nodes[id];
      Node& known = nodes_[id];
      const bool is_kept = known.kept >= 0;
      if (is_kept) {
        node.kind = NodeKind::kKept;
        node.operands.clear();
        node.expr = IndexExpr();
        node.slot = known.kept;
        node.guard = phase.scope;
      } else {
        for (NodeId& operand : node.operands) operand = copy_of(operand);
        node.expr = rewritten(node.expr, phase);
        node.guard = guard_copy(node.guard);
        for (int& arm : node.arm_scope) arm = guard_copy(arm);
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
      known.copy = static_cast<NodeId>(graph_.nodes.size()) - 1;
      if (!is_kept && known.first_pass < 0) {
        known.first_pass = number;
        known.first = known.copy;
      }
    }
  }

  // Who reads a node: the number of one, or
  static constexpr int kUnread = -1, kNew = -2, kSeveral = -3;

  RowDemand& demand_;
  DemandGraph& graph_;
  int64_t slots_;
  int64_t most_nodes_;
  int column_scope_ = 0;
  std::vector<Node> nodes_;
  size_t reduces_;          // before the passes are made
  std::vector<bool> read_;  // of them, those that something reads
  int pass_ = -1;           // being made
  std::map<int, int> guard_copies_;
};

}  // namespace

bool split_phases(RowDemand* demand, int64_t threads, int64_t most_nodes) {
  const int64_t slots = ceil_div(demand->extents.columns, threads);
  return Splitter(demand, slots <= kMaxSlots ? slots : kKeepNothing, most_nodes).run();
}

}  // namespace sinter
