// A step of a stencil on a tile: what threads read of each other, then the next value of each element; of numbers that
// are part of the state, once.
#include "passes/lower/stages/own/stencil_lowering.h"

#include <algorithm>

#include "ir/ops/op_table.h"
#include "passes/demand/nodes_below.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/names/value_names.h"

namespace sinter {

void StencilLowering::find_inner_tiles(Block* block) {
  const Expr* all = nullptr;
  const auto test = [&](int64_t margin, const Variable* first, const char* tile, const char* extent) {
    if (margin == 0) return;
    const Expr* end = kernel_.infix(ref(first), "+", name(tile), kInteger);
    const Expr* after = margin == 1 ? less(end, "<", name(extent)) : less(end, "<=", plus(name(extent), -margin));
    all = w_.both(w_.both(all, less(ref(first), ">=", kernel_.integer(margin))), after);
  };
  if (has_rows()) test(stencil_.inside->row_margin, tile_row_, "kTileRows", "kRows");
  test(stencil_.inside->column_margin, tile_column_, "kTileColumns", "kColumns");
  is_inside_ = w_.let("is_inside", kPred, all, block);
}

const Expr* StencilLowering::shared_rows(size_t k) {
  const Expr* both = kernel_.member(ref(shared_), arrays_[k].name, kVoid);
  return kernel_.subscript(both, kernel_.infix(ref(step_), "%", kernel_.integer(2), kInteger), kVoid);
}

void StencilLowering::exchange(Block* block) {
  bool any = false;
  for (size_t k = 0; k < arrays_.size(); ++k) {
    if (!shares(stencil_.states[k])) continue;
    block->push_back(call("share_rows", {ref(arrays_[k].cells), shared_rows(k)}));
    any = true;
  }
  if (any) block->push_back(w_.barrier());
  for (size_t k = 0; k < arrays_.size(); ++k) {
    const Stencil::State& state = stencil_.states[k];
    if (state.rows_around > 0) block->push_back(call("take_rows", {ref(arrays_[k].cells), shared_rows(k)}));
    if (state.columns_around > 0)
      block->push_back(call(state.diagonal ? "take_columns<true>" : "take_columns<false>", {ref(arrays_[k].cells)}));
  }
  if (is_mirrored()) mirror(block);
}

void StencilLowering::mirror(Block* block) {
  const Expr* beyond = nullptr;
  const auto test = [&](const StencilAxis& axis, const Variable* first, const char* tile, const char* extent) {
    if (!sinter::is_mirrored(axis.border)) return;
    const Expr* before = less(ref(first), "<=", kernel_.integer(0));
    const Expr* after = less(kernel_.infix(ref(first), "+", name(tile), kInteger), ">=", name(extent));
    const Expr* either = kernel_.infix(before, "||", after, kPred);
    beyond = beyond == nullptr ? either : kernel_.infix(beyond, "||", either, kPred);
  };
  if (has_rows()) test(stencil_.rows, tile_row_, "kTileRows", "kRows");
  test(stencil_.columns, tile_column_, "kTileColumns", "kColumns");
  const auto mirrored = [&](const StencilAxis& axis, const std::string& place, const std::string& extent) {
    std::string function;
    if (axis.border == Border::kEdge) function = "clamped_index";
    if (axis.border == Border::kReflect) function = "reflected_index";
    if (axis.border == Border::kSymmetric) function = "symmetric_index";
    const std::string value = function.empty() ? place : function + "(" + place + ", " + extent + ")";
    return kernel_.name_expr("[](int " + place + ") { return " + value + "; }");
  };
  Statement test_beyond = {.kind = Kind::kIf, .value = beyond};
  for (size_t k = 0; k < arrays_.size(); ++k) {
    if (!looks_around(stencil_.states[k])) continue;
    test_beyond.body.push_back(call(
        "mirror_cells",
        {ref(arrays_[k].cells), shared_rows(k), has_rows() ? ref(tile_row_) : kernel_.integer(0), ref(tile_column_),
         mirrored(stencil_.rows, "row", "kRows"), mirrored(stencil_.columns, "column", "kColumns")}));
  }
  block->push_back(std::move(test_beyond));
}

void StencilLowering::compute(Block* block) {
  block->push_back(blank());
  std::vector<Variable*> next;
  for (size_t k = 0; k < arrays_.size(); ++k) {
    next.push_back(
        kernel_.variable("next_" + arrays_[k].name, CType::named(cells_type(stencil_.states[k], /*alone=*/true))));
    block->push_back({.kind = Kind::kDeclare, .variable = next.back()});
  }
  const std::vector<const Expr*> next_numbers = next_of_numbers(block);
  if (is_inside_ != nullptr) {
    Statement either = {.kind = Kind::kIf, .value = ref(is_inside_)};
    make_step(*stencil_.inside, /*inside=*/true, next, &either.body);
    make_step(stencil_, /*inside=*/false, next, &either.other);
    block->push_back(std::move(either));
  } else {
    make_step(stencil_, /*inside=*/false, next, block);
  }
  for (size_t k = 0; k < arrays_.size(); ++k)
    block->push_back(call("set_cells", {ref(arrays_[k].cells), ref(next[k])}));
  for (size_t n = 0; n < numbers_.size(); ++n) block->push_back(w_.assign(ref(numbers_[n].cells), next_numbers[n]));
}

void StencilLowering::spell_numbers(const Stencil& stencil, Expressions* expressions) {
  for (size_t n = 0; n < numbers_.size(); ++n) {
    for (const NodeId read : stencil.numbers[n].reads) expressions->members[read] = ref(numbers_[n].cells);
  }
}

std::vector<const Expr*> StencilLowering::next_of_numbers(Block* block) {
  std::vector<const Expr*> next;
  if (numbers_.empty()) return next;
  DemandGraph& graph = *stencil_.graph;
  std::vector<NodeId> results;
  for (const Stencil::Number& number : stencil_.numbers) results.push_back(number.next);
  std::swap(graph.results, results);
  Expressions expressions = w_.expressions_of(graph, {});
  spell_step(graph, &expressions);
  spell_numbers(stencil_, &expressions);
  const std::vector<const Expr*> values = w_.results_of(graph, expressions, block);
  std::swap(graph.results, results);
  for (size_t n = 0; n < numbers_.size(); ++n)
    next.push_back(ref(w_.let("next_" + numbers_[n].name, numbers_[n].cells->type, values[n], block)));
  return next;
}

void StencilLowering::make_step(const Stencil& stencil, bool inside, const std::vector<Variable*>& next, Block* block) {
  compute_common(stencil, block);
  for_rows(block, [&](const Expr* r, Block* inner) {
    for_columns(inner, [&](const Expr* c, Block* innermost) {
      Block text;
      const Expr* row = kernel_.integer(0);
      const bool row_inside = inside && stencil.row_margin > 0, column_inside = inside && stencil.column_margin > 0;
      if (has_rows()) row = ref(w_.let("row", kInteger, row_inside ? add(ref(first_row_), r) : row_in_array(r), &text));
      const Expr* column =
          ref(w_.let("column", kInteger, column_inside ? add(ref(first_column_), c) : column_in_array(c), &text));
      const std::vector<const Expr*> values = values_at(stencil, {row, column}, {r, c}, &text);
      for (size_t k = 0; k < arrays_.size(); ++k)
        text.push_back(w_.assign(cell(next[k], r, c, stencil_.states[k].dtype), values[k]));
      drop_unread_indices(&text, text);
      innermost->insert(innermost->end(), text.begin(), text.end());
    });
  });
}

void StencilLowering::compute_common(const Stencil& stencil, Block* block) {
  DemandGraph& graph = *stencil.graph;
  const std::vector<bool> needed = needed_nodes(graph);
  const std::vector<bool> is_common = made_of_such(graph, [&](NodeId id) { return may_be_common(stencil, id); });
  std::vector<NodeId> common;
  for (size_t id = 0; id < needed.size(); ++id) {
    if (!needed[id] || is_common[id]) continue;
    for (const NodeId operand : graph.nodes[id].operands) {
      const bool is_new = std::ranges::find(common, operand) == common.end();
      if (is_new && is_common[operand] && is_dear(graph, operand)) common.push_back(operand);
    }
  }
  if (common.empty()) return;
  for (const NodeId node : nodes_below(graph, common)) graph.nodes[node].guard = 0;
  std::swap(graph.results, common);
  graph.set_scopes();
  Expressions expressions = w_.expressions_of(graph, {});
  spell_step(graph, &expressions);
  spell_numbers(stencil, &expressions);
  const std::vector<const Expr*> values = w_.results_of(graph, expressions, block);
  std::swap(graph.results, common);
  for (size_t i = 0; i < common.size(); ++i) {
    DemandNode& node = graph.nodes[common[i]];
    const Expr* value = values[i];
    if (value->kind != Expr::Kind::kVariable)
      value = ref(w_.let(value_name(*node.instruction), value->type, value, block));
    common_[{&stencil, common[i]}] = value;
    node.kind = DemandNode::Kind::kParameter;
    node.operands.clear();
    node.expr = {};
  }
  graph.set_scopes();
}

bool StencilLowering::may_be_common(const Stencil& stencil, NodeId id) {
  const DemandGraph& graph = *stencil.graph;
  for (const Stencil::Number& number : stencil.numbers) {
    if (std::ranges::find(number.reads, id) != number.reads.end()) return true;
  }
  const DemandNode& node = graph.nodes[id];
  bool common = node.kind == DemandNode::Kind::kCompute || node.kind == DemandNode::Kind::kConstant ||
                node.kind == DemandNode::Kind::kIndex || (node.kind == DemandNode::Kind::kLoad && node.guard == 0);
  node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
    common &= atom.kind == IndexExpr::AtomKind::kValue || graph.coordinates[atom.id].role == CoordinateRole::kHostStep;
  });
  return common;
}

