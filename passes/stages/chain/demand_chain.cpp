#include <algorithm>

#include "passes/analysis/functions/attention.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/stages/attend/attention.h"
#include "passes/stages/chain/chain.h"

namespace sinter {

namespace {

using Index = std::vector<IndexExpr>;

// Coordinates of the graphs of operands: the third of a left one is a feature, of a right one the column.
constexpr int kLeftFeature = 2, kTileFeature = 1;

void place(const std::vector<int64_t>& dims, const Index& parts, Index* index) {
  for (size_t i = 0; i < dims.size(); ++i) (*index)[static_cast<size_t>(dims[i])] = parts[i];
}

std::vector<int64_t> without_ones(std::vector<int64_t> dims) {
  std::erase(dims, 1);
  return dims;
}

// The same element of an array that has dimensions of 1 in other places.
Index of_shape(const Index& index, const Shape& from, const Shape& to) {
  Index result(to.dims.size());
  size_t at = 0;
  for (size_t dim = 0; dim < to.dims.size(); ++dim) {
    if (to.dims[dim] == 1) continue;
    while (from.dims[at] == 1) ++at;
    result[dim] = index[at++];
  }
  return result;
}

// Whether two reductions are along the same dimensions, of arrays that differ in dimensions of 1 at most.
bool sums_alike(const Instruction& a, const Instruction& b) {
  const auto kept = [](const Instruction& reduce) {
    std::vector<bool> is_kept;
    const std::vector<int64_t>& along = *reduce.attributes->dimensions;
    for (int64_t dim = 0; dim < reduce.operand(0)->shape.rank(); ++dim) {
      if (reduce.operand(0)->shape.dims[static_cast<size_t>(dim)] != 1)
        is_kept.push_back(std::find(along.begin(), along.end(), dim) == along.end());
    }
    return is_kept;
  };
  return without_ones(a.operand(0)->shape.dims) == without_ones(b.operand(0)->shape.dims) && kept(a) == kept(b);
}

// Which of several dimensions are rows, and in which order columns are.
struct Order {
  int64_t row_dim = 0;       // of a reduction, the dimension of its result that is the row; others are the batch
  bool last_is_row = false;  // of a product: all dimensions of its rows but the last are the batch, too
  bool reversed = false;     // columns of several dimensions, of which the first runs fastest
};

class Demander {
 public:
  Demander(const Chain& chain, const Computation& level, const std::set<const Instruction*>& computed,
           const std::set<const Instruction*>& by_sums, const Order& order)
      : chain_(chain), level_(level), computed_(computed), order_(order) {
    demand_.by_sums = by_sums;
    for (const Instruction* instruction : computed) {
      if (divides_by_sum(*instruction)) demand_.by_sums.insert(instruction);
    }
  }

  std::optional<ChainDemand> run() {
    if (!find_types() || !find_results() || !demand_weights()) return std::nullopt;
    for (size_t i = 0; i < chain_.products.size(); ++i) {
      if (!demand_product(i)) return std::nullopt;
    }
    for (ChainDemand::Result& result : demand_.results) {
      if (!result.reduction && !demand_values(&result)) return std::nullopt;
    }
    demand_.weighed = weighed_columns(*demand_.weights, demand_.columns,
                                      demand_.results[0].reduction == RowReduction::kMaximum, demand_.by_sums);
    return std::move(demand_);
  }

 private:
  bool find_types() {
    const Instruction& first = *chain_.products[0];
    std::optional<TensorCoreForm::Product> product;
    for (const auto* dots : {&chain_.products, &chain_.results}) {
      for (const Instruction* dot : *dots) {
        if (dot->opcode == Opcode::kReduce) continue;
        const auto own = tensor_core_product(*dot);
        if (!own || (product && own != product) || dot->operand(0)->shape.dtype != first.operand(0)->shape.dtype ||
            !dot->shape.is_static())
          return false;
        product = own;
      }
    }
    if (!product || !sums_in_f32(*product)) return false;
    demand_.product = *product;
    demand_.dtype = first.operand(0)->shape.dtype;
    return true;
  }

