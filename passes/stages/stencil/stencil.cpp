#include "passes/stages/stencil/stencil.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "passes/analysis/loops/while_carries.h"
#include "passes/demand/nodes_below.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/stages/own/own_stage.h"
#include "passes/stages/stencil/axis_index.h"

namespace sinter {

int64_t Stencil::batches() const {
  return std::accumulate(batch_dims.begin(), batch_dims.end(), int64_t{1}, std::multiplies<>());
}

namespace {

constexpr int64_t kMostRadius = 2;

// What steps read beyond the border, by place.
using Beyond = std::map<int64_t, int64_t>;

int64_t place_in(Border border, int64_t place, int64_t extent) {
  const bool before = place < 0;
  switch (border) {
    case Border::kAround:
      return before ? place + extent : place - extent;
    case Border::kEdge:
      return before ? 0 : extent - 1;
    case Border::kReflect:
      return before ? -place : 2 * (extent - 1) - place;
    case Border::kSymmetric:
      return before ? -place - 1 : 2 * extent - 1 - place;
    default:
      return place;
  }
}

std::optional<Border> border_of(const Beyond& beyond, int64_t extent) {
  if (beyond.empty()) return Border::kNone;
  for (const Border border : {Border::kAround, Border::kEdge, Border::kReflect, Border::kSymmetric}) {
    const auto agrees = [&](const auto& read) { return place_in(border, read.first, extent) == read.second; };
    if (std::ranges::all_of(beyond, agrees)) return border;
  }
  return std::nullopt;
}

class StencilFinder {
 public:
  // Of elements that are at least so many rows and columns from the borders.
  StencilFinder(const Instruction& loop, const StepCounters& counters, int64_t trip, int64_t row_margin = 0,
                int64_t column_margin = 0)
      : body_(**loop.attributes->body), counters_(counters), trip_(trip) {
    result_.row_margin = row_margin;
    result_.column_margin = column_margin;
  }

  std::optional<Stencil> find() {
    if (!find_states() || !demand() || !read_taps()) return std::nullopt;
    const std::optional<Border> rows = border_of(beyond_rows_, result_.rows.extent),
                                columns = border_of(beyond_columns_, result_.columns.extent);
    if (!rows || !columns) return std::nullopt;
    result_.rows.border = *rows;
    result_.columns.border = *columns;
    if (result_.rows.radius + result_.columns.radius == 0) return std::nullopt;
    return std::move(result_);
  }

 private:
  bool find_states() {
    const Instruction* root = body_.root();
    if (root->opcode != Opcode::kTuple) return false;
    for (size_t carry = 0; carry < root->operands().size(); ++carry) {
      const std::optional<size_t> read = carry_read(*root->operand(carry));
      if (counters_.count(carry) > 0 || read == carry) continue;
      const Shape& shape = root->operand(carry)->shape;
      if (shape.is_scalar()) {
        number_of_[carry] = result_.numbers.size();
        result_.numbers.push_back({.carry = carry, .dtype = shape.dtype});
        continue;
      }
      if (!shape.is_array() || shape.rank() == 0 || dtype_bits(shape.dtype) < 8 * (shape.dtype != DType::kPred))
        return false;
      const Shape& first = root->operand(result_.states.empty() ? carry : result_.states[0].carry)->shape;
      if (shape.dims != first.dims) return false;
      state_of_[carry] = result_.states.size();
      result_.states.push_back({carry, shape.dtype});
    }
    if (result_.states.empty()) return false;
    std::vector<int64_t> dims = root->operand(result_.states[0].carry)->shape.dims;
    if (std::ranges::any_of(dims, [](int64_t dim) { return dim == 0; })) return false;
    result_.columns.extent = dims.back();
    dims.pop_back();
    if (!dims.empty()) {
      result_.rows.extent = dims.back();
      dims.pop_back();
    }
    result_.batch_dims = dims;
    return result_.batches() * result_.rows.extent * result_.columns.extent <= INT32_MAX;
  }

