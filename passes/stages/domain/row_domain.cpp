// What a row kernel demands: the threads of a row make its reductions together.
#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "ir/ops/op_table.h"
#include "passes/analysis/values/thresholds.h"
#include "passes/demand/nodes_read.h"
#include "passes/names/source_order.h"
#include "passes/stages/domain/choose_domain.h"
#include "passes/stages/domain/domain.h"
#include "passes/stages/domain/short_rows.h"

namespace sinter {

std::optional<RowExtents> default_rows(const std::set<const Instruction*>& values) {
  std::optional<RowExtents> longest;
  for (const Instruction* value : values) {
    if (value->opcode != Opcode::kReduce || value->operands().size() != 2) continue;
    const std::optional<RowExtents> rows = reduced_rows(*value);
    if (!rows) continue;
    if (!longest || is_longer(*rows, *longest)) longest = rows;
  }
  return longest;
}

namespace {

// A reduction of fewer rows than the kernel's, which several of these make again each: that costs little where it reads
// only what they read anyway. The first that is not so.
const Instruction* repeated_reduction(const DemandGraph& graph, const RowExtents& rows) {
  const auto is_repeated = [&](const DemandReduce& reduce) {
    return reduce.cooperative && reduced_rows(*reduce.instruction) != rows;
  };
  if (std::none_of(graph.reduces.begin(), graph.reduces.end(), is_repeated)) return nullptr;
  std::vector<bool> needed(graph.nodes.size());  // without those
  const auto reach = [&](std::vector<NodeId> open, const auto& visit) {
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      const DemandNode& node = graph.nodes[id];
      if (needed[id] || (node.kind == DemandNode::Kind::kReduce && is_repeated(graph.reduces[node.reduce]))) continue;
      if (!visit(id)) return false;
      visit_reads(graph, id, [&](NodeId read, ReadAs) { open.push_back(read); });
    }
    return true;
  };
  std::vector<NodeId> stored;
  for (const DemandStore& store : graph.stores) stored.push_back(store.node);
  reach(stored, [&](NodeId id) {
    needed[id] = true;
    return true;
  });
  for (const DemandReduce& reduce : graph.reduces) {
    if (!is_repeated(reduce)) continue;
    int cost = 0;
    std::set<NodeId> counted;
    const bool cheap = reach(reduce.values, [&](NodeId id) {
      const DemandNode& node = graph.nodes[id];
      using Kind = DemandNode::Kind;
      if (node.kind == Kind::kCompute && counted.insert(id).second) cost += op_def(node.instruction->opcode).cost;
      const bool dear = node.kind == Kind::kLoad || node.kind == Kind::kCall || node.kind == Kind::kChoose;
      return !dear && cost <= kRecomputeCost;
    });
    if (!cheap) return reduce.instruction;
  }
  return nullptr;
}

struct FewOfARow {
  std::vector<std::vector<IndexExpr>> indices;
  std::unique_ptr<DemandGraph> graph;  // of these elements alone
};

// What a few elements of each row are demanded at, if their reductions are over that row; nullopt where they are not.
template <class IndexOf>
std::optional<FewOfARow> demanded_at(const KernelValues& kernel, const RowExtents& extents, const Instruction* output,
                                     int64_t count, const IndexOf& index_of) {
  FewOfARow result;
  result.graph = std::make_unique<DemandGraph>(kernel.context);
  DemandGraph& graph = *result.graph;
  const int row = graph.add_coordinate(extents.rows, CoordinateRole::kRow);
  graph.set_row_domain(row, extents);
  for (int64_t number = 0; number < count; ++number) {
    result.indices.push_back(index_of(graph.coordinate(row), number));
    graph.demand(output, result.indices.back());
  }
  const bool of_the_row = std::all_of(graph.reduces.begin(), graph.reduces.end(), [](const DemandReduce& reduce) {
    return reduce.cooperative || reduce.scope < 0;
  });
  return !graph.failure && of_the_row ? std::optional(std::move(result)) : std::nullopt;
}

// The indices of the elements of each row of an output that has a few: they are all along its last dimensions, or
// differ along one, as its fastest or slowest part, and their reductions are over that row.
std::optional<FewOfARow> few_of_a_row(const KernelValues& kernel, const RowExtents& extents,
                                      const Instruction* output) {
  const Shape& stored = stored_shape(kernel.context, *output);
  const std::vector<int64_t>& dims = stored.dims;
  const int64_t count = stored.element_count() / extents.rows;
  if (kernel.context.updates_in_place.count(output) > 0) return std::nullopt;
  for (size_t dim = dims.size(); dim-- > 0;) {
    if (dims[dim] % count != 0) continue;
    for (const bool fastest : {true, false}) {
      std::vector<int64_t> of_rows = dims;
      of_rows[dim] /= count;
      auto demanded = demanded_at(kernel, extents, output, count, [&](const IndexExpr& row, int64_t number) {
        std::vector<IndexExpr> index = delinearize(row, of_rows);
        index[dim] = fastest ? index[dim] * count + number : index[dim] + number * of_rows[dim];
        return index;
      });
      if (demanded) return demanded;
    }
  }
  size_t first = dims.size();
  for (int64_t along = 1; first > 0 && along < count;) along *= dims[--first];
  const std::vector<int64_t> of_rows(dims.begin(), dims.begin() + static_cast<ptrdiff_t>(first));
  const std::vector<int64_t> last(dims.begin() + static_cast<ptrdiff_t>(first), dims.end());
  if (std::accumulate(last.begin(), last.end(), int64_t{1}, std::multiplies<>()) != count) return std::nullopt;
  return demanded_at(kernel, extents, output, count, [&](const IndexExpr& row, int64_t number) {
    std::vector<IndexExpr> index = delinearize(row, of_rows);
    for (IndexExpr& place : delinearize(IndexExpr(number), last)) index.push_back(std::move(place));
    return index;
  });
}

// Where nothing is stored that has an element for each that short rows miss, too.
ShortRows stored_short_rows(const KernelValues& kernel, const RowExtents& extents) {
  const bool stores_all = std::ranges::any_of(kernel.outputs, [&](const Instruction* output) {
    return stored_shape(kernel.context, *output).element_count() == extents.rows * extents.columns;
  });
  return stores_all ? ShortRows() : short_rows(kernel.context.computed, extents);
}

}  // namespace

