#include "passes/stages/stencil/levels.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/stencil_levels.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/nodes_read.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/stages/own/own_stage.h"
#include "passes/stages/stencil/axis_index.h"
#include "passes/stages/stencil/packed_bytes.h"
#include "passes/stages/stencil/wide_reads.h"

namespace sinter {

int64_t Levels::batches() const {
  return std::accumulate(batch_dims.begin(), batch_dims.end(), int64_t{1}, std::multiplies<>());
}

std::optional<size_t> Levels::level_of(const Instruction* value) const {
  for (size_t k = 0; k < levels.size(); ++k) {
    if (levels[k].value == value) return k;
  }
  return std::nullopt;
}

std::vector<const Instruction*> results_of(const Computation& computation) {
  const Instruction* root = computation.root();
  if (root->opcode != Opcode::kTuple) return {root};
  return {root->operands().begin(), root->operands().end()};
}

std::set<const Instruction*> kept_levels(const Computation& computation) {
  std::set<const Instruction*> kept;
  for (const Instruction& value : computation.instructions()) {
    if (is_level(value)) kept.insert(&value);
  }
  return kept;
}

namespace {

// Elements that are a column, at most.
constexpr int64_t kMostTogether = 64;

// What a read says of one dimension: distances from the element that is computed, and whether all places are elements.
struct Distances {
  int64_t least = std::numeric_limits<int64_t>::max(), most = std::numeric_limits<int64_t>::min();
  bool outside = false;
  bool any() const { return least <= most; }
};

// An index that is a coordinate times a factor, and a constant; nullopt: it is something else, or of another one too.
std::optional<LevelIndex> along(const IndexExpr& expr, int coordinate) {
  if (expr.is_constant()) return LevelIndex{0, expr.constant(), expr};
  if (expr.terms().size() > 1) return std::nullopt;
  const IndexExpr::Term& term = expr.terms()[0];
  if (term.atom->kind != IndexExpr::AtomKind::kCoordinate || term.atom->id != coordinate) return std::nullopt;
  return LevelIndex{term.coefficient, expr.constant(), expr};
}

// The same of an index divided, or what is left of it: of columns that have so many elements each.
bool is_along(const IndexExpr& expr, int coordinate, int64_t together) {
  return std::ranges::all_of(expr.terms(), [&](const IndexExpr::Term& term) {
    switch (term.atom->kind) {
      case IndexExpr::AtomKind::kCoordinate:
        return term.atom->id == coordinate;
      case IndexExpr::AtomKind::kFloorDiv:
      case IndexExpr::AtomKind::kMod:
        return term.atom->divisor == together && along(term.atom->operand, coordinate).has_value();
      default:
        return false;
    }
  });
}

// low <= index < high
struct Bounds {
  LevelIndex index;
  int64_t low = 0, high = 0;
};
// A test of such an index, or of one divided.
std::optional<Bounds> bounds_of(const IndexExpr& expr, int64_t low, int64_t high, int coordinate) {
  if (const std::optional<LevelIndex> index = along(expr, coordinate)) return Bounds{*index, low, high};
  if (expr.terms().size() != 1 || expr.terms()[0].coefficient != 1) return std::nullopt;
  const IndexExpr::Atom& atom = *expr.terms()[0].atom;
  if (atom.kind != IndexExpr::AtomKind::kFloorDiv || std::max(std::abs(low), std::abs(high)) > INT32_MAX)
    return std::nullopt;
  const std::optional<LevelIndex> index = along(atom.operand, coordinate);
  if (!index) return std::nullopt;
  return Bounds{*index, (low - expr.constant()) * atom.divisor, (high - expr.constant()) * atom.divisor};
}

// Whether an index is such, or chosen among such by tests, or limits, of such.
bool is_chosen_along(const DemandGraph& graph, NodeId id, int coordinate, int64_t together) {
  const DemandNode& node = graph.nodes[id];
  const auto operands = [&] {
    return std::ranges::all_of(node.operands,
                               [&](NodeId operand) { return is_chosen_along(graph, operand, coordinate, together); });
  };
  switch (node.kind) {
    case DemandNode::Kind::kConstant:
      return true;
    case DemandNode::Kind::kIndex:
      return is_along(node.expr, coordinate, together);
    case DemandNode::Kind::kClampIndex:
      return graph.nodes[node.operands[0]].kind == DemandNode::Kind::kIndex && operands();
    case DemandNode::Kind::kChoose:
      return bounds_of(node.expr, node.low, node.high, coordinate).has_value() && operands();
    default:
      return false;
  }
}

// One of the two dimensions of a pass: which nodes are read where, as tests of its coordinate decide.
class ReachedNodes {
 public:
  // `together`: elements that a place of the array has; indices go on in the same way from one place to the next.
  ReachedNodes(const DemandGraph& graph, int coordinate, IndexRange range, int64_t together)
      : graph_(graph), coordinate_(coordinate), range_(range), together_(together) {
    places_ = {range.low, range.high};
    for (const DemandNode& node : graph.nodes) {
      const bool limits = node.kind == DemandNode::Kind::kClampIndex;
      if (!limits && node.kind != DemandNode::Kind::kChoose) continue;
      const std::optional<Bounds> tested =
          limits ? bounds_of(graph.nodes[node.operands[0]].expr, node.low, node.high + 1, coordinate)
                 : bounds_of(node.expr, node.low, node.high, coordinate);
      if (!tested || tested->index.factor == 0) continue;
      // Between two of these places a test says the same of all.
      for (const int64_t bound : {tested->low, tested->high}) {
        const LevelIndex& index = tested->index;
        const auto reaches = [&](int64_t at) { return index.factor * at + index.shift >= bound; };
        const int64_t place = (bound - index.shift) / index.factor;
        for (int64_t near = place - 2; near <= place + 2; ++near) {
          if (near < range.low || near > range.high) continue;
          places_.insert(near);
          if (near > range.low && reaches(near) != reaches(near - 1)) turns_.insert(near);
        }
      }
    }
    for (const int64_t place : places_) reached_.push_back(reached_at(place));
  }