  bool demand() {
    result_.context = std::make_unique<DemandContext>();
    DemandContext& context = *result_.context;
    context.level = &body_;
    context.counter_trip = trip_;
    for (const Instruction& instruction : body_.instructions()) {
      const std::optional<size_t> carry = carry_read(instruction);
      if (instruction.opcode != Opcode::kParameter && !carry) context.computed.insert(&instruction);
      if (!carry) continue;
      const auto counter = counters_.find(*carry);
      if (counter != counters_.end()) context.counters[&instruction] = counter->second;
    }
    result_.graph = std::make_unique<DemandGraph>(context);
    DemandGraph& graph = *result_.graph;
    graph.node_limit = kMostNodes;
    result_.batch = graph.add_coordinate(result_.batches(), CoordinateRole::kBatch);
    result_.row = graph.add_coordinate(result_.rows.extent, CoordinateRole::kRow);
    result_.column = graph.add_coordinate(result_.columns.extent, CoordinateRole::kColumn);
    std::vector<IndexExpr> index;
    const size_t rank = body_.root()->operand(result_.states[0].carry)->shape.dims.size();
    if (!result_.batch_dims.empty()) index = delinearize(graph.coordinate(result_.batch), result_.batch_dims);
    if (rank > 1) index.push_back(within(result_.row, result_.rows.extent, result_.row_margin));
    index.push_back(within(result_.column, result_.columns.extent, result_.column_margin));
    for (const Stencil::State& state : result_.states) {
      const NodeId node = graph.demand(body_.root()->operand(state.carry), index);
      if (graph.failure) return false;
      graph.results.push_back(node);
    }
    for (Stencil::Number& number : result_.numbers) {
      number.next = graph.demand(body_.root()->operand(number.carry), {});
      if (graph.failure) return false;
    }
    std::optional<DemandGraph::Failure> failure;
    return finish_operands(graph, &failure);
  }

  static IndexExpr within(int coordinate, int64_t extent, int64_t margin) {
    return extent == 1 ? IndexExpr(0) : IndexExpr::coordinate(coordinate, {margin, extent - 1 - margin});
  }

  bool read_taps() {
    DemandGraph& graph = *result_.graph;
    // What numbers come to is needed, too, but no element's.
    const std::vector<NodeId> of_elements = graph.results;
    for (const Stencil::Number& number : result_.numbers) graph.results.push_back(number.next);
    const std::vector<bool> needed = needed_nodes(graph);
    graph.results = of_elements;
    for (size_t id = 0; id < graph.nodes.size(); ++id) {
      const DemandNode& node = graph.nodes[id];
      if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
      const std::optional<size_t> carry = carry_read(*node.instruction);
      if (!carry) return false;  // an array that is part of the program
      if (node.instruction->shape.element_count() > INT32_MAX) return false;
      if (const auto number = number_of_.find(*carry); number != number_of_.end()) {
        result_.numbers[number->second].reads.push_back(static_cast<NodeId>(id));
        continue;
      }
      const auto state = state_of_.find(*carry);
      if (state != state_of_.end() && !read_tap(static_cast<NodeId>(id), state->second)) return false;
    }
    // What they are read at is no more computed.
    for (const Stencil::Tap& tap : result_.taps) {
      graph.nodes[tap.node].kind = DemandNode::Kind::kParameter;
      graph.nodes[tap.node].expr = {};
      Stencil::State& state = result_.states[tap.state];
      state.rows_around = std::max(state.rows_around, std::abs(tap.down));
      state.columns_around = std::max(state.columns_around, std::abs(tap.right));
      state.diagonal |= tap.down != 0 && tap.right != 0;
      result_.rows.radius = std::max(result_.rows.radius, state.rows_around);
      result_.columns.radius = std::max(result_.columns.radius, state.columns_around);
    }
    for (const Stencil::Number& number : result_.numbers) {
      for (const NodeId read : number.reads) {
        graph.nodes[read].kind = DemandNode::Kind::kParameter;
        graph.nodes[read].expr = {};
      }
    }
    graph.set_scopes();
    const std::vector<bool> of_numbers = made_of_such(graph, [&](NodeId id) { return is_of_no_element(id); });
    return std::ranges::all_of(result_.numbers, [&](const Stencil::Number& number) { return of_numbers[number.next]; });
  }

