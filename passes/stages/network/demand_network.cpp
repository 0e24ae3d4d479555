#include <algorithm>

#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/stages/network/network.h"

namespace sinter {

namespace {

using Index = std::vector<IndexExpr>;

// The element of an array at (row, column), where all but the last dimension count rows.
Index element_at(const Shape& shape, const IndexExpr& row, const IndexExpr& column) {
  std::vector<int64_t> rows(shape.dims.begin(), shape.dims.end() - 1);
  Index index = delinearize(row, rows);
  index.push_back(column);
  return index;
}

class Demander {
 public:
  Demander(const Network& network, const Computation& level) : network_(network), level_(level) {}

  std::optional<NetworkDemand> run() {
    const Instruction& first = *network_.products.front();
    const auto product = tensor_core_product(first);
    if (!product || !sums_in_f32(*product)) return std::nullopt;
    demand_.product = *product;
    demand_.dtype = first.operand(0)->shape.dtype;
    demand_.rows = first.shape.element_count() / first.shape.dims.back();
    for (size_t i = 0; i < network_.products.size(); ++i) {
      const bool is_last = i + 1 == network_.products.size();
      const Instruction& activation = is_last ? *network_.result : *network_.products[i + 1]->operand(0);
      if (!add_layer(*network_.products[i], activation)) return std::nullopt;
    }
    if (!demand_first(*first.operand(0))) return std::nullopt;
    demand_.result_index =
        element_at(network_.result->shape, row_, IndexExpr::coordinate(1, {0, demand_.columns() - 1}));
    return std::move(demand_);
  }

 private:
  DemandContext& new_context(std::set<const Instruction*> computed) {
    demand_.contexts.push_back(std::make_unique<DemandContext>());
    DemandContext& context = *demand_.contexts.back();
    context.level = &level_;
    context.computed = std::move(computed);
    return context;
  }

  bool add_layer(const Instruction& product, const Instruction& activation) {
    if (tensor_core_product(product) != demand_.product || product.operand(0)->shape.dtype != demand_.dtype)
      return false;
    // Weights are an array in memory.
    if (network_.instructions.count(product.operand(1)) > 0 && product.operand(1)->opcode != Opcode::kParameter)
      return false;
    NetworkLayer& layer = demand_.layers.emplace_back();
    layer.product = &product;
    layer.weights = product.operand(1);
    layer.terms = layer.weights->shape.dims[0];
    layer.columns = layer.weights->shape.dims[1];
    row_ = IndexExpr::coordinate(kNetworkRow, {0, demand_.rows - 1});
    layer.activation = &activation;
    if (&activation == network_.result && &activation == &product) return true;
    std::set<const Instruction*> computed = network_.instructions;
    computed.erase(&product);
    computed.erase(product.operand(0));
    layer.graph = std::make_unique<DemandGraph>(new_context(std::move(computed)));
    DemandGraph& graph = *layer.graph;
    graph.add_coordinate(demand_.rows, CoordinateRole::kRow);
    graph.add_coordinate(layer.columns, CoordinateRole::kColumn);
    const IndexExpr column = graph.coordinate(kNetworkColumn);
    const NodeId node = graph.demand(layer.activation, element_at(layer.activation->shape, row_, column));
    if (graph.failure) return false;
    graph.results.push_back(node);
    if (!graph.finish({}) || !graph.loops.empty() || !graph.reduces.empty()) return false;
    const bool found = take(&graph, product, row_ * layer.columns + column, &layer.products) &&
                       take(&graph, *product.operand(0), row_ * layer.terms + column, &layer.before);
    graph.set_scopes();
    return found && !layer.products.empty() && (layer.before.empty() || layer.terms == layer.columns) &&
           layer.activation->shape.dims.back() == layer.columns;
  }

  // What the graph loads of `value` becomes a parameter; false where it is at another place than the graph's own.
  static bool take(DemandGraph* graph, const Instruction& value, const IndexExpr& own, std::vector<NodeId>* nodes) {
    for (size_t id = 0; id < graph->nodes.size(); ++id) {
      DemandNode& node = graph->nodes[id];
      if (node.kind != DemandNode::Kind::kLoad || node.instruction != &value) continue;
      if (!(node.expr == own)) return false;
      node.kind = DemandNode::Kind::kParameter;
      node.expr = IndexExpr();
      node.guard = 0;
      nodes->push_back(static_cast<NodeId>(id));
    }
    return true;
  }

  bool demand_first(const Instruction& value) {
    ContractOperand& operand = demand_.first;
    operand.graph = std::make_unique<DemandGraph>(new_context(network_.instructions));
    operand.batch = operand.graph->add_coordinate(1, CoordinateRole::kBatch);
    operand.outer = operand.graph->add_coordinate(demand_.rows, CoordinateRole::kRow);
    operand.k = operand.graph->add_coordinate(demand_.layers.front().terms, CoordinateRole::kTerm);
    DemandGraph& graph = *operand.graph;
    const NodeId node =
        graph.demand(&value, element_at(value.shape, graph.coordinate(operand.outer), graph.coordinate(operand.k)));
    if (graph.failure) return false;
    graph.results.push_back(node);
    if (!graph.finish({}) || !graph.loops.empty() || !graph.reduces.empty()) return false;
    demand_.copy = tile_copy(operand, demand_.dtype);
    if (demand_.copy && (!demand_.copy->along_k || !demand_.copy->tests.empty())) demand_.copy.reset();
    return true;
  }

  const Network& network_;
  const Computation& level_;
  NetworkDemand demand_;
  IndexExpr row_;
};

}  // namespace

std::optional<NetworkDemand> demand_network(const Network& network, const Computation& level) {
  return Demander(network, level).run();
}

}  // namespace sinter
