// How the operands of a product on tensor cores come to shared memory: copied, a few elements at a time, or computed
// through registers where they are no arrays as they are.
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/products/tensor_core_writer.h"

#include <algorithm>

#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

}  // namespace

const Expr* TensorCoreWriter::shared_element(size_t side, const Expr* outer, const Expr* k) {
  const Expr* place =
      side == 0 ? kernel_.call("lhs_at", {outer, k}, kInteger) : kernel_.call("rhs_at", {k, outer}, kInteger);
  const CType type = CType::value(dtype_);
  const CType pointer = {.kind = CType::Kind::kPointer, .dtype = dtype_};
  const Expr* element = kernel_.subscript(kernel_.name_expr(side == 0 ? "stage.lhs" : "stage.rhs", type), place, type);
  return kernel_.prefix("&", element, pointer);
}

std::string TensorCoreWriter::chunk(size_t side) const {
  return elements_of_copy(side) == form_.chunk() ? "kChunk" : side == 0 ? "kLhsChunk" : "kRhsChunk";
}

std::string TensorCoreWriter::first_place(size_t side) const {
  const std::string operand = side == 0 ? "lhs" : "rhs", outer = side == 0 ? "lhs_row" : "rhs_column";
  const std::string chunks = side == 0 ? "kLhsChunks" : "kRhsChunks", k = operand + "_k";
  if (turns(side)) {
    const std::string rows = side == 0 ? "kTileM" : "kTileN";
    return "const int " + k + " = thread / " + rows + " * kChunk, " + outer + " = thread % " + rows + ";\n";
  }
  const std::string row = "thread / " + chunks, along = "thread % " + chunks + " * " + chunk(side);
  return text_.along_k[side] ? "const int " + outer + " = " + row + ", " + k + " = " + along + ";\n"
                             : "const int " + k + " = " + row + ", " + outer + " = " + along + ";\n";
}

std::optional<IndexExpr> TensorCoreWriter::fixed_part(const IndexExpr& expr, int k) const {
  IndexExpr fixed;
  bool dear = false;
  for (const IndexExpr::Term& term : expr.terms()) {
    bool moves = false, stays = false;
    const auto visit = [&](const IndexExpr::Atom& atom) { (atom.id == k ? moves : stays) = true; };
    if (term.atom->kind == IndexExpr::AtomKind::kCoordinate) {
      visit(*term.atom);
    } else {
      term.atom->operand.visit_leaves(visit);
    }
    if (moves && stays) return std::nullopt;
    if (moves) continue;
    dear |= term.atom->cost > 0;
    fixed = fixed + of_term(term);
  }
  return dear ? std::optional(fixed) : std::nullopt;
}

IndexExpr TensorCoreWriter::of_term(const IndexExpr::Term& term) {
  const IndexExpr::Atom& atom = *term.atom;
  const IndexExpr value = atom.kind == IndexExpr::AtomKind::kCoordinate ? IndexExpr::coordinate(atom.id, atom.range)
                          : atom.kind == IndexExpr::AtomKind::kFloorDiv ? atom.operand.floor_div(atom.divisor)
                                                                        : atom.operand.floor_mod(atom.divisor);
  return value * term.coefficient;
}