  // What each result counts as batch, rows and columns, which are as many for all.
  bool find_results() {
    for (const Instruction* result : chain_.results) {
      const std::optional<size_t> side = weights_side(*result, chain_.products);
      if (!side) return false;
      sides_.push_back(*side);
      const bool sums = result->opcode == Opcode::kReduce && !demand_.results.empty();
      const bool found = sums                                ? find_sum_of_softmax(*result)
                         : result->opcode == Opcode::kReduce ? find_reduction(*result)
                                                             : find_dot(*result, *side);
      if (!found || demand_.rows == 0 || demand_.columns == 0 || demand_.batch == 0) return false;
    }
    return true;
  }

  bool set_extents(int64_t batch, int64_t rows, int64_t columns) {
    if (!demand_.results.empty()) return demand_.batch == batch && demand_.rows == rows && demand_.columns == columns;
    demand_.batch = batch;
    demand_.rows = rows;
    demand_.columns = columns;
    return true;
  }
  IndexExpr batch() const { return IndexExpr::coordinate(kChainBatch, {0, demand_.batch - 1}); }
  IndexExpr row() const { return IndexExpr::coordinate(kChainRow, {0, demand_.rows - 1}); }
  IndexExpr column() const { return IndexExpr::coordinate(kChainColumn, {0, demand_.columns - 1}); }

  Index of_columns(const Shape& shape, const std::vector<int64_t>& dims) const {
    std::vector<int64_t> extents = sizes(shape, dims);
    if (!order_.reversed) return delinearize(column(), extents);
    std::reverse(extents.begin(), extents.end());
    Index parts = delinearize(column(), extents);
    std::reverse(parts.begin(), parts.end());
    return parts;
  }

  bool find_dot(const Instruction& dot, size_t side) {
    const OperandDims weights = operand_dims(dot, side), values = operand_dims(dot, 1 - side);
    const Shape &w = dot.operand(side)->shape, &v = dot.operand(1 - side)->shape;
    const int64_t all_rows = product(w, weights.free);
    const int64_t rows = order_.last_is_row && !weights.free.empty() ? product(w, {weights.free.back()}) : all_rows;
    const int64_t apart = rows == 0 ? 1 : all_rows / rows;
    if (!set_extents(product(w, weights.batch) * apart, rows, product(w, weights.contracting))) return false;
    ChainDemand::Result result;
    result.instruction = &dot;
    result.width = product(v, values.free);
    if (result.width == 0) return false;
    const Index of_batch = delinearize(batch().floor_div(apart), sizes(w, weights.batch));
    const Index of_rows = delinearize(batch().floor_mod(apart) * rows + row(), sizes(w, weights.free));
    const Index of_width =
        delinearize(IndexExpr::coordinate(kChainColumn, {0, result.width - 1}), sizes(v, values.free));
    // The result has [batch, free of the left, free of the right].
    result.index = of_batch;
    for (const Index& part : {side == 0 ? of_rows : of_width, side == 0 ? of_width : of_rows})
      result.index.insert(result.index.end(), part.begin(), part.end());
    Index index(w.dims.size());
    place(weights.batch, of_batch, &index);
    place(weights.free, of_rows, &index);
    place(weights.contracting, of_columns(w, weights.contracting), &index);
    weights_.emplace_back(dot.operand(side), std::move(index));
    demand_.results.push_back(std::move(result));
    return true;
  }

