#include <algorithm>

#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/demand/index_ranges.h"
#include "passes/stages/attend/attention.h"

namespace sinter {

namespace {

// Heads of queries that share keys are rows of one tile where each alone would fill up less than one instruction.
constexpr int64_t kRowsOfTile = 16, kMostSharing = 128;
// Those of many queries are apart where keys are hidden behind a query, which rows of several heads have in no order.
constexpr int64_t kManyRows = 64;

using Index = std::vector<IndexExpr>;

class Demander {
 public:
  // `sharing`: so many neighbours of the second product's batch are rows of one element of the demand's; `apart`: an
  // element of it are so many of the demand's, each of which has a part of its rows.
  Demander(const Attention& attention, const Computation& level, const std::set<const Instruction*>& computed,
           int64_t sharing, int64_t apart)
      : attention_(attention), level_(level), computed_(computed), sharing_(sharing), apart_(apart) {}

  std::optional<AttentionDemand> run() {
    if (!find_types() || !find_extents() || !find_score_index() || !is_softmax() || !demand_sink() || !demand_score() ||
        !demand_operands())
      return std::nullopt;
    find_hidden();
    return std::move(demand_);
  }

 private:
  bool find_types() {
    const Attention& a = attention_;
    const auto product = tensor_core_product(*a.products);
    demand_.attention = a;
    if (!product || product != tensor_core_product(*a.results) || !sums_in_f32(*product)) return false;
    demand_.product = *product;
    demand_.dtype = a.products->operand(0)->shape.dtype;
    return demand_.dtype == a.results->operand(0)->shape.dtype && is_narrow(a.score->shape.dtype);
  }
  static bool is_narrow(DType dtype) { return is_float(dtype) && dtype_bits(dtype) <= 32; }

  bool find_extents() {
    const Instruction& dot = *attention_.results;
    const size_t side = attention_.weights_side;
    const OperandDims weights = operand_dims(dot, side), values = operand_dims(dot, 1 - side);
    const Shape &w = dot.operand(side)->shape, &v = dot.operand(1 - side)->shape;
    const int64_t queries = product(w, weights.free);
    demand_.batch = product(w, weights.batch) / sharing_ * apart_;
    demand_.rows = queries * sharing_ / apart_;
    demand_.keys = product(w, weights.contracting);
    demand_.values = product(v, values.free);
    if (dot.shape.element_count() == 0 || demand_.keys == 0) return false;
    batch_ = IndexExpr::coordinate(kAttendBatch, {0, demand_.batch - 1});
    row_ = IndexExpr::coordinate(kAttendRow, {0, demand_.rows - 1});
    key_ = IndexExpr::coordinate(kAttendKey, {0, demand_.keys - 1});
    const IndexExpr column = IndexExpr::coordinate(kAttendKey, {0, demand_.values - 1});
    // A row is a query of one of those that share keys.
    const IndexExpr row = batch_.floor_mod(apart_) * demand_.rows + row_;
    dot_batch_ = batch_.floor_div(apart_) * sharing_ + row.floor_div(queries);
    dot_row_ = row.floor_mod(queries);
    // The result has [batch, free of the left, free of the right].
    const Index of_batch = delinearize(dot_batch_, sizes(w, weights.batch));
    const Index of_rows = delinearize(dot_row_, sizes(w, weights.free));
    const Index of_columns = delinearize(column, sizes(v, values.free));
    demand_.result_index = of_batch;
    for (const Index& part : {side == 0 ? of_rows : of_columns, side == 0 ? of_columns : of_rows})
      demand_.result_index.insert(demand_.result_index.end(), part.begin(), part.end());
    return true;
  }

  DemandContext& new_context(std::set<const Instruction*> computed) {
    return add_context(&demand_.contexts, level_, std::move(computed));
  }
  std::unique_ptr<DemandGraph> new_graph(const DemandContext& context, MatrixCoordinate first,
                                         MatrixCoordinate second) {
    return matrix_graph(context, demand_.batch, first, second);
  }
  std::unique_ptr<DemandGraph> new_score_graph(const DemandContext& context) {
    return new_graph(context, {demand_.rows, CoordinateRole::kRow}, {demand_.keys, CoordinateRole::kColumn});
  }

