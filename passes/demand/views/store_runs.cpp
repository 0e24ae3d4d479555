#include "passes/demand/views/store_runs.h"

#include <algorithm>

#include "passes/analysis/values/hardware.h"

namespace sinter {

namespace {

// Smaller arrays are stored in no time.
constexpr int64_t kFewStored = 4096;

bool is_aligned(const IndexExpr& offset, int64_t width) {
  return offset.constant() % width == 0 && std::ranges::all_of(offset.terms(), [&](const IndexExpr::Term& term) {
           return term.coefficient % width == 0;
         });
}

// Whether the stores from `first` on are `width` neighbours, which all threads have.
bool are_neighbours(const DemandGraph& graph, size_t first, int64_t width) {
  if (first + static_cast<size_t>(width) > graph.stores.size()) return false;
  const DemandStore& start = graph.stores[first];
  for (int64_t i = 0; i < width; ++i) {
    const DemandStore& store = graph.stores[first + static_cast<size_t>(i)];
    if (store.value != start.value || store.scope != 0 || !store.owners.empty()) return false;
    if (!(store.offset == start.offset + i)) return false;
    if (graph.nodes[store.node].dtype != graph.nodes[start.node].dtype) return false;
  }
  return is_aligned(start.offset, width);
}

}  // namespace

std::vector<int64_t> stores_at_once(const DemandGraph& graph) {
  std::vector<int64_t> widths(graph.stores.size(), 1);
  if (graph.column_coordinate >= 0 || !graph.loops.empty()) return widths;
  for (size_t first = 0; first < widths.size();) {
    int64_t width = kAccessBytes / dtype_bytes(graph.nodes[graph.stores[first].node].dtype);
    if (graph.stores[first].value->shape.element_count() < kFewStored) width = 1;
    while (width > 1 && !are_neighbours(graph, first, width)) width /= 2;
    width = std::max<int64_t>(width, 1);
    widths[first] = width;
    for (int64_t i = 1; i < width; ++i) widths[first + static_cast<size_t>(i)] = 0;
    first += static_cast<size_t>(width);
  }
  return widths;
}

std::vector<const DemandStore*> first_stores(const DemandGraph& graph) {
  const std::vector<int64_t> widths = stores_at_once(graph);
  std::vector<const DemandStore*> first;
  for (size_t s = 0; s < widths.size(); ++s) {
    if (widths[s] > 0) first.push_back(&graph.stores[s]);
  }
  return first;
}

}  // namespace sinter