  bool find_reduction(const Instruction& reduce) {
    const Shape& w = reduce.operand(0)->shape;
    std::vector<int64_t> columns = *reduce.attributes->dimensions, batch_dims, row_dims;
    std::sort(columns.begin(), columns.end());
    for (int64_t dim = 0, kept = 0; dim < w.rank(); ++dim) {
      if (std::find(columns.begin(), columns.end(), dim) != columns.end()) continue;
      (kept++ == order_.row_dim ? row_dims : batch_dims).push_back(dim);
    }
    if (!set_extents(product(w, batch_dims), product(w, row_dims), product(w, columns))) return false;
    ChainDemand::Result result;
    result.instruction = &reduce;
    result.reduction = row_reduction(reduce);
    if (!result.reduction) return false;
    Index index(w.dims.size());
    place(batch_dims, delinearize(batch(), sizes(w, batch_dims)), &index);
    place(row_dims, {row()}, &index);
    for (int64_t dim = 0; dim < w.rank(); ++dim) {
      if (std::find(columns.begin(), columns.end(), dim) == columns.end())
        result.index.push_back(index[static_cast<size_t>(dim)]);
    }
    place(columns, delinearize(column(), sizes(w, columns)), &index);
    weights_.emplace_back(reduce.operand(0), std::move(index));
    demand_.results.push_back(std::move(result));
    return true;
  }

  // sum(exp(x - largest)), where the first result is the largest x.
  bool find_sum_of_softmax(const Instruction& reduce) {
    const ChainDemand::Result& first = demand_.results[0];
    const Instruction& largest = *first.instruction;
    if (demand_.results.size() != 1 || first.reduction != RowReduction::kMaximum ||
        row_reduction(reduce) != RowReduction::kSum || !sums_alike(reduce, largest))
      return false;
    const Instruction* x = weights_[0].first;
    const Index& index = weights_[0].second;
    std::set<const Instruction*> computed = computed_;
    computed.erase(x);
    computed.erase(&largest);
    const auto graph = new_graph(new_context(std::move(computed)), {demand_.rows, CoordinateRole::kRow},
                                 {demand_.columns, CoordinateRole::kColumn});
    const NodeId id = graph->demand(reduce.operand(0), of_shape(index, x->shape, reduce.operand(0)->shape));
    if (graph->failure) return false;
    const auto loads = [&](NodeId of, const Instruction* value, const Index& at) {
      const DemandNode& node = graph->nodes[of];
      return node.kind == DemandNode::Kind::kLoad && node.instruction == value &&
             node.expr == linearize(at, value->shape.dims);
    };
    const auto operation = [&](NodeId of, Opcode opcode) {
      const DemandNode& node = graph->nodes[of];
      return node.kind == DemandNode::Kind::kCompute && node.instruction->opcode == opcode;
    };
    if (!operation(id, Opcode::kExponential)) return false;
    const NodeId difference = graph->nodes[id].operands[0];
    if (!operation(difference, Opcode::kSubtract)) return false;
    const std::vector<NodeId>& of = graph->nodes[difference].operands;
    if (!loads(of[0], x, index) || !loads(of[1], &largest, first.index)) return false;
    ChainDemand::Result result = {.instruction = &reduce, .reduction = RowReduction::kSum};
    result.index = of_shape(first.index, largest.shape, reduce.shape);
    demand_.results.push_back(std::move(result));
    return true;
  }

  DemandContext& new_context(std::set<const Instruction*> computed) {
    return add_context(&demand_.contexts, level_, std::move(computed));
  }
  std::unique_ptr<DemandGraph> new_graph(const DemandContext& context, MatrixCoordinate first,
                                         MatrixCoordinate second) {
    return matrix_graph(context, demand_.batch, first, second);
  }