void TensorCoreWriter::find_fixed_parts(size_t side, Block* body) {
  const ContractOperand& operand = this->operand(side);
  from_[side] = copies_[side]->from;
  std::vector<std::pair<IndexExpr*, std::string>> indices = {{&from_[side], side == 0 ? "lhs_from" : "rhs_from"}};
  for (DemandTest& test : copies_[side]->tests)
    indices.emplace_back(&test.expr, side == 0 ? "lhs_position" : "rhs_position");
  const bool along_k = stays_along_k(side);
  const std::string copies = side == 0 ? "kLhsCopies" : "kRhsCopies", chunks = side == 0 ? "kLhsChunks" : "kRhsChunks";
  Statement all = w_.counted_loop("i", "", copies);
  Block* block = along_k ? &all.body : body;
  Variable* outer = nullptr;
  for (const auto& [index, what] : indices) {
    const std::optional<IndexExpr> fixed = fixed_part(*index, operand.k);
    if (!fixed) continue;
    // Of a matrix of one row the batch alone decides.
    const bool has_outer = fixed->reads_coordinate(operand.outer);
    if (fixed_[side].empty()) body->push_back({.kind = StatementKind::kNote, .text = "what does not move with k"});
    if (outer == nullptr && has_outer) {
      const Expr* place = kernel_.name_expr(side == 0 ? "lhs_row" : "rhs_column");
      if (along_k) {
        const Expr* step = kernel_.infix(kernel_.name_expr("kThreads"), "/", kernel_.name_expr(chunks), kInteger);
        place =
            kernel_.infix(place, "+", kernel_.infix(kernel_.reference(all.variable), "*", step, kInteger), kInteger);
      }
      outer =
          w_.let(side == 0 ? "row" : "column", w_.index, w_.infix(kernel_.reference(first_[side]), "+", place), block);
      if (!along_k) {
        fixed_outer_[side] = outer;
        choose_matrix(side, outer, block);
      }
    }
    std::map<int, const Expr*> coordinates;
    if (has_outer) coordinates[operand.outer] = kernel_.reference(outer);
    if (batch_ != nullptr) coordinates[operand.batch] = kernel_.reference(batch_);
    Expressions expressions = w_.expressions_of(*operand.graph, coordinates);
    name_extents_of(side, &expressions);
    const Expr* value = expressions.index(*fixed);
    const int id = static_cast<int>(operand.graph->coordinates.size() + fixed_[side].size());
    Variable* variable = nullptr;
    if (along_k && has_outer) {
      CType array = {
          .kind = CType::Kind::kArray, .dtype = w_.index.dtype, .length = number_of_copies(side), .extent = copies};
      variable = kernel_.variable(what, array);
      body->push_back({.kind = StatementKind::kDeclare, .variable = variable});
      const Expr* element = kernel_.subscript(kernel_.reference(variable), kernel_.reference(all.variable), w_.index);
      block->push_back(w_.assign(element, value));
    } else {
      variable = w_.let(what, w_.index, value, has_outer ? block : body);
    }
    *index = IndexExpr::coordinate(id, fixed->range()) + (*index - *fixed);
    fixed_[side].emplace_back(id, variable);
  }
  if (along_k && outer != nullptr) body->push_back(std::move(all));
}

void TensorCoreWriter::choose_matrix(size_t side, const Variable* column, Block* block) {
  if (side == 0 || !has_matrices()) return;
  Expressions expressions = w_.expressions_of(*demand_.operands[1].graph, {});
  choose_matrices_at(side, column, &expressions, block);
  matrix_ = expressions.buffers.at(copies_[1]->array);
}

void TensorCoreWriter::name_extents_of(size_t side, Expressions* expressions) const {
  name_extents(side, expressions);
  if (skips_ && side == 0) expressions->constants[demand_.segments->length] = "kSegmentK";
}

int64_t TensorCoreWriter::number_of_copies(size_t side) const {
  return (side == 0 ? form_.m : form_.n) * form_.k / elements_of_copy(side) / threads_;
}

