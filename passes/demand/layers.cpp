#include "passes/demand/layers.h"

#include <algorithm>

#include "passes/analysis/values/arrays.h"
#include "passes/demand/choices.h"
#include "passes/demand/nodes_below.h"
#include "passes/demand/nodes_read.h"

namespace sinter {

namespace {

using Kind = DemandNode::Kind;

// Makes the layers of one reduction, whose loop stands in the loop of another: those that are `said`; what is dear,
// where that is nullptr.
class LayerMaker {
 public:
  LayerMaker(DemandGraph& graph, int reduce, const Layers* said)
      : graph_(graph), reduce_(reduce), said_(said), inner_(graph.reduces[reduce].scope) {}

  // False where there are none, and nothing has changed.
  bool run() {
    const DemandReduce& reduce = graph_.reduces[reduce_];
    const bool plain = inner_ > 0 && !reduce.cooperative && !reduce.fills && reduce.accumulators.empty() &&
                       reduce.guard == 0 && reduce.taps.empty() && reduce.match.empty() && reduce.tests.empty();
    if (!plain) return false;
    outer_ = graph_.scopes[inner_].parent;
    const bool nested = graph_.scopes[outer_].kind == DemandScope::Kind::kReduce;
    if (!nested || graph_.steps_in(inner_) > kLargestLayer) return false;
    facts_.resize(graph_.nodes.size());
    for (const NodeId value : reduce.values) learn_facts(value);
    for (const NodeId value : reduce.values) {
      if (!find_layers(value)) return false;
    }
    if (layers_.empty()) return false;
    make();
    return true;
  }

  const std::vector<NodeId>& layers() const { return layers_; }

 private:
  // What a node is computed from, itself included, but not what layers are computed from.
  std::vector<NodeId> below(NodeId first) const {
    return nodes_below(graph_, {first}, [&](NodeId id) { return is_layer(id); });
  }

  bool is_layer(NodeId id) const { return std::find(layers_.begin(), layers_.end(), id) != layers_.end(); }

  // Whether the node itself reads a coordinate or a running value of the scope.
  bool reads_scope(NodeId id, int scope) const {
    const DemandNode& node = graph_.nodes[id];
    bool reads = node.kind == Kind::kAccumulator && graph_.reduces[node.reduce].scope == scope;
    node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      reads |= atom.kind == IndexExpr::AtomKind::kCoordinate && graph_.coordinates[atom.id].scope == scope;
    });
    return reads;
  }

  // Fills in the facts of a node and of all that it is computed from.
  void learn_facts(NodeId value) {
    for (const NodeId id : below(value)) {
      Facts& facts = facts_[id];
      facts = {reads_scope(id, inner_), reads_scope(id, outer_), false};
      for (const NodeId part : nodes_read(graph_, id)) {
        facts.on_inner |= facts_[part].on_inner;
        facts.on_outer |= facts_[part].on_outer;
        facts.dear |= facts_[part].dear;
      }
      facts.dear |= facts.on_inner && is_dear_in_layer(graph_, id);
    }
  }

  // Whether the tree has a name for what the node computes: it stands in a loop of the kernel, or beside one.
  bool is_named(const Instruction& value) const {
    return !is_plumbing(value) && std::ranges::any_of(graph_.loops, [&](const DemandLoop& loop) {
      return value.parent() == loop.instruction->parent() || value.parent() == &**loop.instruction->attributes->body;
    });
  }

  bool is_wanted(NodeId id) const {
    const DemandNode& node = graph_.nodes[id];
    if (node.kind == Kind::kElement) return false;  // it is in an array
    return said_ == nullptr ? facts_[id].dear && is_named(*node.instruction) : said_->count(node.instruction) > 0;
  }