  // The element of `to` that the element `index` of `from` is, by way of views and conversions.
  std::optional<Index> index_through(const Instruction* from, const Instruction* to, const Index& index) {
    if (from == to) return index;
    std::set<const Instruction*> computed = computed_;
    computed.erase(to);
    const DemandContext& context = new_context(std::move(computed));
    const auto graph = new_score_graph(context);
    graph->demand(from, index);
    std::optional<IndexExpr> expr;
    if (!graph->failure) {
      for (const DemandNode& node : graph->nodes) {
        if (node.kind != DemandNode::Kind::kLoad) continue;
        if (node.instruction != to || expr) return std::nullopt;
        expr = node.expr;
      }
    }
    if (!expr) return std::nullopt;
    return delinearize(*expr, to->shape.dims);
  }

  bool follow(const Instruction* from, const Instruction* to, const Index& index, Index* result) {
    std::optional<Index> found = index_through(from, to, index);
    if (found) *result = std::move(*found);
    return found.has_value();
  }

  // Where the score of (batch, row, key) is among all scores, and what is made of it.
  bool find_score_index() {
    const Instruction& dot = *attention_.results;
    const Instruction* weights = dot.operand(attention_.weights_side);
    const OperandDims dims = operand_dims(dot, attention_.weights_side);
    Index index(weights->shape.dims.size());
    const auto place = [&](const std::vector<int64_t>& roles, const IndexExpr& coordinate) {
      const Index parts = delinearize(coordinate, sizes(weights->shape, roles));
      for (size_t i = 0; i < roles.size(); ++i) index[static_cast<size_t>(roles[i])] = parts[i];
    };
    place(dims.batch, dot_batch_);
    place(dims.free, dot_row_);
    place(dims.contracting, key_);
    return follow(weights, attention_.weights, index, &weights_index_) &&
           follow(attention_.weights->operand(0), attention_.exponential, weights_index_, &exponential_index_) &&
           follow(attention_.exponential->operand(0), attention_.shifted, exponential_index_, &shifted_index_) &&
           follow(attention_.shifted->operand(0), attention_.score, shifted_index_, &score_index_);
  }

  // Whether a query's largest score and sum are those of all its keys, and of no others.
  bool is_softmax() {
    const Attention& a = attention_;
    return follow(a.shifted->operand(1), a.base, shifted_index_, &base_index_) &&
           follow(a.weights->operand(1), a.total, weights_index_, &total_index_) &&
           reduces_keys(*a.largest, operand_to(*a.base, *a.largest), base_index_, a.score, score_index_) &&
           reduces_keys(*a.sum, operand_to(*a.total, *a.sum), total_index_, a.exponential, exponential_index_);
  }
  // The operand of a maximum or a sum that is `reduction` but for views; itself, where the value is that.
  static const Instruction* operand_to(const Instruction& value, const Instruction& reduction) {
    if (&value == &reduction) return &value;
    const Instruction* first = value.operand(0);
    while (first != &reduction && first->operands().size() == 1) first = first->operand(0);
    return value.operand(first == &reduction ? 0 : 1);
  }

  // The number that a query weighs beside its keys' scores.
  bool demand_sink() {
    const Attention& a = attention_;
    if (a.sink_exponential == nullptr) return true;
    const Instruction* exponential = a.total->operand(operand_to(*a.total, *a.sum) == a.total->operand(0) ? 1 : 0);
    Index at_exponential, at_shifted, at_base;
    if (!follow(exponential, a.sink_exponential, total_index_, &at_exponential) ||
        !follow(a.sink_exponential->operand(0), a.sink_shifted, at_exponential, &at_shifted) ||
        !follow(a.sink_shifted->operand(1), a.base, at_shifted, &at_base) || !(at_base == base_index_) ||
        depends_on(at_shifted, kAttendKey))
      return false;
    const DemandContext& context = new_context(computed_);
    demand_.sink = new_score_graph(context);
    const NodeId node = demand_.sink->demand(a.sink_shifted->operand(0), at_shifted);
    if (demand_.sink->failure) return false;
    demand_.sink->results.push_back(node);
    return is_narrow(a.sink_shifted->shape.dtype) && demand_.sink->finish({}) && demand_.sink->loops.empty() &&
           demand_.sink->reduces.empty();
  }
  // Whether `spread` at `index` is that reduction's result for the query, and what it reduces, key by key, is the
  // element `reduced_index` of `reduced`.
  bool reduces_keys(const Instruction& reduction, const Instruction* spread, const Index& index,
                    const Instruction* reduced, const Index& reduced_index) {
    Index of_query;
    if (!follow(spread, &reduction, index, &of_query) || depends_on(of_query, kAttendKey)) return false;
    const Instruction* array = reduction.operand(0);
    std::vector<int64_t> dims = *reduction.attributes->dimensions;
    std::sort(dims.begin(), dims.end());
    if (product(array->shape, dims) != demand_.keys) return false;
    const Index of_key = delinearize(key_, sizes(array->shape, dims));
    Index element;
    size_t query = 0, key = 0;
    for (int64_t dim = 0; dim < array->shape.rank(); ++dim) {
      const bool is_reduced = std::find(dims.begin(), dims.end(), dim) != dims.end();
      element.push_back(is_reduced ? of_key[key++] : of_query[query++]);
    }
    Index found;
    return follow(array, reduced, element, &found) && found == reduced_index;
  }

