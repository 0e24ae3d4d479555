#include "passes/stages/products/tile_copy.h"

#include <algorithm>

namespace sinter {

namespace {

bool is_zero(const DemandNode& node) {
  return node.kind == DemandNode::Kind::kConstant && node.literal.same_value(Literal(Shape::scalar(node.dtype)));
}

// With the places of a window in place of the nodes that stand for them.
IndexExpr of_coordinates(const DemandGraph& graph, const IndexExpr& expr) {
  return expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
    if (atom.kind != IndexExpr::AtomKind::kValue) return std::nullopt;
    const DemandNode& node = graph.nodes[static_cast<size_t>(atom.id)];
    return node.kind == DemandNode::Kind::kPosition ? std::optional(node.expr) : std::nullopt;
  });
}

// The load that an operand is, behind tests that give zero where they fail.
std::optional<TileCopy> guarded_load(const DemandGraph& graph, DType dtype) {
  TileCopy copy;
  NodeId id = graph.results[0];
  while (graph.nodes[id].kind == DemandNode::Kind::kChoose) {
    const DemandNode& node = graph.nodes[id];
    if (!is_zero(graph.nodes[node.operands[1]])) return std::nullopt;
    copy.tests.push_back({of_coordinates(graph, node.expr), node.low, node.high});
    id = node.operands[0];
  }
  const DemandNode& load = graph.nodes[id];
  if (load.kind != DemandNode::Kind::kLoad || load.dtype != dtype) return std::nullopt;
  copy.array = load.instruction;
  copy.from = of_coordinates(graph, load.expr);
  const llvm::ArrayRef<IndexExpr::Term> terms = copy.from.terms();
  copy.strided = copy.tests.empty() && std::all_of(terms.begin(), terms.end(), [](const IndexExpr::Term& term) {
                   return term.atom->kind == IndexExpr::AtomKind::kCoordinate;
                 });
  return copy;
}

// A coordinate as so many elements times the number of its group, and the place in the group.
class Groups {
 public:
  Groups(const DemandGraph& graph, int coordinate, int64_t elements)
      : coordinate_(coordinate),
        elements_(elements),
        groups_(graph.coordinates[static_cast<size_t>(coordinate)].extent / elements),
        group_(static_cast<int>(graph.coordinates.size())),
        place_(group_ + 1) {}

  IndexExpr split(const IndexExpr& expr) const {
    return expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
      if (atom.kind != IndexExpr::AtomKind::kCoordinate || atom.id != coordinate_) return std::nullopt;
      return IndexExpr::coordinate(group_, {0, groups_ - 1}) * elements_ + place();
    });
  }
  IndexExpr place() const { return IndexExpr::coordinate(place_, {0, elements_ - 1}); }
  // Of coordinates alone, and the same throughout a group.
  bool is_uniform(const IndexExpr& expr) const {
    bool uniform = true;
    expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      uniform &= atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id != place_;
    });
    return uniform;
  }
  bool is_aligned(const IndexExpr& expr) const {
    return expr.constant() % elements_ == 0 &&
           std::all_of(expr.terms().begin(), expr.terms().end(),
                       [&](const IndexExpr::Term& term) { return term.coefficient % elements_ == 0; });
  }

 private:
  int coordinate_;
  int64_t elements_, groups_;
  int group_, place_;
};

// Whether an index can be computed by any thread, before what an operand is made of.
bool is_of_coordinates(const IndexExpr& expr) {
  bool all = true;
  expr.visit_leaves([&](const IndexExpr::Atom& atom) { all &= atom.kind == IndexExpr::AtomKind::kCoordinate; });
  return all;
}

bool copies_along(const DemandGraph& graph, const TileCopy& copy, int coordinate, int64_t elements) {
  if (elements == 1) {
    return is_of_coordinates(copy.from) &&
           std::all_of(copy.tests.begin(), copy.tests.end(),
                       [](const DemandTest& test) { return is_of_coordinates(test.expr); });
  }
  if (graph.coordinates[static_cast<size_t>(coordinate)].extent % elements != 0) return false;
  const Groups groups(graph, coordinate, elements);
  const IndexExpr first = groups.split(copy.from) - groups.place();
  return groups.is_uniform(first) && groups.is_aligned(first) &&
         std::all_of(copy.tests.begin(), copy.tests.end(),
                     [&](const DemandTest& test) { return groups.is_uniform(groups.split(test.expr)); });
}

const ContractOperand& copied_operand(const ContractDemand& demand, const TensorCoreForm& form, size_t side) {
  const ContractOperand* below_mask = value_below_mask(demand, form, side);
  return below_mask != nullptr ? *below_mask : demand.operands[side];
}

}  // namespace

std::optional<TileCopy> tile_copy(const ContractDemand& demand, const TensorCoreForm& form, size_t side) {
  std::optional<TileCopy> copy = tile_copy(copied_operand(demand, form, side), demand.dot->operand(0)->shape.dtype);
  if (copy && !copy->along_k && form.reads_along_k(side)) copy->elements = 1;
  return copy;
}

bool lies_along_k(const ContractDemand& demand, const TensorCoreForm& form, size_t side) {
  if (form.reads_along_k(side)) return true;
  const std::optional<TileCopy> copy = tile_copy(demand, form, side);
  return copy ? copy->along_k : copied_operand(demand, form, side).k_contiguous;
}

bool can_be_read(const ContractDemand& demand, const TensorCoreForm& form, int64_t threads) {
  constexpr int64_t kAllParts = 32;  // the fewest columns that runs of all parts take
  if (demand.parts.count > 1 && form.n < kAllParts) return false;
  if (!form.has_registers()) return true;
  const size_t side = 1 - form.register_side();
  const std::optional<TileCopy> copy = tile_copy(demand, form, side);
  if (!copy) return copied_operand(demand, form, side).k_contiguous;
  // A thread has one row, or column, of a tile: others of the same warp its neighbours in memory.
  return copy->along_k || (form.element_bytes() == 4 && form.of_instruction() <= threads);
}

bool can_copy(const ContractDemand& demand, const TensorCoreForm& form, int64_t threads) {
  if (std::max({form.m, form.n, form.k}) <= threads) return true;
  for (const size_t side : {0, 1}) {
    const std::optional<TileCopy> copy = tile_copy(demand, form, side);
    const int64_t row = lies_along_k(demand, form, side) ? form.k : side == 0 ? form.m : form.n;
    if (row > threads * (copy ? copy->elements : form.chunk())) return false;
  }
  return true;
}

bool are_neighbours(const DemandGraph& graph, const IndexExpr& from, int coordinate, int64_t elements) {
  TileCopy copy;
  copy.from = of_coordinates(graph, from);
  return copies_along(graph, copy, coordinate, elements);
}

std::optional<TileCopy> tile_copy(const ContractOperand& operand, DType dtype) {
  const DemandGraph& graph = *operand.graph;
  std::optional<TileCopy> copy = guarded_load(graph, dtype);
  if (!copy) return std::nullopt;
  for (const int64_t bytes : {16, 8, 4}) {
    copy->elements = bytes / dtype_bytes(dtype);
    if (copy->elements == 0) break;
    for (const bool along_k : {true, false}) {
      if (copy->elements == 1 && along_k != operand.k_contiguous) continue;
      copy->along_k = along_k;
      if (copies_along(graph, *copy, along_k ? operand.k : operand.outer, copy->elements)) return copy;
    }
  }
  return std::nullopt;
}

}  // namespace sinter