std::optional<RowDemand> demand_row(const KernelValues& kernel, const RowExtents& extents,
                                    std::optional<DemandGraph::Failure>* failure, int64_t most_nodes) {
  const auto [rows, columns, inner] = extents;
  RowDemand result;
  result.extents = extents;
  const ShortRows shortened = stored_short_rows(kernel, extents);
  result.graph = std::make_unique<DemandGraph>(kernel.context);
  result.graph->node_limit = std::min(result.graph->node_limit, most_nodes);
  result.row = result.graph->add_coordinate(rows, CoordinateRole::kRow);
  result.graph->set_row_domain(result.row, extents, shortened);
  result.column = result.graph->column_coordinate;
  const IndexExpr row = result.graph->coordinate(result.row), column = result.graph->coordinate(result.column);
  // What a pass keeps for later ones depends on the order of the nodes; who plans and who lowers must see the same.
  for (const Instruction* output : in_text_order(kernel.outputs)) {
    const Shape& stored = stored_shape(kernel.context, *output);
    const int64_t elements = stored.element_count();
    std::vector<std::vector<IndexExpr>> indices;
    std::vector<int> owners;
    const auto [parts, missing] = shortened;
    const bool all = elements == elements_of(extents, shortened);
    if (columns > 1 && !all) owners = {result.column};
    if (all) {
      const IndexExpr place = row.floor_div(inner).floor_mod(parts) * columns + column;  // along a longer row
      const IndexExpr longer = row.floor_div(inner * parts) * (parts * columns - missing) + place;
      indices = {delinearize(longer * inner + row.floor_mod(inner), stored.dims)};
    } else if (elements == rows) {
      indices = {delinearize(row, stored.dims)};
    } else if (elements > 0 && elements % rows == 0 && (elements / rows <= kFewOfARow || stacks_sums(*output))) {
      if (std::optional<FewOfARow> few = few_of_a_row(kernel, extents, output)) {
        indices = std::move(few->indices);
        // The first output is demanded in just this graph.
        if (result.graph->stores.empty() && shortened == ShortRows()) {
          few->graph->node_limit = result.graph->node_limit;
          result.graph = std::move(few->graph);
        }
      }
    }
    if (indices.empty()) {
      *failure = DemandGraph::Failure{output, "domain-mismatch"};
      return std::nullopt;
    }
    if (static_cast<int64_t>(result.graph->nodes.size()) > result.graph->node_limit) {
      *failure = DemandGraph::Failure{output, "statement-limit"};
      return std::nullopt;
    }
    for (const std::vector<IndexExpr>& index : indices) {
      if (result.graph->store(output, index, owners)) continue;
      *failure = result.graph->failure;
      return std::nullopt;
    }
  }
  DemandGraph& graph = *result.graph;
  for (const DemandReduce& reduce : graph.reduces) {
    if (!reduce.cooperative && reduce.scope >= 0) {
      *failure = DemandGraph::Failure{reduce.instruction, "reduction-not-of-the-row"};
      return std::nullopt;
    }
  }
  if (const Instruction* repeated = repeated_reduction(graph, extents)) {
    *failure = DemandGraph::Failure{repeated, "recomputed-reduction"};
    return std::nullopt;
  }
  if (!graph.loops.empty()) {
    *failure = DemandGraph::Failure{graph.loops[0].instruction, "loop-in-row"};
    return std::nullopt;
  }
  if (!graph.finish({result.row})) {
    *failure = graph.failure;
    return std::nullopt;
  }
  graph.order_stores(kernel.outputs);
  return result;
}

}  // namespace sinter