  bool demand_score() {
    demand_.score = score_of(attention_.score, &demand_.products);
    return demand_.score != nullptr && product_index_.has_value();
  }
  // Of such an element of `value`, whose place is a score's; the product is a parameter of the graph.
  std::unique_ptr<DemandGraph> score_of(const Instruction* value, std::vector<NodeId>* products) {
    std::set<const Instruction*> computed = computed_;
    computed.erase(attention_.products);
    const DemandContext& context = new_context(std::move(computed));
    std::unique_ptr<DemandGraph> graph = new_score_graph(context);
    const NodeId node = graph->demand(value, score_index_);
    if (graph->failure) return nullptr;
    graph->results.push_back(node);
    if (!graph->finish({}) || !graph->loops.empty() || !graph->reduces.empty()) return nullptr;
    for (size_t id = 0; id < graph->nodes.size(); ++id) {
      DemandNode& load = graph->nodes[id];
      if (load.kind != DemandNode::Kind::kLoad || load.instruction != attention_.products) continue;
      if (product_index_ && !(*product_index_ == load.expr)) return nullptr;
      product_index_ = load.expr;
      load.kind = DemandNode::Kind::kParameter;
      load.expr = IndexExpr();
      load.guard = 0;
      products->push_back(static_cast<NodeId>(id));
    }
    graph->set_scopes();
    return graph;
  }

  bool demand_operands() {
    const Instruction& dot = *attention_.products;
    const Index index = delinearize(*product_index_, dot.shape.dims);
    // [batch, free of the left, free of the right]
    const OperandDims left = operand_dims(dot, 0), right = operand_dims(dot, 1);
    const auto part = [&](size_t begin, size_t count) {
      return Index(index.begin() + static_cast<ptrdiff_t>(begin),
                   index.begin() + static_cast<ptrdiff_t>(begin + count));
    };
    const Index of_batch = part(0, left.batch.size());
    const Index of_left = part(left.batch.size(), left.free.size());
    const Index of_right = part(left.batch.size() + left.free.size(), right.free.size());
    if (depends_on(of_batch, kAttendKey) || (sharing_ == 1 && depends_on(of_batch, kAttendRow))) return false;
    const size_t keys = depends_on(of_left, kAttendKey) ? 0 : 1;
    if (depends_on(keys == 0 ? of_left : of_right, kAttendRow) ||
        depends_on(keys == 0 ? of_right : of_left, kAttendKey))
      return false;
    demand_.features = product(dot.operand(0)->shape, left.contracting);
    if (demand_.features == 0) return false;
    if (!demand_operand(dot, 1 - keys, of_batch, keys == 0 ? of_right : of_left, kAttendRow, &demand_.queries) ||
        !demand_operand(dot, keys, of_batch, keys == 0 ? of_left : of_right, kAttendKey, &demand_.key_elements) ||
        !demand_values())
      return false;
    demand_.copies[0] = tile_copy(demand_.queries, demand_.dtype);
    if (demand_.copies[0] && (!demand_.copies[0]->along_k || !demand_.copies[0]->tests.empty()))
      demand_.copies[0].reset();
    return find_rows(1, demand_.key_elements) && find_rows(2, demand_.value_elements);
  }

