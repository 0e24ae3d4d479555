#include "passes/stages/domain/vectorize.h"

#include <algorithm>
#include <functional>

namespace sinter {

namespace {

// Fewer elements than this leave multiprocessors idle if threads take four each.
constexpr int64_t kMinElements = 4096;

// Every index expression of the graph.
void visit_exprs(DemandGraph& graph, const std::function<void(IndexExpr&)>& visit) {
  for (DemandNode& node : graph.nodes) visit(node.expr);
  for (DemandStore& store : graph.stores) visit(store.offset);
  for (DemandLoop& loop : graph.loops) {
    for (DemandLoop::Slot& slot : loop.slots) {
      for (IndexExpr& expr : slot.index) visit(expr);
    }
    for (DemandLoop::Stack& stack : loop.stacks) {
      for (auto& [offset, node] : stack.stores) visit(offset);
    }
  }
  for (DemandReduce& reduce : graph.reduces) {
    for (DemandTest& step : reduce.tests) visit(step.expr);
    visit(reduce.place);
  }
}

// Calls `visit` on the term list of an expression and of every division's operand inside it.
void visit_sums(const IndexExpr& expr, const std::function<void(const IndexExpr&)>& visit) {
  std::vector<const IndexExpr*> stack = {&expr};
  while (!stack.empty()) {
    const IndexExpr* sum = stack.back();
    stack.pop_back();
    visit(*sum);
    for (const IndexExpr::Term& term : sum->terms()) {
      if (term.atom->kind == IndexExpr::AtomKind::kFloorDiv || term.atom->kind == IndexExpr::AtomKind::kMod) {
        stack.push_back(&term.atom->operand);
      }
    }
  }
}

}  // namespace

std::vector<int> collapse_coordinates(DemandGraph* graph, const std::vector<int>& coordinates) {
  // Slots of a loop name a register by its index, which must stay as it was demanded: leave them out of the test, but
  // rewrite them like everything else.
  std::vector<int> left = coordinates;
  for (size_t i = left.size(); i-- > 1;) {
    const int outer = left[i - 1];
    const int inner = left[i];
    const int64_t extent = graph->coordinates[inner].extent;
    bool together = true;
    const auto owned = [&](const std::vector<int>& owners) {
      const bool has_outer = std::find(owners.begin(), owners.end(), outer) != owners.end();
      const bool has_inner = std::find(owners.begin(), owners.end(), inner) != owners.end();
      if (has_outer != has_inner) together = false;
    };
    for (const DemandStore& store : graph->stores) owned(store.owners);
    for (const DemandLoop& loop : graph->loops) {
      for (const DemandLoop::Stack& stack : loop.stacks) owned(stack.owners);
    }
    const auto test = [&](const IndexExpr& expr) {
      visit_sums(expr, [&](const IndexExpr& sum) {
        if (sum.coefficient_of_coordinate(outer) != sum.coefficient_of_coordinate(inner) * extent) together = false;
      });
    };
    for (const DemandNode& node : graph->nodes) test(node.expr);
    for (const DemandStore& store : graph->stores) test(store.offset);
    for (const DemandLoop& loop : graph->loops) {
      for (const DemandLoop::Stack& stack : loop.stacks) {
        for (const auto& [offset, node] : stack.stores) test(offset);
      }
    }
    for (const DemandReduce& reduce : graph->reduces) {
      for (const DemandTest& step : reduce.tests) test(step.expr);
      test(reduce.place);
    }
    if (!together) continue;
    const int merged = graph->add_coordinate(graph->coordinates[outer].extent * extent, "i");
    const IndexExpr both = graph->coordinate(merged);
    visit_exprs(*graph, [&](IndexExpr& expr) {
      expr = expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
        if (atom.kind != IndexExpr::AtomKind::kCoordinate) return std::nullopt;
        if (atom.id == outer) return both.floor_div(extent);
        if (atom.id == inner) return both.floor_mod(extent);
        return std::nullopt;
      });
    });
    const auto replace_owner = [&](std::vector<int>& owners) {
      owners.erase(std::remove(owners.begin(), owners.end(), outer), owners.end());
      std::replace(owners.begin(), owners.end(), inner, merged);
    };
    for (DemandStore& store : graph->stores) replace_owner(store.owners);
    for (DemandLoop& loop : graph->loops) {
      for (DemandLoop::Stack& stack : loop.stacks) replace_owner(stack.owners);
    }
    left[i - 1] = merged;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return left;
}

int64_t vector_width(const MapDemand& demand) {
  const DemandGraph& graph = *demand.graph;
  if (demand.coordinates.empty() || demand.threads < kMinElements || !graph.loops.empty()) return 1;
  for (const DemandReduce& reduce : graph.reduces) {
    if (reduce.scope >= 0) return 1;
  }
  for (const DemandScope& scope : graph.scopes) {
    if (scope.kind == DemandScope::Kind::kGuard) return 1;
  }
  // On a copy of the index expressions only: lowering collapses again.
  DemandGraph copy = graph;
  const std::vector<int> coordinates = collapse_coordinates(&copy, demand.coordinates);
  const int last = coordinates.back();
  const int64_t extent = copy.coordinates[last].extent;
  int64_t width = 4;
  bool contiguous = false;
  for (const DemandStore& store : copy.stores) {
    if (!store.owners.empty()) {
      // One thread stores it, beside its lanes.
      if (std::find(store.owners.begin(), store.owners.end(), last) == store.owners.end()) return 1;
      continue;
    }
    const int64_t bytes = dtype_bytes(store.value->shape.dtype);
    width = std::min<int64_t>(width, std::max<int64_t>(1, 16 / bytes));
    contiguous |= store.offset.coefficient_of_coordinate(last) == 1;
  }
  for (const DemandNode& node : copy.nodes) {
    if (node.kind == DemandNode::Kind::kLoad && node.expr.coefficient_of_coordinate(last) == 1) {
      width = std::min<int64_t>(width, std::max<int64_t>(1, 16 / dtype_bytes(node.dtype)));
    }
  }
  if (!contiguous) return 1;
  while (width > 1 && extent % width != 0) width /= 2;
  return width;
}

}  // namespace sinter