Statement TensorCoreWriter::copies(size_t side) {
  const std::string outer_name = side == 0 ? "row" : "column", first = side == 0 ? "lhs_row" : "rhs_column";
  const std::string first_k = side == 0 ? "lhs_k" : "rhs_k", chunks = side == 0 ? "kLhsChunks" : "kRhsChunks";
  const bool along_k = stays_along_k(side);
  Statement all = w_.counted_loop("i", "", side == 0 ? "kLhsCopies" : "kRhsCopies");
  const Expr* step = kernel_.infix(kernel_.name_expr("kThreads"), "/", kernel_.name_expr(chunks), kInteger);
  const Expr* place = kernel_.infix(kernel_.name_expr(along_k ? first : first_k), "+",
                                    kernel_.infix(kernel_.reference(all.variable), "*", step, kInteger), kInteger);
  if (turns(side)) {
    all.body.push_back(
        note("eight lanes have neighbours in memory; others, other elements of the same chunks, so "
             "that what a warp stores lies in all banks"));
    place = kernel_.name_expr(first_k + " + i / kChunk * (kThreads / " + (side == 0 ? "kTileM" : "kTileN") +
                                  " * kChunk) + (i + lane / 8) % kChunk",
                              kInteger);
  }
  const Expr* at = kernel_.reference(w_.let("place", kInteger, place, &all.body));
  const Expr* in_tile[2] = {along_k ? at : kernel_.name_expr(first), along_k ? kernel_.name_expr(first_k) : at};
  const Expr* of_tile[2] = {kernel_.reference(first_[side]),
                            w_.infix(w_.wide(kernel_.name_expr("tile")), "*", name("kTileK"))};
  if (first_k_ != nullptr) of_tile[1] = w_.infix(kernel_.reference(first_k_), "+", of_tile[1]);
  if (tile_k_ != nullptr) of_tile[1] = kernel_.reference(tile_k_);
  const Expr* counts = nullptr;
  if (skips_ && side == 0) counts = kernel_.call("is_in", {kernel_.name_expr("segment", kInteger), in_tile[0]}, kPred);
  if (skips_terms_) counts = kernel_.call("counts", {kernel_.name_expr("k_tile", kInteger), in_tile[1]}, kPred);
  const auto coordinate = [&](const std::string& what, size_t which, const Expr* more, Block* block) {
    const Expr* sum = w_.infix(of_tile[which], "+", in_tile[which]);
    return w_.let(what, w_.index, more == nullptr ? sum : w_.infix(sum, "+", more), block);
  };
  const ContractOperand& operand = this->operand(side);
  if (copies_[side]) {
    const Variable* outer = fixed_outer_[side];
    if (outer == nullptr) outer = coordinate(outer_name, 0, nullptr, &all.body);
    const Variable* k = coordinate("k", 1, nullptr, &all.body);
    Expressions expressions = w_.expressions_of(*operand.graph, coordinates_of(operand, outer, k));
    name_extents_of(side, &expressions);
    if (matrix_ != nullptr && side == 1) {
      expressions.buffers[copies_[1]->array] = matrix_;
    } else {
      choose_matrices_at(side, outer, &expressions, &all.body);
    }
    for (const auto& [id, variable] : fixed_[side]) {
      const Expr* value = kernel_.reference(variable);
      const bool is_array = variable->type.kind == CType::Kind::kArray;
      expressions.coordinates[id] =
          is_array ? kernel_.subscript(value, kernel_.reference(all.variable), w_.index) : value;
    }
    const Variable* pointer = expressions.buffers.at(copies_[side]->array);
    const Expr* from = kernel_.prefix("&", expressions.element(pointer, from_[side], dtype_), pointer->type);
    std::vector<const Expr*> arguments = {shared_element(side, in_tile[0], in_tile[1]), from};
    const Expr* tests = w_.both(inside(side, outer, k), expressions.in_range(copies_[side]->tests));
    if (const Expr* test = w_.both(tests, counts)) arguments.push_back(test);
    const int64_t bytes = elements_of_copy(side) * dtype_bytes(dtype_);
    const std::string copy = bytes == 16 ? "copy_async" : "copy_async<" + std::to_string(bytes) + ">";
    all.body.push_back({.kind = StatementKind::kExpression, .value = kernel_.call(copy, arguments, kVoid)});
    return all;
  }

  // Through registers: what is side by side in several elements at a time.
  const int moving_id = along_k ? operand.k : operand.outer;
  const int64_t width = register_vector(side);
  const Variable* fixed =
      along_k ? coordinate(outer_name, 0, nullptr, &all.body) : coordinate("k", 1, nullptr, &all.body);
  CType vector = {
      .kind = CType::Kind::kVector, .dtype = dtype_, .length = form_.chunk(), .extent = std::string("kChunk")};
  Variable* chunk = kernel_.variable("chunk", vector);
  all.body.push_back({.kind = StatementKind::kDeclare, .variable = chunk, .value = kernel_.braces({}, vector)});
  Statement elements = w_.counted_loop(width > 1 ? "first" : "e", "", "kChunk", width);
  const Expr* e = kernel_.reference(elements.variable);
  const std::string moving_name = (width > 1 ? "first_" : "") + (along_k ? "k" : outer_name);
  const Variable* moving = coordinate(moving_name, along_k ? 1 : 0, e, &elements.body);
  const Variable* outer = along_k ? fixed : moving;
  const Variable* k = along_k ? moving : fixed;
  Expressions expressions = w_.expressions_of(*operand.graph, coordinates_of(operand, outer, k));
  name_extents_of(side, &expressions);
  read_statistics(side, outer, &expressions);
  choose_matrices_at(side, outer, &expressions, along_k ? &all.body : &elements.body);
  Block value;
  const auto add_element = [&](const Expr* place, Block* block) {
    const Expr* result = w_.results_of(*operand.graph, expressions, block)[0];
    block->push_back(w_.assign(kernel_.subscript(kernel_.reference(chunk), place, CType::value(dtype_)), result));
  };
  if (width > 1) {
    for (const DemandNode& node : operand.graph->nodes) {
      if (!is_register_vector(side, node, width)) continue;
      const Variable* pointer = expressions.buffers.at(node.instruction);
      Variable*& values = expressions.vectors[{pointer, node.expr}];
      if (values != nullptr) continue;
      const CType type = {.kind = CType::Kind::kVector, .dtype = node.dtype, .length = width};
      const Expr* address = kernel_.infix(kernel_.reference(pointer), "+", expressions.index(node.expr), pointer->type);
      const std::string function = "load_vector<" + std::to_string(width) + ">";
      values = w_.let(pointer->name + "_values", type, kernel_.call(function, {address}, type), &value);
    }
    Statement lanes = w_.counted_loop("e", "", std::to_string(width));
    lanes.unroll = Statement::kUnrollFully;
    expressions.lane = kernel_.reference(lanes.variable);
    const Expr* at_lane = kernel_.infix(kernel_.reference(moving), "+", expressions.lane, w_.index);
    Block element;
    const Variable* place = w_.let(along_k ? "k" : outer_name, w_.index, at_lane, &element);
    expressions.coordinates[moving_id] = kernel_.reference(place);
    if (!along_k) read_statistics(side, place, &expressions);
    add_element(kernel_.infix(e, "+", expressions.lane, kInteger), &element);
    lanes.body = std::move(element);
    value.push_back(std::move(lanes));
  } else {
    add_element(e, &value);
  }
  if (const Expr* test = w_.both(inside(side, outer, k), counts)) {
    elements.body.push_back({.kind = StatementKind::kIf, .value = test, .body = std::move(value)});
  } else {
    elements.body.insert(elements.body.end(), value.begin(), value.end());
  }
  all.body.push_back(std::move(elements));
  all.body.push_back(w_.call("store_vector", {shared_element(side, in_tile[0], in_tile[1]), kernel_.reference(chunk)}));
  return all;
}