  // How keys or values come to shared memory.
  bool find_rows(size_t number, const ContractOperand& operand) {
    const bool along_k = number == 1;
    std::optional<TileCopy>& copy = demand_.copies[number];
    copy = tile_copy(operand, demand_.dtype);
    if (copy && copy->along_k == along_k && copy->tests.empty()) {
      demand_.sources[number] = {.dtype = demand_.dtype, .load = operand.graph->results[0]};
      return true;
    }
    copy = row_copy(operand, along_k, &demand_.sources[number]);
    return copy.has_value();
  }

  // Of (batch, row, feature) queries, of (batch, feature, key) keys, whose coordinate is the third in both graphs.
  bool demand_operand(const Instruction& dot, size_t side, const Index& of_batch, const Index& of_free, int outer,
                      ContractOperand* operand) {
    const DemandContext& context = new_context(computed_);
    const bool is_query = outer == kAttendRow;
    operand->graph =
        is_query ? new_graph(context, {demand_.rows, CoordinateRole::kRow}, {demand_.features, CoordinateRole::kTerm})
                 : new_graph(context, {demand_.features, CoordinateRole::kTerm}, {demand_.keys, CoordinateRole::kRow});
    operand->batch = kAttendBatch;
    operand->outer = outer;
    operand->k = is_query ? 2 : 1;
    const OperandDims dims = operand_dims(dot, side);
    const Shape& shape = dot.operand(side)->shape;
    Index index(shape.dims.size());
    const auto put = [&](const std::vector<int64_t>& roles, const Index& parts) {
      for (size_t i = 0; i < roles.size(); ++i) index[static_cast<size_t>(roles[i])] = parts[i];
    };
    put(dims.batch, is_query ? of_batch : of_any_row(of_batch, *operand->graph));
    put(dims.free, of_free);
    const IndexExpr feature = operand->graph->coordinate(operand->k);
    put(dims.contracting, delinearize(feature, sizes(shape, dims.contracting)));
    return finish_operand(dot.operand(side), index, operand) && (is_query || is_of_any_row(*operand->graph));
  }

  // The row as one more coordinate of a graph of keys or values, which are the same for all rows.
  static constexpr int kAnyRow = 3;
  IndexExpr of_any_row(const IndexExpr& expr) const {
    return expr.substitute([&](const IndexExpr::Atom& atom) {
      return atom.id == kAttendRow ? std::optional(IndexExpr::coordinate(kAnyRow, {0, demand_.rows - 1}))
                                   : std::nullopt;
    });
  }
  Index of_any_row(Index index, DemandGraph& graph) const {
    if (sharing_ == 1) return index;
    graph.add_coordinate(demand_.rows, CoordinateRole::kRow);
    for (IndexExpr& expr : index) expr = of_any_row(expr);
    return index;
  }
  static bool is_of_any_row(const DemandGraph& graph) {
    return std::none_of(graph.nodes.begin(), graph.nodes.end(),
                        [](const DemandNode& node) { return node.expr.reads_coordinate(kAnyRow); });
  }

  bool demand_values() {
    const Instruction& dot = *attention_.results;
    const size_t side = 1 - attention_.weights_side;
    ContractOperand& operand = demand_.value_elements;
    const DemandContext& context = new_context(computed_);
    operand.graph =
        new_graph(context, {demand_.values, CoordinateRole::kColumn}, {demand_.keys, CoordinateRole::kTerm});
    operand.batch = kAttendBatch;
    operand.outer = 1;
    operand.k = kAttendKey;
    operand.k_contiguous = false;
    const OperandDims dims = operand_dims(dot, side);
    const Shape& shape = dot.operand(side)->shape;
    Index index(shape.dims.size());
    const auto place = [&](const std::vector<int64_t>& roles, const Index& parts) {
      for (size_t i = 0; i < roles.size(); ++i) index[static_cast<size_t>(roles[i])] = parts[i];
    };
    const auto of = [&](const std::vector<int64_t>& roles, const IndexExpr& coordinate) {
      return delinearize(coordinate, sizes(shape, roles));
    };
    place(dims.batch, of_any_row(of(dims.batch, dot_batch_), *operand.graph));
    place(dims.free, of(dims.free, operand.graph->coordinate(operand.outer)));
    place(dims.contracting, of(dims.contracting, operand.graph->coordinate(operand.k)));
    return finish_operand(dot.operand(side), index, &operand) && is_of_any_row(*operand.graph);
  }