  // Of a node that is read at an index.
  Distances of(NodeId node, const IndexExpr& index, int64_t extent) const {
    const AxisIndex axis(graph_, coordinate_, range_.high + 1);
    Distances distances;
    const auto read_at = [&](int64_t place) {
      const std::optional<int64_t> read = axis.at(index, place);
      distances.outside |= !read || *read < 0 || *read >= extent;
      distances.least = std::min(distances.least, read.value_or(place) - place);
      distances.most = std::max(distances.most, read.value_or(place) - place);
    };
    size_t number = 0;
    int64_t before = range_.low;
    for (const int64_t place : places_) {
      if (reached_[number++][node]) {
        read_at(place);
        // Those between two places are read as both are.
        for (int64_t k = 1; k < together_ && place - k > before; ++k) {
          read_at(place - k);
          read_at(std::min(before + k, place));
        }
      }
      before = place;
    }
    return distances;
  }

  // Where tests turn out otherwise than at the place before.
  const std::set<int64_t>& turns() const { return turns_; }

 private:
  std::vector<bool> reached_at(int64_t place) const {
    std::vector<bool> reached(graph_.nodes.size(), false);
    std::vector<NodeId> left = graph_.results;
    while (!left.empty()) {
      const NodeId id = left.back();
      left.pop_back();
      if (reached[id]) continue;
      reached[id] = true;
      const DemandNode& node = graph_.nodes[id];
      if (node.kind == DemandNode::Kind::kChoose) {
        const std::optional<Bounds> tested = bounds_of(node.expr, node.low, node.high, coordinate_);
        if (tested) {
          const int64_t value = tested->index.factor * place + tested->index.shift;
          left.push_back(node.operands[value >= tested->low && value < tested->high ? 0 : 1]);
          continue;
        }
      }
      visit_reads(graph_, id, [&](NodeId read, ReadAs) { left.push_back(read); });
    }
    return reached;
  }

  const DemandGraph& graph_;
  int coordinate_;
  IndexRange range_;
  int64_t together_;
  std::set<int64_t> places_, turns_;
  std::vector<std::vector<bool>> reached_;  // by place
};

class LevelFinder {
 public:
  // `together`: so many elements, of the last dimension, are a column of the dimension before it.
  LevelFinder(const Computation& computation, const std::set<const Instruction*>& kept, int64_t together)
      : computation_(computation), kept_(kept), results_(results_of(computation)), together_(together) {}