  // The largest parts of a value that change with the reduction's steps alone and are wanted. False where what is left
  // holds what cannot be moved into another loop.
  bool find_layers(NodeId value) {
    std::vector<NodeId> stack = {value};
    std::vector<bool> seen(graph_.nodes.size());
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      if (seen[id] || is_layer(id) || !facts_[id].on_inner) continue;
      seen[id] = true;
      const DemandNode& node = graph_.nodes[id];
      if (!facts_[id].on_outer && is_wanted(id)) {
        if (node.guard != 0 || node.dtype == DType::kPred || node.scope != inner_) return false;
        layers_.push_back(id);
        continue;
      }
      const bool moves = node.kind == Kind::kLoad || node.kind == Kind::kCompute || node.kind == Kind::kIndex ||
                         node.kind == Kind::kElement;
      if (!moves || node.guard != 0) return false;
      for (const NodeId part : nodes_read(graph_, id)) stack.push_back(part);
    }
    return true;
  }

  // The old loop fills the layers, all of them in its steps; the reduction gets a loop of its own.
  void make() {
    DemandScope scope;
    scope.kind = DemandScope::Kind::kReduce;
    scope.instruction = graph_.scopes[inner_].instruction;
    graph_.scopes.push_back(scope);
    fresh_ = static_cast<int>(graph_.scopes.size()) - 1;
    for (const int id : std::vector<int>(graph_.scopes[inner_].coordinates)) {
      const DemandCoordinate old = graph_.coordinates[id];
      coordinate_[id] = graph_.coordinate(graph_.add_coordinate(old.extent, old.role, fresh_, old.name));
    }
    DemandReduce fill;
    fill.instruction = graph_.nodes[layers_[0]].instruction;
    fill.fills = true;
    fill.scope = inner_;
    fill.values = layers_;
    graph_.reduces.push_back(std::move(fill));
    for (size_t i = 0; i < layers_.size(); ++i) {
      const DemandNode value = graph_.nodes[layers_[i]];
      DemandNode array;
      array.kind = Kind::kReduce;
      array.instruction = value.instruction;
      array.dtype = value.dtype;
      array.reduce = static_cast<int>(graph_.reduces.size()) - 1;
      array.result = static_cast<int>(i);
      graph_.nodes.push_back(std::move(array));
      DemandNode element;
      element.kind = Kind::kElement;
      element.instruction = value.instruction;
      element.dtype = value.dtype;
      element.operands = {static_cast<NodeId>(graph_.nodes.size()) - 1};
      element.expr = graph_.step_in(fresh_);
      graph_.nodes.push_back(std::move(element));
      moved_[layers_[i]] = static_cast<NodeId>(graph_.nodes.size()) - 1;
    }
    graph_.reduces[reduce_].scope = fresh_;
    for (size_t i = 0; i < graph_.reduces[reduce_].values.size(); ++i) {
      graph_.reduces[reduce_].values[i] = moved(graph_.reduces[reduce_].values[i]);
    }
  }

  // The node as it is in the reduction's new loop: a copy where it changes with its steps.
  NodeId moved(NodeId value) {
    for (const NodeId id : below(value)) {
      if (moved_.count(id) > 0) continue;
      DemandNode node = graph_.nodes[id];
      bool changes = reads_scope(id, inner_);
      for (const NodeId part : nodes_read(graph_, id)) changes |= moved_.count(part) > 0;
      if (!changes) continue;
      for (NodeId& operand : node.operands) operand = moved_or_same(operand);
      node.expr = node.expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
        if (atom.kind == IndexExpr::AtomKind::kCoordinate && coordinate_.count(atom.id) > 0)
          return coordinate_.at(atom.id);
        if (atom.kind == IndexExpr::AtomKind::kValue && moved_.count(atom.id) > 0)
          return IndexExpr::value(moved_.at(atom.id), atom.range);
        return std::nullopt;
      });
      graph_.nodes.push_back(std::move(node));
      moved_[id] = static_cast<NodeId>(graph_.nodes.size()) - 1;
    }
    return moved_or_same(value);
  }

  NodeId moved_or_same(NodeId id) const {
    const auto found = moved_.find(id);
    return found == moved_.end() ? id : found->second;
  }

  // Of a node with all that it is computed from: whether it changes with the steps of either loop, and whether
  // something that changes with those of the inner one is dear.
  struct Facts {
    bool on_inner = false, on_outer = false, dear = false;
  };

  DemandGraph& graph_;
  const int reduce_;
  const Layers* said_;
  const int inner_;           // the scope of the reduction's loop so far, ...
  int outer_ = 0;             // ... of the one around it, ...
  int fresh_ = 0;             // ... and of the loop that the reduction gets
  std::vector<Facts> facts_;  // by node
  std::vector<NodeId> layers_;
  std::map<int, IndexExpr> coordinate_;  // of the old loop -> of the new one
  std::map<NodeId, NodeId> moved_;       // into the new loop
};

Layers make_layers(DemandGraph* graph, const Layers* said) {
  Layers made;
  if (graph->loops.empty()) return made;
  // Reductions inside of those that follow come to see their new loops.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t number = 0; number < graph->reduces.size() && !changed; ++number) {
      LayerMaker maker(*graph, static_cast<int>(number), said);
      changed = maker.run();
      for (const NodeId layer : maker.layers()) {
        if (changed) made.insert(graph->nodes[layer].instruction);
      }
    }
    if (changed) graph->set_scopes();
  }
  return made;
}

}  // namespace

Layers keep_layers(DemandGraph* graph, const Layers& said) { return make_layers(graph, &said); }
Layers choose_layers(DemandGraph* graph) { return make_layers(graph, nullptr); }

}  // namespace sinter