  // The weights of each result; the products are parameters of the graph.
  bool demand_weights() {
    std::set<const Instruction*> computed = computed_;
    for (const Instruction* dot : chain_.products) computed.erase(dot);
    demand_.weights = new_graph(new_context(std::move(computed)), {demand_.rows, CoordinateRole::kRow},
                                {demand_.columns, CoordinateRole::kColumn});
    DemandGraph& graph = *demand_.weights;
    for (const auto& [value, index] : weights_) {
      NodeId node = graph.demand(value, index);
      if (graph.failure || !is_weight(graph.nodes[node].dtype)) return false;
      // Weights are rounded where they are multiplied.
      const DemandNode& rounded = graph.nodes[node];
      const bool rounds = rounded.kind == DemandNode::Kind::kCompute &&
                          rounded.instruction->opcode == Opcode::kConvert && rounded.dtype == demand_.dtype &&
                          dtype_bits(rounded.dtype) == 16 && !demand_.reduces() &&
                          graph.nodes[rounded.operands[0]].dtype == DType::kF32;
      if (rounds) node = rounded.operands[0];
      graph.results.push_back(node);
    }
    if (!graph.finish({}) || !graph.loops.empty() || !graph.reduces.empty()) return false;
    for (const Instruction* dot : chain_.products) {
      ChainDemand::Product product;
      product.dot = dot;
      std::optional<IndexExpr> where;
      for (size_t id = 0; id < graph.nodes.size(); ++id) {
        DemandNode& load = graph.nodes[id];
        if (load.kind != DemandNode::Kind::kLoad || load.instruction != dot) continue;
        if (where && !(*where == load.expr)) return false;
        where = load.expr;
        load.kind = DemandNode::Kind::kParameter;
        load.expr = IndexExpr();
        load.guard = 0;
        product.leaves.push_back(static_cast<NodeId>(id));
      }
      if (!where) return false;
      product_index_.push_back(delinearize(*where, dot->shape.dims));
      demand_.products.push_back(std::move(product));
    }
    graph.set_scopes();
    return true;
  }
  static bool is_weight(DType dtype) { return is_float(dtype) && dtype_bits(dtype) >= 16 && dtype_bits(dtype) <= 32; }

  bool demand_product(size_t number) {
    ChainDemand::Product& product = demand_.products[number];
    const Instruction& dot = *product.dot;
    const Index& index = product_index_[number];
    // [batch, free of the left, free of the right]
    const OperandDims dims[] = {operand_dims(dot, 0), operand_dims(dot, 1)};
    const auto part = [&](size_t begin, size_t count) {
      return Index(index.begin() + static_cast<ptrdiff_t>(begin),
                   index.begin() + static_cast<ptrdiff_t>(begin + count));
    };
    const size_t batches = dims[0].batch.size();
    const Index of_batch = part(0, batches);
    const Index of_side[] = {part(batches, dims[0].free.size()),
                             part(batches + dims[0].free.size(), dims[1].free.size())};
    if (depends_on(of_batch, kChainColumn) || depends_on(of_batch, kChainRow)) return false;
    const size_t right = depends_on(of_side[0], kChainColumn) ? 0 : 1;
    if (depends_on(of_side[right], kChainRow) || depends_on(of_side[1 - right], kChainColumn)) return false;
    const int64_t features = sinter::product(dot.operand(0)->shape, dims[0].contracting);
    if (features == 0) return false;

    const auto index_of = [&](size_t side, const IndexExpr& feature) {
      const Shape& shape = dot.operand(side)->shape;
      Index result(shape.dims.size());
      place(dims[side].batch, of_batch, &result);
      place(dims[side].free, of_side[side], &result);
      place(dims[side].contracting, delinearize(feature, sizes(shape, dims[side].contracting)), &result);
      return result;
    };
    ContractOperand& left = product.left;
    left.graph =
        new_graph(new_context(computed_), {demand_.rows, CoordinateRole::kRow}, {features, CoordinateRole::kTerm});
    left.batch = kChainBatch;
    left.outer = kChainRow;
    left.k = kLeftFeature;
    if (!finish(dot.operand(1 - right), index_of(1 - right, left.graph->coordinate(left.k)), &left)) return false;
    product.left_copy = tile_copy(left, demand_.dtype);
    if (product.left_copy && (!product.left_copy->along_k || !product.left_copy->tests.empty()))
      product.left_copy.reset();

    ContractOperand operand = new_tile(features);
    if (!finish(dot.operand(right), index_of(right, operand.graph->coordinate(kTileFeature)), &operand)) return false;
    return add_tile(std::move(operand), features, &product.tile);
  }