  std::optional<Levels> find(bool inside) {
    if (!find_extents()) return std::nullopt;
    add_passes();
    if (levels_.passes.size() > kMostPasses) return std::nullopt;
    for (LevelPass& pass : levels_.passes) {
      const IndexRange rows = {0, pass.rows - 1}, columns = {0, pass.columns - 1};
      std::optional<LevelGraph> graph = demand(pass, rows, columns);
      if (!graph) return std::nullopt;
      pass.elements = std::move(*graph);
    }
    if (!find_reach()) return std::nullopt;
    find_waits();
    if (inside) add_inside();
    return std::move(levels_);
  }

 private:
  static constexpr size_t kMostPasses = 12;
  static constexpr int64_t kMostNodes = 2500;
  static constexpr int64_t kMostReach = 64;

  const std::vector<int64_t>& dims() const { return results_[0]->shape.dims; }
  bool is_kept_type(const Shape& shape) const {
    return shape.is_array() && (shape.dtype == DType::kPred || dtype_bits(shape.dtype) >= 8) &&
           !is_complex(shape.dtype);
  }

  bool find_extents() {
    std::vector<const Instruction*> values(results_);
    values.insert(values.end(), kept_.begin(), kept_.end());
    levels_.least_rows = levels_.least_columns = INT32_MAX;
    for (const Instruction* value : values) {
      const Shape& shape = value->shape;
      if (!is_kept_type(shape) || shape.rank() == 0 || shape.rank() != results_[0]->shape.rank()) return false;
      if (shape.element_count() == 0 || shape.element_count() > INT32_MAX) return false;
      if (together_ > 1 && shape.dims.back() != together_) return false;
      const auto beside = static_cast<std::ptrdiff_t>(std::min<size_t>(shape.dims.size(), last_dims()));
      if (!std::equal(shape.dims.begin(), shape.dims.end() - beside, dims().begin())) return false;
      levels_.least_rows = std::min(levels_.least_rows, rows_of(*value));
      levels_.least_columns = std::min(levels_.least_columns, columns_of(*value));
    }
    for (const Instruction* value : results_) {
      levels_.rows = std::max(levels_.rows, rows_of(*value));
      levels_.columns = std::max(levels_.columns, columns_of(*value));
    }
    if (dims().size() > last_dims())
      levels_.batch_dims.assign(dims().begin(), dims().end() - static_cast<std::ptrdiff_t>(last_dims()));
    return true;
  }
  // Dimensions of rows and columns.
  size_t last_dims() const { return together_ > 1 ? 3 : 2; }
  int64_t rows_of(const Instruction& value) const {
    const std::vector<int64_t>& dims = value.shape.dims;
    return dims.size() >= last_dims() ? dims[dims.size() - last_dims()] : 1;
  }
  int64_t columns_of(const Instruction& value) const {
    const std::vector<int64_t>& dims = value.shape.dims;
    return together_ > 1 ? dims[dims.size() - 2] * together_ : dims.back();
  }

  // How many levels are computed one after the other before a value can be, itself included.
  std::map<const Instruction*, int64_t> depths() const {
    std::map<const Instruction*, int64_t> depth;
    for (const Instruction& value : computation_.instructions()) {
      int64_t deepest = 0;
      for (const Instruction* operand : value.operands()) deepest = std::max(deepest, depth.at(operand));
      depth[&value] = deepest + (kept_.count(&value) > 0 ? 1 : 0);
    }
    return depth;
  }

  void add_passes() {
    const std::map<const Instruction*, int64_t> depth = depths();
    const int64_t last = static_cast<int64_t>(kept_.size()) + 1;
    std::map<std::tuple<int64_t, int64_t, int64_t>, size_t> passes;
    // In the order of the text, levels first.
    std::vector<std::pair<const Instruction*, int64_t>> values;
    for (const Instruction& value : computation_.instructions()) {
      if (kept_.count(&value) > 0) values.emplace_back(&value, depth.at(&value));
    }
    for (const Instruction* value : results_) {
      const auto is_one = [&](const auto& known) { return known.first == value; };
      if (std::ranges::none_of(values, is_one)) values.emplace_back(value, last);
    }
    for (const auto& [value, at] : values) passes[{at, rows_of(*value), columns_of(*value)}] = 0;
    for (auto& [key, number] : passes) {
      number = levels_.passes.size();
      LevelPass& pass = levels_.passes.emplace_back();
      pass.rows = std::get<1>(key);
      pass.columns = std::get<2>(key);
    }
    for (const auto& [value, at] : values) {
      const size_t number = passes.at({at, rows_of(*value), columns_of(*value)});
      levels_.passes[number].values.push_back(value);
      if (kept_.count(value) > 0) levels_.levels.push_back({value, number});
    }
  }