bool StencilLowering::is_dear(const DemandGraph& graph, NodeId id) {
  constexpr int kDear = 8;  // additions
  const auto computes = [&](NodeId one) {
    return graph.nodes[one].kind == DemandNode::Kind::kCompute && graph.nodes[one].instruction != nullptr;
  };
  const std::vector<NodeId> below = nodes_below(graph, {id}, [&](NodeId one) { return !computes(one); });
  return std::ranges::any_of(
      below, [&](NodeId one) { return computes(one) && op_def(graph.nodes[one].instruction->opcode).cost >= kDear; });
}

void StencilLowering::spell_step(const DemandGraph& graph, Expressions* expressions) {
  for (size_t id = 0; id < graph.coordinates.size(); ++id) {
    if (graph.coordinates[id].role == CoordinateRole::kHostStep)
      expressions->coordinates[static_cast<int>(id)] = ref(step_);
  }
}

std::vector<const Expr*> StencilLowering::values_at(const Stencil& stencil, const Place& place, const Place& own,
                                                    Block* text) {
  const DemandGraph& graph = *stencil.graph;
  std::map<int, const Expr*> coordinates = {{stencil.row, place.row}, {stencil.column, place.column}};
  coordinates[stencil.batch] = batch_ != nullptr ? batch_ : kernel_.integer(0);
  Expressions expressions = w_.expressions_of(graph, coordinates);
  spell_step(graph, &expressions);
  spell_numbers(stencil, &expressions);
  for (const auto& [node, value] : common_) {
    if (node.first == &stencil) expressions.members[node.second] = value;
  }
  expressions.along_rows.push_back({stencil.column, stencil_.columns.extent, "kColumns"});
  if (has_rows()) expressions.along_rows.push_back({stencil.row, stencil_.rows.extent, "kRows"});
  // An element that tests choose has a name.
  const bool names =
      std::ranges::any_of(graph.nodes, [](const DemandNode& node) { return node.kind == DemandNode::Kind::kChoose; });
  std::map<size_t, Variable*> here;
  for (const Stencil::Tap& tap : stencil.taps) {
    const DType dtype = stencil_.states[tap.state].dtype;
    const Expr* value = cell(arrays_[tap.state].cells, plus(own.row, tap.down), plus(own.column, tap.right), dtype);
    expressions.members[tap.node] = value;
    if (tap.down != 0 || tap.right != 0 || !names) continue;
    Variable*& variable = here[tap.state];
    if (variable == nullptr) variable = w_.let(arrays_[tap.state].name + "_value", CType::value(dtype), value, text);
    expressions.members.erase(tap.node);
    expressions.variables[tap.node] = variable;
  }
  return w_.results_of(graph, expressions, text);
}

}  // namespace sinter
