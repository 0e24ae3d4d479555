#include <algorithm>
#include <numeric>

#include "passes/analysis/functions/work_of_elements.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/nodes_below.h"
#include "passes/stages/network/network.h"
#include "passes/stages/products/statistic.h"

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
        index_of(network_.result->shape, IndexExpr::coordinate(kNetworkColumn, {0, demand_.columns() - 1}));
    return std::move(demand_);
  }

 private:
  DemandContext& new_context(std::set<const Instruction*> computed) {
    return add_context(&demand_.contexts, level_, std::move(computed));
  }

  bool add_layer(const Instruction& product, const Instruction& activation) {
    if (tensor_core_product(product) != demand_.product || product.operand(0)->shape.dtype != demand_.dtype)
      return false;
    // Weights are an array in memory.
    const LayerWeights weights = weights_of(product);
    if (network_.instructions.count(weights.array) > 0 && weights.array->opcode != Opcode::kParameter) return false;
    NetworkLayer& layer = demand_.layers.emplace_back();
    layer.product = &product;
    layer.weights = weights.array;
    layer.turned = weights.turned;
    layer.terms = weights.array->shape.dims[weights.turned ? 1 : 0];
    layer.columns = weights.array->shape.dims[weights.turned ? 0 : 1];
    row_ = IndexExpr::coordinate(kNetworkRow, {0, demand_.rows - 1});
    layer.activation = &activation;
    if (&activation == network_.result && &activation == &product) return true;
    std::set<const Instruction*> computed = network_.instructions;
    computed.erase(&product);
    computed.erase(product.operand(0));
    const std::vector<int64_t>& dims = product.shape.dims;
    demand_.is_of_rows =
        &activation == network_.result && activation.shape.dims == std::vector<int64_t>(dims.begin(), dims.end() - 1);
    if (!demand_.is_of_rows && activation.shape.dims.back() != layer.columns) return false;
    const std::vector<const Instruction*> reduces = reductions_of(product, activation);
    if (reduces.empty()) {
      layer.graph = graph_of(activation, layer, computed);
      return layer.graph && take_elements(layer, product, layer.graph.get(), &layer.products, &layer.before) &&
             !layer.products.empty();
    }
    return add_rows(product, reduces, std::move(computed), &layer);
  }

  // The element of a row's at `column`, or what each row has one of.
  Index index_of(const Shape& shape, const IndexExpr& column) const {
    return shape.element_count() == demand_.rows ? delinearize(row_, shape.dims) : element_at(shape, row_, column);
  }

  // An element of `value`, a row of which is as long as one of the layer's; nullptr: it cannot be computed alone.
  std::unique_ptr<DemandGraph> graph_of(const Instruction& value, const NetworkLayer& layer,
                                        std::set<const Instruction*> computed) {
    auto graph = std::make_unique<DemandGraph>(new_context(std::move(computed)));
    graph->add_coordinate(1, CoordinateRole::kBatch);
    graph->add_coordinate(demand_.rows, CoordinateRole::kRow);
    graph->add_coordinate(layer.columns, CoordinateRole::kColumn);
    const NodeId node = graph->demand(&value, index_of(value.shape, graph->coordinate(kNetworkColumn)));
    if (graph->failure) return nullptr;
    graph->results.push_back(node);
    if (!graph->finish({}) || !graph->loops.empty() || !graph->reduces.empty()) return nullptr;
    return graph;
  }

  // What a graph reads of `source`, the product or what is kept of it, and of what the layer multiplies.
  bool take_elements(const NetworkLayer& layer, const Instruction& source, DemandGraph* graph,
                     std::vector<NodeId>* elements, std::vector<NodeId>* before) {
    const IndexExpr column = graph->coordinate(kNetworkColumn);
    const bool found = take(graph, source, row_ * layer.columns + column, elements) &&
                       take(graph, *layer.product->operand(0), row_ * layer.terms + column, before);
    graph->set_scopes();
    return found && (before->empty() || layer.terms == layer.columns);
  }

  // The reductions that an activation is made of, from the product on, in the order of the text.
  std::vector<const Instruction*> reductions_of(const Instruction& product, const Instruction& activation) const {
    std::vector<const Instruction*> reduces, waiting = {&activation};
    std::set<const Instruction*> seen = {&product, product.operand(0)};
    while (!waiting.empty()) {
      const Instruction* value = waiting.back();
      waiting.pop_back();
      if (network_.instructions.count(value) == 0 || !seen.insert(value).second) continue;
      if (value->opcode == Opcode::kReduce) reduces.push_back(value);
      waiting.insert(waiting.end(), value->operands().begin(), value->operands().end());
    }
    std::ranges::sort(reduces, {}, [](const Instruction* reduce) { return reduce->position(); });
    return reduces;
  }

  // What all that is reduced is made of: the last value that the product alone is handed on by. What only converts it
  // is made again.
  const Instruction& kept_of(const Instruction& product) const {
    const Instruction* value = &product;
    for (;;) {
      if (value->users().size() != 1) break;
      const Instruction* user = value->users().front();
      const bool moves = is_elementwise(*user) || user->opcode == Opcode::kReshape;
      if (!moves || network_.instructions.count(user) == 0 ||
          user->shape.element_count() != product.shape.element_count() || user->shape.is_scalar() ||
          user->shape.dims.back() != product.shape.dims.back())
        break;
      value = user;
    }
    while (value->opcode == Opcode::kConvert) value = value->operand(0);
    return *value;
  }

  bool add_rows(const Instruction& product, const std::vector<const Instruction*>& reduces,
                std::set<const Instruction*> computed, NetworkLayer* layer) {
    NetworkRows& rows = layer->rows;
    if (!std::ranges::all_of(reduces, [](const Instruction* reduce) { return may_be_statistic(*reduce); }))
      return false;
    rows.kept = &kept_of(product);
    rows.graph = graph_of(*rows.kept, *layer, computed);
    if (!rows.graph || !take_elements(*layer, product, rows.graph.get(), &rows.products, &rows.before)) return false;
    computed.erase(rows.kept);
    for (const Instruction* reduce : reduces) computed.erase(reduce);
    layer->graph = graph_of(*layer->activation, *layer, std::move(computed));
    if (!layer->graph) return false;
    std::optional<DemandGraph::Failure> failure;
    std::optional<RowStatistics> statistics =
        take_statistics(*demand_.contexts.back(), reduces, layer->columns, layer->graph.get(), &failure);
    if (!statistics || statistics->empty()) return false;
    rows.statistics = std::move(*statistics);
    for (RowStatistics::Phase& phase : rows.statistics.phases) {
      std::vector<NodeId> before;
      if (!take_elements(*layer, *rows.kept, phase.graph.get(), &rows.of_phases.emplace_back(), &before) ||
          !before.empty())
        return false;
    }
    for (RowStatistics::Number& number : rows.statistics.numbers) drop_unread(number.graph.get());
    if (!take_elements(*layer, *rows.kept, layer->graph.get(), &layer->products, &layer->before)) return false;
    const DType dtype = rows.kept->shape.dtype;
    rows.in_place = layer->before.empty() && dtype == demand_.dtype;
    rows.statistics.width = std::gcd(kAccessBytes / dtype_bytes(rows.in_place ? dtype : DType::kF32), layer->columns);
    return dtype == DType::kF32 || dtype == demand_.dtype;
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

  // Leaves a graph no loads but what its results read.
  static void drop_unread(DemandGraph* graph) {
    std::set<NodeId> read;
    for (const NodeId id : nodes_below(*graph, graph->results)) read.insert(id);
    for (size_t id = 0; id < graph->nodes.size(); ++id) {
      DemandNode& node = graph->nodes[id];
      if (node.kind == DemandNode::Kind::kLoad && read.count(static_cast<NodeId>(id)) == 0)
        node.kind = DemandNode::Kind::kParameter;
    }
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

std::vector<const DemandGraph*> NetworkLayer::graphs() const {
  std::vector<const DemandGraph*> graphs;
  if (!rows.empty()) {
    graphs.push_back(rows.graph.get());
    for (const RowStatistics::Phase& phase : rows.statistics.phases) graphs.push_back(phase.graph.get());
  }
  if (graph) graphs.push_back(graph.get());
  return graphs;
}

std::optional<NetworkDemand> demand_network(const Network& network, const Computation& level) {
  return Demander(network, level).run();
}

}  // namespace sinter