  // What computes a pass, of coordinates in these ranges.
  std::optional<LevelGraph> demand(const LevelPass& pass, IndexRange rows, IndexRange columns) const {
    LevelGraph result;
    result.context = std::make_unique<DemandContext>();
    result.context->level = &computation_;
    for (const Instruction& value : computation_.instructions()) {
      const bool is_own = std::ranges::find(pass.values, &value) != pass.values.end();
      if (value.opcode != Opcode::kParameter && (is_own || kept_.count(&value) == 0))
        result.context->computed.insert(&value);
    }
    result.graph = std::make_unique<DemandGraph>(*result.context);
    DemandGraph& graph = *result.graph;
    graph.node_limit = kMostNodes;
    result.batch = graph.add_coordinate(levels_.batches(), CoordinateRole::kBatch);
    result.row = graph.add_coordinate(pass.rows, CoordinateRole::kRow);
    result.column = graph.add_coordinate(pass.columns, CoordinateRole::kColumn);
    std::vector<IndexExpr> index;
    if (!levels_.batch_dims.empty()) index = delinearize(graph.coordinate(result.batch), levels_.batch_dims);
    if (dims().size() > 1) index.push_back(within(result.row, pass.rows, rows));
    const IndexExpr column = within(result.column, pass.columns, columns);
    if (together_ > 1) index.push_back(column.floor_div(together_));
    index.push_back(together_ > 1 ? column.floor_mod(together_) : column);
    for (const Instruction* value : pass.values) {
      const NodeId node = graph.demand(value, index);
      if (graph.failure) return std::nullopt;
      graph.results.push_back(node);
    }
    std::optional<DemandGraph::Failure> failure;
    if (!finish_operands(graph, &failure)) return std::nullopt;
    return read_taps(&result, pass, rows, columns) ? std::optional(std::move(result)) : std::nullopt;
  }
  static IndexExpr within(int coordinate, int64_t extent, IndexRange range) {
    return extent == 1 ? IndexExpr(0) : IndexExpr::coordinate(coordinate, range);
  }

  // What is left of an offset without the batch's matrix; nullopt: it is of other matrices.
  std::optional<IndexExpr> in_matrix(const LevelGraph& of, const IndexExpr& offset, const Instruction& level) const {
    if (levels_.batches() == 1) return offset;
    const IndexExpr rest = offset - of.graph->coordinate(of.batch) * (rows_of(level) * columns_of(level));
    return rest.reads_coordinate(of.batch) ? std::nullopt : std::optional(rest);
  }

  bool read_taps(LevelGraph* of, const LevelPass& pass, IndexRange rows, IndexRange columns) const {
    DemandGraph& graph = *of->graph;
    const std::vector<bool> needed = needed_nodes(graph);
    const ReachedNodes by_row(graph, of->row, pass.rows == 1 ? IndexRange{0, 0} : rows, 1),
        by_column(graph, of->column, pass.columns == 1 ? IndexRange{0, 0} : columns, together_);
    for (size_t id = 0; id < graph.nodes.size(); ++id) {
      const DemandNode& node = graph.nodes[id];
      if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
      const std::optional<size_t> level = levels_.level_of(node.instruction);
      if (!level) {
        if (node.instruction->opcode != Opcode::kParameter) return false;
        if (node.instruction->shape.element_count() > INT32_MAX) return false;
        continue;
      }
      if (!read_tap(of, by_row, by_column, static_cast<NodeId>(id), *level)) return false;
    }
    for (const LevelGraph::Tap& tap : of->taps) {
      graph.nodes[tap.node].kind = DemandNode::Kind::kParameter;
      graph.nodes[tap.node].expr = {};
    }
    graph.set_scopes();
    return true;
  }