  static bool finish_operand(const Instruction* value, const Index& index, ContractOperand* operand) {
    DemandGraph& graph = *operand->graph;
    const NodeId node = graph.demand(value, index);
    if (graph.failure) return false;
    graph.results.push_back(node);
    return graph.finish({}) && graph.loops.empty() && graph.reduces.empty();
  }

  void find_hidden() {
    const DemandGraph& graph = *demand_.score;
    const std::optional<MaskedScore> masked = masked_score(graph, demand_.keys);
    if (!masked) return;
    demand_.hidden = masked->hidden;
    const Instruction* root = graph.nodes[graph.results[0]].instruction;
    if (root == attention_.score && masked->seen_operand)
      demand_.seen_score = score_of(root->operand(*masked->seen_operand), &demand_.seen_products);
  }

  const Attention& attention_;
  const Computation& level_;
  const std::set<const Instruction*>& computed_;
  const int64_t sharing_, apart_;
  AttentionDemand demand_;
  IndexExpr batch_, row_, key_;
  IndexExpr dot_batch_, dot_row_;  // of the second product, of batch and row
  Index weights_index_, exponential_index_, shifted_index_, score_index_, base_index_, total_index_;
  std::optional<IndexExpr> product_index_;
};

// Rows of the weights in all dimensions but the last: heads that share keys.
int64_t rows_apart(const Attention& attention) {
  const OperandDims dims = operand_dims(*attention.results, attention.weights_side);
  const Shape& weights = attention.results->operand(attention.weights_side)->shape;
  int64_t count = 1;
  for (size_t i = 0; i + 1 < dims.free.size(); ++i) count *= weights.dims[static_cast<size_t>(dims.free[i])];
  return count;
}

// A coordinate of no graph.
constexpr int kNeighbour = 4;

// Whether so many neighbours of the batch have the same keys and values.
bool may_share(const AttentionDemand& demand, int64_t sharing) {
  const auto is_shared = [&](const ContractOperand& operand) {
    return std::all_of(operand.graph->nodes.begin(), operand.graph->nodes.end(), [&](const DemandNode& node) {
      const IndexExpr first = node.expr.substitute([&](const IndexExpr::Atom& atom) {
        if (atom.kind != IndexExpr::AtomKind::kCoordinate || atom.id != kAttendBatch) return std::optional<IndexExpr>();
        const IndexExpr batch = IndexExpr::coordinate(kAttendBatch, {0, demand.batch / sharing - 1});
        return std::optional(batch * sharing + IndexExpr::coordinate(kNeighbour, {0, sharing - 1}));
      });
      return !first.reads_coordinate(kNeighbour);
    });
  };
  return is_shared(demand.key_elements) && is_shared(demand.value_elements);
}

}  // namespace

bool depends_on(const std::vector<IndexExpr>& index, int coordinate) {
  return std::any_of(index.begin(), index.end(), [&](const IndexExpr& expr) { return depends_on(expr, coordinate); });
}
bool depends_on(const IndexExpr& expr, int coordinate) {
  bool found = false;
  expr.visit_leaves([&](const IndexExpr::Atom& atom) {
    found |= atom.kind != IndexExpr::AtomKind::kCoordinate || atom.id == coordinate;
  });
  return found;
}
std::optional<AttentionDemand> demand_attention(const Attention& attention, const Computation& level,
                                                const std::set<const Instruction*>& computed) {
  std::optional<AttentionDemand> demand = Demander(attention, level, computed, 1, 1).run();
  if (!demand) return demand;
  if (demand->rows >= kRowsOfTile) {
    const int64_t heads = rows_apart(attention);
    if (demand->hidden || heads == 1 || demand->rows / heads < kManyRows) return demand;
    std::optional<AttentionDemand> by_head = Demander(attention, level, computed, 1, heads).run();
    return by_head && by_head->hidden ? std::move(by_head) : std::move(demand);
  }
  const int64_t most = std::min(demand->batch, kMostSharing);
  for (int64_t sharing = most; sharing > 1; --sharing) {
    if (demand->batch % sharing != 0 || !may_share(*demand, sharing)) continue;
    std::optional<AttentionDemand> shared = Demander(attention, level, computed, sharing, 1).run();
    if (shared) return shared;
  }
  return demand;
}

}  // namespace sinter