  // Whether a node, as far as it is not computed from others, is the same for all elements.
  bool is_of_no_element(NodeId id) const {
    if (std::ranges::any_of(result_.taps, [&](const Stencil::Tap& tap) { return tap.node == id; })) return false;
    bool same = true;
    result_.graph->nodes[id].expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      same &= atom.kind == IndexExpr::AtomKind::kValue ||
              result_.graph->coordinates[atom.id].role == CoordinateRole::kHostStep;
    });
    return same;
  }

  // Takes an offset apart: what of it depends on batch, row and column.
  struct Parts {
    IndexExpr batch, row, column;
  };
  std::optional<Parts> take_apart(const IndexExpr& offset) const {
    Parts parts;
    for (const IndexExpr::Term& term : offset.terms()) {
      const IndexExpr one = single(term);
      const std::set<int> leaves = leaves_of(*result_.graph, one);
      if (leaves.size() > 1) return std::nullopt;
      const int leaf = leaves.empty() ? result_.column : *leaves.begin();
      if (leaf == result_.batch) {
        parts.batch = parts.batch + one;
      } else if (leaf == result_.row) {
        parts.row = parts.row + one;
      } else if (leaf == result_.column) {
        parts.column = parts.column + one;
      } else {
        return std::nullopt;
      }
    }
    return parts;
  }
  bool read_tap(NodeId id, size_t state) {
    const DemandGraph& graph = *result_.graph;
    const int64_t rows = result_.rows.extent, columns = result_.columns.extent;
    const IndexExpr offset = graph.nodes[id].expr;
    const std::optional<Parts> parts = take_apart(offset);
    if (!parts || !(parts->batch == graph.coordinate(result_.batch) * (rows * columns))) return false;
    const AxisIndex row_index(graph, result_.row, rows), column_index(graph, result_.column, columns);
    if (!row_index.is_regular(parts->row) || !column_index.is_regular(parts->column)) return false;
    // In the middle, where an element's neighbours are what they are called.
    const int64_t middle_row = rows / 2, middle_column = columns / 2;
    const std::optional<int64_t> of_row = row_index.at(parts->row, middle_row),
                                 of_column = column_index.at(parts->column, middle_column);
    if (!of_row || !of_column) return false;
    const int64_t apart = *of_row + *of_column + offset.constant() - middle_row * columns - middle_column;
    Stencil::Tap tap = {.node = id, .state = state};
    tap.down = static_cast<int64_t>(std::floor(static_cast<double>(apart) / static_cast<double>(columns) + 0.5));
    tap.right = apart - tap.down * columns;
    if (std::abs(tap.down) > kMostRadius || std::abs(tap.right) > kMostRadius) return false;
    if (rows <= 2 * std::abs(tap.down) || columns <= 2 * std::abs(tap.right)) return false;
    result_.taps.push_back(tap);

    const auto row_at = [&](int64_t place) -> std::optional<int64_t> {
      const std::optional<int64_t> part = row_index.at(parts->row, place);
      if (!part || (*part - *of_row) % columns != 0) return std::nullopt;
      return (*part - *of_row) / columns + middle_row + tap.down;
    };
    const auto column_at = [&](int64_t place) -> std::optional<int64_t> {
      const std::optional<int64_t> part = column_index.at(parts->column, place);
      return part ? std::optional(*part - *of_column + middle_column + tap.right) : std::nullopt;
    };
    // So it is beside the middle, unless it goes another way there, as a flip or one row for all does, which tests
    // may keep from the borders.
    for (const int64_t beside : {-1, 1}) {
      if (has_middle(rows) && row_at(middle_row + beside) != middle_row + beside + tap.down) return false;
      if (has_middle(columns) && column_at(middle_column + beside) != middle_column + beside + tap.right) return false;
    }
    return read_border(id, result_.row, rows, result_.row_margin, tap.down, row_at, &beyond_rows_) &&
           read_border(id, result_.column, columns, result_.column_margin, tap.right, column_at, &beyond_columns_);
  }