bool TensorCoreWriter::is_register_vector(size_t side, const DemandNode& load, int64_t width) const {
  const ContractOperand& operand = this->operand(side);
  return is_vector_load(*operand.graph, load, text_.along_k[side] ? operand.k : operand.outer, width);
}

int64_t TensorCoreWriter::register_vector(size_t side) const {
  const int64_t terms = skips_ ? demand_.segments->length : extents_.k;
  const int64_t extent = text_.along_k[side] ? terms : side == 0 ? extents_.m : extents_.n;
  // A vector is all inside of the operand or all outside.
  return common_vector(*operand(side).graph, extent, [&](const DemandNode& load, int64_t width) {
    return width <= form_.chunk() && is_register_vector(side, load, width);
  });
}

void TensorCoreWriter::add_copies(Block* body) {
  const std::string operands = copies_[0] && copies_[1] ? "of both operands to shared memory, as one group of copies"
                               : copies_[0] ? "to shared memory: lhs as one group of copies, rhs computed and stored"
                               : copies_[1] ? "to shared memory: rhs as one group of copies, lhs computed and stored"
                                            : "of both operands to shared memory, computed and stored";
  body->push_back(
      {.kind = StatementKind::kComment,
       .text = "one k tile " + operands + (whole_rows() && whole_columns() && whole_k_ ? "" : ", zeros outside")});
  body->push_back(text(first_place(0) + first_place(1)));
  for (const size_t side : {0, 1}) {
    if (copies_[side]) find_fixed_parts(side, body);
  }
  Statement lambda = {.kind = StatementKind::kScope, .text = "const auto copy_tile = [&](int tile)"};
  Statement guard = {.kind = StatementKind::kIf};
  guard.value = kernel_.infix(kernel_.name_expr("tile"), "<", kernel_.name_expr(text_.tiles), kPred);
  lambda.body.push_back(text("Shared::Stage& stage = shared.stage[tile % kStages];\n"));
  if (skips_) {
    guard.body.push_back(text("const int segment = shared.segments[tile / kTilesOfSegment];\n"));
    const Expr* of_segment = w_.infix(w_.wide(kernel_.name_expr("segment")), "*", name("kSegmentK"));
    const Expr* tile_of_segment =
        kernel_.infix(kernel_.name_expr("tile"), "%", kernel_.name_expr("kTilesOfSegment"), kInteger);
    const Expr* in_segment = w_.infix(w_.wide(tile_of_segment), "*", name("kTileK"));
    tile_k_ = w_.let("tile_k", w_.index, w_.infix(of_segment, "+", in_segment), &guard.body);
    if (!whole_k_) k_end_ = w_.let("segment_end", w_.index, w_.infix(of_segment, "+", name("kSegmentK")), &guard.body);
  }
  if (skips_terms_) {
    guard.body.push_back(text("const int k_tile = shared.k_tiles[tile];\n"));
    const Expr* first = w_.infix(w_.wide(kernel_.name_expr("k_tile")), "*", name("kTileK"));
    tile_k_ = w_.let("tile_k", w_.index, first, &guard.body);
  }
  for (const size_t side : {0, 1}) guard.body.push_back(copies(side));
  lambda.body.push_back(std::move(guard));
  if (is_asynchronous()) lambda.body.push_back(text("commit_copies();\n"));
  drop_unread_indices(&lambda.body, lambda.body);  // of an operand that is the same along a dimension
  body->push_back(std::move(lambda));
}

}  // namespace sinter