  bool demand_values(ChainDemand::Result* result) {
    const Instruction& dot = *result->instruction;
    const size_t side = 1 - sides_[static_cast<size_t>(result - demand_.results.data())];
    const OperandDims dims = operand_dims(dot, side);
    const Shape& shape = dot.operand(side)->shape;
    ContractOperand operand = new_tile(result->width);
    Index index(shape.dims.size());
    const int64_t apart = demand_.batch / product(shape, dims.batch);
    place(dims.batch, delinearize(batch().floor_div(apart), sizes(shape, dims.batch)), &index);
    place(dims.free, delinearize(operand.graph->coordinate(kTileFeature), sizes(shape, dims.free)), &index);
    place(dims.contracting, of_columns(shape, dims.contracting), &index);
    return finish(dot.operand(side), index, &operand) && add_tile(std::move(operand), result->width, &result->tile);
  }

  ContractOperand new_tile(int64_t features) {
    ContractOperand operand;
    operand.graph = new_graph(new_context(computed_), {features, CoordinateRole::kTerm},
                              {demand_.columns, CoordinateRole::kColumn});
    operand.batch = kChainBatch;
    operand.outer = kChainColumn;
    operand.k = kTileFeature;
    return operand;
  }

  static bool finish(const Instruction* value, const Index& index, ContractOperand* operand) {
    DemandGraph& graph = *operand->graph;
    const NodeId node = graph.demand(value, index);
    if (graph.failure) return false;
    graph.results.push_back(node);
    return graph.finish({}) && graph.loops.empty() && graph.reduces.empty();
  }

  // One tile for operands that are the same elements of one array.
  bool add_tile(ContractOperand operand, int64_t features, size_t* number) {
    std::optional<TileCopy> copy = tile_copy(operand, demand_.dtype);
    if (!copy || !copy->along_k || !copy->tests.empty()) return false;
    const auto found = std::find_if(demand_.tiles.begin(), demand_.tiles.end(), [&](const ChainDemand::Tile& tile) {
      return tile.features == features && tile.copy.array == copy->array && tile.copy.from == copy->from;
    });
    *number = static_cast<size_t>(found - demand_.tiles.begin());
    if (found == demand_.tiles.end()) demand_.tiles.push_back({std::move(operand), std::move(*copy), features});
    return true;
  }

  const Chain& chain_;
  const Computation& level_;
  const std::set<const Instruction*>& computed_;
  const Order order_;
  ChainDemand demand_;
  std::vector<size_t> sides_;                                  // of each result, that of its weights
  std::vector<std::pair<const Instruction*, Index>> weights_;  // of each result, and where a pair's is
  std::vector<Index> product_index_;                           // of each product, a pair's element
};

}  // namespace

std::optional<ChainDemand> demand_chain(const Chain& chain, const Computation& level,
                                        const std::set<const Instruction*>& computed,
                                        const std::set<const Instruction*>& by_sums) {
  const Instruction& first = *chain.results[0];
  if (first.opcode != Opcode::kReduce) {
    // In which order it is seen that some columns do not count: of heads that share keys, queries may be the last
    // dimension of rows, or the first of columns.
    std::optional<ChainDemand> plain = Demander(chain, level, computed, by_sums, {}).run();
    if (plain && plain->weighed) return plain;
    for (const auto& [last_is_row, reversed] :
         {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
      const Order order = {.last_is_row = last_is_row, .reversed = reversed};
      std::optional<ChainDemand> demand = Demander(chain, level, computed, by_sums, order).run();
      if (demand && (demand->weighed || !plain)) return demand;
    }
    return plain;
  }
  // Which dimension is the row shows where the product's left operand is read; the last one as a rule.
  for (int64_t dim = first.shape.rank() - 1; dim >= 0; --dim) {
    if (first.shape.dims[static_cast<size_t>(dim)] == 1) continue;
    if (std::optional<ChainDemand> demand = Demander(chain, level, computed, by_sums, {.row_dim = dim}).run())
      return demand;
  }
  return std::nullopt;
}

}  // namespace sinter