  // Whether there are places that are not looked at one by one.
  static bool has_middle(int64_t extent) { return extent > 2 * (2 * kNearBorder + 1); }

  // What a load reads near the border of one dimension, if it is read there. `shift`: in the middle.
  bool read_border(NodeId id, int coordinate, int64_t extent, int64_t margin, int64_t shift,
                   const std::function<std::optional<int64_t>(int64_t)>& read_at, Beyond* beyond) {
    std::set<int64_t> places;
    for (int64_t near = 0; near <= 2 * kNearBorder; ++near) {
      if (near >= margin && near < extent - margin) places.insert({near, extent - 1 - near});
    }
    for (const int64_t place : places) {
      const std::optional<int64_t> read = read_at(place);
      const bool inside = place + shift >= 0 && place + shift < extent;
      if (inside && read == place + shift) continue;
      if (!is_read(id, coordinate, extent, place)) continue;
      if (!read || *read < 0 || *read >= extent || inside) return false;
      if (!beyond->emplace(place + shift, *read).second && beyond->at(place + shift) != *read) return false;
    }
    return true;
  }

  // Whether results need a node where a coordinate is `place`: tests of that coordinate may say that they do not.
  bool is_read(NodeId id, int coordinate, int64_t extent, int64_t place) const {
    const DemandGraph& graph = *result_.graph;
    const AxisIndex index(graph, coordinate, extent);
    std::vector<bool> seen(graph.nodes.size(), false);
    std::vector<NodeId> left = graph.results;
    while (!left.empty()) {
      const NodeId next = left.back();
      left.pop_back();
      if (next == id) return true;
      if (seen[next]) continue;
      seen[next] = true;
      const DemandNode& node = graph.nodes[next];
      if (node.kind == DemandNode::Kind::kChoose) {
        const std::set<int> leaves = leaves_of(graph, node.expr);
        const std::optional<int64_t> tested =
            leaves.size() == 1 && leaves.count(coordinate) > 0 ? index.at(node.expr, place) : std::nullopt;
        if (tested) {
          left.push_back(chosen(node, *tested));
          continue;
        }
      }
      left.insert(left.end(), node.operands.begin(), node.operands.end());
      node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
        if (atom.kind == IndexExpr::AtomKind::kValue) left.push_back(atom.id);
      });
    }
    return false;
  }

  static constexpr int64_t kMostNodes = 600;

  const Computation& body_;
  const StepCounters& counters_;
  const int64_t trip_;
  Stencil result_;
  std::map<size_t, size_t> state_of_, number_of_;  // by carry
  Beyond beyond_rows_, beyond_columns_;
};

}  // namespace

// Tests that a step makes of an element.
static int64_t tests_of(const Stencil& stencil) {
  const std::vector<bool> needed = needed_nodes(*stencil.graph);
  int64_t tests = 0;
  for (size_t id = 0; id < needed.size(); ++id) {
    const DemandNode& node = stencil.graph->nodes[id];
    const bool compares = node.kind == DemandNode::Kind::kCompute && node.instruction != nullptr &&
                          node.instruction->opcode == Opcode::kCompare;
    if (needed[id] && (compares || node.kind == DemandNode::Kind::kChoose)) ++tests;
  }
  return tests;
}

std::optional<Stencil> find_stencil(const Instruction& loop, const StepCounters& counters, int64_t trip) {
  std::optional<Stencil> stencil = StencilFinder(loop, counters, trip).find();
  if (!stencil) return std::nullopt;
  const auto margin_of = [](const StencilAxis& axis) {
    const int64_t margin = std::max<int64_t>(axis.radius, 1);
    return axis.border == Border::kAround || axis.extent <= 2 * margin ? 0 : margin;
  };
  std::optional<Stencil> inside =
      StencilFinder(loop, counters, trip, margin_of(stencil->rows), margin_of(stencil->columns)).find();
  if (inside && tests_of(*inside) < tests_of(*stencil)) stencil->inside = std::make_unique<Stencil>(std::move(*inside));
  return stencil;
}

}  // namespace sinter