  // An offset of a matrix as a row and a column: of the ways to take it apart that one is right of which all places are
  // elements.
  bool read_tap(LevelGraph* of, const ReachedNodes& by_row, const ReachedNodes& by_column, NodeId id,
                size_t level) const {
    const Instruction& value = *levels_.levels[level].value;
    const int64_t rows = rows_of(value), columns = columns_of(value);
    const std::optional<IndexExpr> offset = in_matrix(*of, of->graph->nodes[id].expr, value);
    if (!offset) return false;
    IndexExpr of_row, of_column;
    for (const IndexExpr::Term& term : offset->terms()) {
      const IndexExpr one = single(term);
      const std::set<int> leaves = leaves_of(*of->graph, one);
      const bool is_value = term.atom->kind == IndexExpr::AtomKind::kValue;
      // What is the same for all is a row if it is a multiple of rows.
      const bool is_row = leaves.empty() ? term.coefficient % columns == 0 : *leaves.begin() == of->row;
      const int coordinate = is_row ? of->row : of->column;
      if (leaves.size() > 1 || (!leaves.empty() && *leaves.begin() != coordinate)) return false;
      const int64_t together = is_row ? 1 : together_;
      if (is_value ? !is_chosen_along(*of->graph, term.atom->id, coordinate, together)
                   : !is_along(one, coordinate, together))
        return false;
      if (!is_row) {
        of_column = of_column + one;
        continue;
      }
      if (term.coefficient % columns != 0) return false;
      IndexExpr::Term in_rows = term;
      in_rows.coefficient /= columns;
      of_row = of_row + single(in_rows);
    }
    const int64_t constant = offset->constant();
    const int64_t near = constant >= 0 ? constant / columns : -ceil_div(-constant, columns);
    // A value may have a constant of its own, of whole rows more.
    for (const int64_t apart : {0, 1, -1, 2, -2}) {
      const int64_t down = near + apart;
      const IndexExpr row = of_row + down, column = of_column + (constant - down * columns);
      const Distances far_rows = by_row.of(id, row, rows), far_columns = by_column.of(id, column, columns);
      if (!far_rows.any() || !far_columns.any()) return true;  // nowhere read
      if (far_rows.outside || far_columns.outside) continue;
      of->taps.push_back({id, level, level_index(row, of->row), level_index(column, of->column)});
      return true;
    }
    return false;
  }
  static LevelIndex level_index(const IndexExpr& expr, int coordinate) {
    const std::optional<LevelIndex> index = along(expr, coordinate);
    return index && std::abs(index->factor) <= 1 ? *index : LevelIndex{LevelIndex::kChosen, 0, expr};
  }

  // From the results, whose tiles are as they are, backwards: what of each level is read.
  bool find_reach() {
    std::vector<bool> known(levels_.passes.size(), false);
    for (size_t p = levels_.passes.size(); p-- > 0;) {
      LevelPass& pass = levels_.passes[p];
      for (const Instruction* value : pass.values) {
        if (std::ranges::find(results_, value) != results_.end()) widen(&known, p, {0, 0}, {0, 0});
      }
      if (!known[p]) return false;
      const LevelGraph& elements = pass.elements;
      const ReachedNodes by_row(*elements.graph, elements.row, {0, pass.rows - 1}, 1),
          by_column(*elements.graph, elements.column, {0, pass.columns - 1}, together_);
      for (const LevelGraph::Tap& tap : elements.taps) {
        const Levels::Level& level = levels_.levels[tap.level];
        if (level.pass >= p) return false;
        const Distances rows = by_row.of(tap.node, tap.row.expr, rows_of(*level.value)),
                        columns = by_column.of(tap.node, tap.column.expr, columns_of(*level.value));
        const auto far = [](const LevelReach& reach, const Distances& distances) {
          return LevelReach{reach.before - distances.least, reach.after + distances.most};
        };
        widen(&known, level.pass, far(pass.row_reach, rows), far(pass.column_reach, columns));
      }
    }
    return std::ranges::all_of(levels_.passes, [](const LevelPass& pass) {
      return std::max({std::abs(pass.row_reach.before), std::abs(pass.row_reach.after),
                       std::abs(pass.column_reach.before), std::abs(pass.column_reach.after)}) <= kMostReach;
    });
  }
  void widen(std::vector<bool>* known, size_t number, LevelReach rows, LevelReach columns) {
    LevelPass& pass = levels_.passes[number];
    const auto join = [&](LevelReach* reach, const LevelReach& more) {
      *reach = (*known)[number] ? LevelReach{std::max(reach->before, more.before), std::max(reach->after, more.after)}
                                : more;
    };
    join(&pass.row_reach, rows);
    join(&pass.column_reach, columns);
    (*known)[number] = true;
  }

