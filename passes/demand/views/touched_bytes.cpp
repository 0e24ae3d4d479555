#include "passes/demand/views/touched_bytes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "passes/demand/index_ranges.h"
#include "passes/demand/views/needed_nodes.h"

namespace sinter {

namespace {

constexpr int64_t kMany = INT64_MAX / 2;

int64_t times(int64_t a, int64_t b) { return b != 0 && a > kMany / b ? kMany : a * b; }

// Distinct elements of one array.
class ElementCounter {
 public:
  explicit ElementCounter(const DemandGraph& graph) : graph_(graph) {
    const auto meet = [&](const IndexExpr& expr) {
      expr.visit_leaves([&](const IndexExpr::Atom& atom) {
        if (atom.kind == IndexExpr::AtomKind::kCoordinate) met_.insert(atom.id);
      });
    };
    for (const DemandNode& node : graph.nodes) meet(node.expr);
    for (const DemandStore& store : graph.stores) meet(store.offset);
    for (const DemandLoop& loop : graph.loops) {
      for (const DemandLoop::Stack& stack : loop.stacks) {
        for (const auto& [offset, node] : stack.stores) meet(offset);
      }
    }
  }

  // Of the elements at `expr`, which is had in `scope`.
  int64_t count(const IndexExpr& expr, int scope) const {
    const IndexRange range = in_a_step(expr).range();
    const int64_t values = std::min(variety(expr), depends_on_data(expr) ? executions(scope) : kMany);
    const bool bounded = range.high < kMany && range.low > -kMany;
    return bounded ? std::min(values, range.high - range.low + 1) : values;
  }

 private:
  bool is_step(int id) const { return graph_.coordinates[id].role == CoordinateRole::kHostStep; }

  // Where a host loop's counters are what they are in one launch: of a stack that steps walk along, a row.
  IndexExpr in_a_step(const IndexExpr& expr) const {
    return expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
      const bool counts = atom.kind == IndexExpr::AtomKind::kCoordinate && is_step(atom.id);
      return counts ? std::optional(IndexExpr(atom.range.low)) : std::nullopt;
    });
  }

  // How many values a coordinate has in a launch; a host loop's counter has one.
  int64_t extent(int id) const {
    const DemandCoordinate& coordinate = graph_.coordinates[id];
    if (is_step(id)) return 1;
    return (coordinate.extent - 1) / coordinate.step + 1;
  }

  // How often what stands in `scope` is computed, threads that compute the same not counted.
  int64_t executions(int scope) const {
    int64_t result = 1;
    for (;; scope = graph_.scopes[scope].parent) {
      const DemandScope& place = graph_.scopes[scope];
      if (place.kind == DemandScope::Kind::kLoop && place.coordinates.empty()) return kMany;
      for (const int id : place.coordinates) {
        if (met_.count(id) > 0) result = times(result, extent(id));
      }
      if (scope == 0) return result;
    }
  }

  // How many values an expression may have: one for each of what it is computed from.
  int64_t variety(const IndexExpr& expr) const {
    std::set<int> coordinates;
    std::set<NodeId> seen;
    std::vector<NodeId> left;
    const auto read = [&](const IndexExpr& part) {
      part.visit_leaves([&](const IndexExpr::Atom& atom) {
        if (atom.kind == IndexExpr::AtomKind::kCoordinate) coordinates.insert(atom.id);
        if (atom.kind == IndexExpr::AtomKind::kValue) left.push_back(atom.id);
      });
    };
    read(expr);
    while (!left.empty()) {
      const NodeId id = left.back();
      left.pop_back();
      if (!seen.insert(id).second) continue;
      const DemandNode& node = graph_.nodes[id];
      switch (node.kind) {
        case DemandNode::Kind::kConstant:
        case DemandNode::Kind::kIndex:
        case DemandNode::Kind::kLoad:
        case DemandNode::Kind::kCompute:
        case DemandNode::Kind::kChoose:
        case DemandNode::Kind::kClampIndex:
          break;
        default:
          return kMany;  // of a loop, say: another value each time
      }
      read(node.expr);
      left.insert(left.end(), node.operands.begin(), node.operands.end());
    }
    int64_t values = 1;
    for (const int id : coordinates) values = times(values, extent(id));
    return values;
  }

  const DemandGraph& graph_;
  std::set<int> met_;
};

}  // namespace

TouchedBytes touched_bytes(const DemandGraph& graph) {
  const ElementCounter counter(graph);
  TouchedBytes result;  // elements at first
  std::set<std::pair<const Instruction*, IndexExpr>> counted;
  const auto add = [&](std::map<const Instruction*, int64_t>* sums, const Instruction* value, const IndexExpr& expr,
                       int scope) {
    int64_t& sum = (*sums)[value];
    sum = std::min(sum + counter.count(expr, scope), kMany);
  };
  const std::vector<bool> needed = needed_nodes(graph);
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
    // The same element loaded in another phase or behind another guard is the same element.
    if (counted.emplace(node.instruction, node.expr).second) add(&result.read, node.instruction, node.expr, node.scope);
  }
  for (const DemandStore& store : graph.stores) add(&result.written, store.value, store.offset, store.scope);
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) {
      for (const auto& [offset, node] : stack.stores) add(&result.written, stack.output, offset, loop.scope);
    }
  }
  for (std::map<const Instruction*, int64_t>* sums : {&result.read, &result.written}) {
    for (auto& [value, elements] : *sums) {
      const int64_t all = value->shape.element_count();
      elements = elements >= all ? value->shape.bytes() : elements * dtype_bytes(value->shape.dtype);
    }
  }
  return result;
}

}  // namespace sinter