  void find_waits() {
    size_t done = 0;  // passes that all threads have finished
    for (size_t p = 0; p < levels_.passes.size(); ++p) {
      LevelPass& pass = levels_.passes[p];
      pass.waits = std::ranges::any_of(
          pass.elements.taps, [&](const LevelGraph::Tap& tap) { return levels_.levels[tap.level].pass >= done; });
      if (pass.waits) done = p;
    }
  }

  void add_inside() {
    int64_t row_margin = 0, column_margin = 0;
    for (const LevelPass& pass : levels_.passes) {
      const LevelGraph& elements = pass.elements;
      const ReachedNodes by_row(*elements.graph, elements.row, {0, pass.rows - 1}, 1),
          by_column(*elements.graph, elements.column, {0, pass.columns - 1}, together_);
      // How far a tile has to be from both ends of `least` elements, for what a pass of `extent` computes around it to
      // be elements, all on one side of each test.
      const auto margin = [](const ReachedNodes& reached, const LevelReach& reach, int64_t least, int64_t extent) {
        int64_t most = std::max<int64_t>({reach.before, least + reach.after - extent, 0});
        for (const int64_t turn : reached.turns())
          most = std::max(most, std::min(turn + reach.before, least + reach.after - turn));
        return most;
      };
      if (pass.rows > 1)
        row_margin = std::max(row_margin, margin(by_row, pass.row_reach, levels_.least_rows, pass.rows));
      if (pass.columns > 1)
        column_margin =
            std::max(column_margin, margin(by_column, pass.column_reach, levels_.least_columns, pass.columns));
    }
    if (row_margin > 2 * kMostReach || column_margin > 2 * kMostReach) return;
    if (levels_.least_rows > 1 && 2 * row_margin >= levels_.least_rows) return;
    if (2 * column_margin >= levels_.least_columns) return;
    if (levels_.least_rows == 1) row_margin = 0;
    for (LevelPass& pass : levels_.passes) {
      const auto range = [](int64_t extent, int64_t margin, const LevelReach& reach) {
        return IndexRange{margin - reach.before, extent - 1 - margin + reach.after};
      };
      std::optional<LevelGraph> graph = demand(pass, range(levels_.least_rows, row_margin, pass.row_reach),
                                               range(levels_.least_columns, column_margin, pass.column_reach));
      if (!graph) return drop_inside();
      pass.inside = std::move(graph);
    }
    levels_.row_margin = row_margin;
    levels_.column_margin = column_margin;
    for (LevelPass& pass : levels_.passes) {
      // Vectors are stored whole.
      const bool stores = std::ranges::any_of(
          pass.values, [&](const Instruction* value) { return std::ranges::find(results_, value) != results_.end(); });
      if (stores && (pass.columns % kWideColumns != 0 || pass.column_reach != LevelReach())) continue;
      pass.wide = wide_reads(pass, levels_);
      pass.packed = is_packed(pass);
    }
  }
  void drop_inside() {
    for (LevelPass& pass : levels_.passes) pass.inside.reset();
  }

  const Computation& computation_;
  const std::set<const Instruction*>& kept_;
  const std::vector<const Instruction*> results_;
  const int64_t together_;
  Levels levels_;
};

}  // namespace

std::optional<Levels> find_levels(const Computation& computation, const std::set<const Instruction*>& kept,
                                  bool inside) {
  // Of an image, channels may be last: few of them are no row of their own.
  const Shape& shape = results_of(computation)[0]->shape;
  const int64_t last = shape.is_array() && shape.rank() > 0 ? shape.dims.back() : 1;
  std::vector<int64_t> ways = {1};
  if (shape.is_array() && shape.rank() > 2 && last > 1 && last <= kMostTogether)
    ways.insert(last < kWarp ? ways.begin() : ways.end(), last);
  for (const int64_t together : ways) {
    if (std::optional<Levels> levels = LevelFinder(computation, kept, together).find(inside)) return levels;
  }
  return std::nullopt;
}

}  // namespace sinter
