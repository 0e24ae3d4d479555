// How queries, keys and values come to shared memory.
#include "passes/analysis/values/hardware.h"
#include "passes/lower/stages/attend/attend_writer.h"
#include "passes/lower/stages/products/text_statement.h"

namespace sinter {

Statement AttendWriter::load_rows(const Rows& rows, const Expr* first, bool by_warp) {
  constexpr const char* kCopies[] = {"kQueryCopies", "kKeyCopies", "kValueCopies"};
  const std::optional<TileCopy>& copy = attention_.copies[rows.number];
  const int64_t elements = elements_of_copy(rows.number);
  const std::string per_row = elements == 1 ? rows.depth : kCopies[rows.number];
  const std::string count_of_all = rows.rows + " * " + per_row;
  Statement all = by_warp ? w_.counted_loop("i", "lane", count_of_all, kWarp, "kWarp")
                          : w_.counted_loop("i", "thread", count_of_all, form_.warps * kWarp, "kThreads");
  if (by_warp) all.unroll = Statement::kUnrollFully;
  const Expr *i = reference(all.variable), *count = kernel_.name_expr(per_row);
  const auto integer = [&](const Expr* a, const char* op, const Expr* b) { return kernel_.infix(a, op, b, kInteger); };
  const Expr *row = integer(i, "/", count), *place = integer(i, "%", count);
  if (copy) {
    // Eight neighbours copy to eight rows, which lie in all banks.
    const Expr* eight = kernel_.integer(8);
    row = integer(integer(integer(i, "/", integer(eight, "*", count)), "*", eight), "+", integer(i, "%", eight));
    place = integer(integer(i, "/", eight), "%", count);
  }
  if (elements > 1) place = integer(place, "*", kernel_.name_expr(copy_spelling(rows.number)));
  row = reference(w_.let("row", kInteger, row, &all.body));
  const Variable* inner = w_.let(rows.inner, kInteger, place, &all.body);
  const Variable* outer =
      w_.let(rows.outer, w_.index, first == nullptr ? w_.wide(row) : w_.infix(first, "+", row), &all.body);
  const Expr* inside =
      w_.both(rows.whole ? nullptr : below(outer, rows.outer_limit), rows.full ? nullptr : below(inner, rows.limit));
  const Expr* at =
      kernel_.infix(kernel_.infix(row, "*", kernel_.name_expr(rows.stride), kInteger), "+", reference(inner), kInteger);
  const CType type = CType::value(attention_.dtype);
  const Expr* element = kernel_.subscript(kernel_.name_expr(rows.to, type), at, type);
  const Expr *of_outer = reference(outer), *of_inner = w_.wide(reference(inner));
  Expressions expressions =
      w_.expressions_of(*rows.operand.graph, {{rows.operand.batch, batch_},
                                              {rows.operand.outer, rows.inner_is_k ? of_outer : of_inner},
                                              {rows.operand.k, rows.inner_is_k ? of_inner : of_outer}});
  if (copy) {
    const Variable* pointer = expressions.buffers.at(copy->array);
    const Expr* from = kernel_.prefix("&", expressions.element(pointer, copy->from, attention_.dtype), pointer->type);
    const CType address = {.kind = CType::Kind::kPointer, .dtype = attention_.dtype};
    std::vector<const Expr*> arguments = {kernel_.prefix("&", element, address), from};
    if (inside != nullptr) arguments.push_back(inside);
    const int64_t bytes = elements * dtype_bytes(attention_.dtype);
    const std::string function = bytes == 16 ? "copy_async" : "copy_async<" + std::to_string(bytes) + ">";
    all.body.push_back({.kind = Kind::kExpression, .value = kernel_.call(function, arguments, kVoid)});
    return all;
  }
  Block computed;
  const Expr* value = w_.results_of(*rows.operand.graph, expressions, &computed)[0];
  computed.push_back(w_.assign(element, value));
  if (inside == nullptr) {
    all.body.insert(all.body.end(), computed.begin(), computed.end());
  } else {
    Statement test = {.kind = Kind::kIf, .value = inside, .body = std::move(computed)};
    test.other.push_back(w_.assign(element, kernel_.literal(Literal(Shape::scalar(attention_.dtype)))));
    all.body.push_back(std::move(test));
  }
  return all;
}

Statement AttendWriter::load_queries() {
  return load_rows({.operand = attention_.queries,
                    .number = 0,
                    .to = "operands.queries",
                    .stride = "kRow",
                    .rows = "kTileM",
                    .depth = "kDepth",
                    .limit = "kFeatures",
                    .outer_limit = "kQueries",
                    .outer = "query",
                    .inner = "feature",
                    .whole = whole_queries(),
                    .full = full_depth(),
                    .inner_is_k = true},
                   first_query_ == nullptr ? nullptr : reference(first_query_), false);
}

Statement AttendWriter::copy_tile() {
  Statement lambda = {.kind = Kind::kScope,
                      .text = form_.by_keys ? "const auto copy_tile = [&](int turn)"
                                            : "const auto copy_tile = [&](int " + std::string(turn()) + ")"};
  // Behind the last turn a group is empty.
  Statement test = {.kind = Kind::kIf};
  Block* block = &lambda.body;
  const Expr* tile = kernel_.name_expr("tile");
  if (form_.by_keys) {
    test.value = kernel_.infix(kernel_.name_expr("turn"), "<", kernel_.name_expr("turns"), kPred);
    block = &test.body;
    block->push_back(text("Shared::Tile& to = tiles[turn % kStages];\n"));
    tile = reference(w_.let("tile", kInteger, kernel_.name_expr("first_tile + turn * kWalkers"), block));
  } else {
    block->push_back(text("Shared::Tile& to = operands.tile[" + std::string(turn()) + " % 2];\n"));
    if (begins_inside()) tile = add_tile_of_turn(block);
  }
  const Expr* begin = w_.infix(w_.wide(tile), "*", name("kTileN"));
  const Expr* first = reference(w_.let("first_key", w_.index, begin, block));
  block->push_back(load_rows({.operand = attention_.key_elements,
                              .number = 1,
                              .to = "to.keys",
                              .stride = "kRow",
                              .rows = "kTileN",
                              .depth = "kDepth",
                              .limit = "kFeatures",
                              .outer_limit = "kKeys",
                              .outer = "key",
                              .inner = "feature",
                              .whole = whole_keys(),
                              .full = full_depth(),
                              .inner_is_k = true},
                             first, form_.by_keys));
  block->push_back(load_rows({.operand = attention_.value_elements,
                              .number = 2,
                              .to = "to.values",
                              .stride = "kValueRow",
                              .rows = "kTileN",
                              .depth = "kWidth",
                              .limit = "kValues",
                              .outer_limit = "kKeys",
                              .outer = "key",
                              .inner = "value",
                              .whole = whole_keys(),
                              .full = full_width(),
                              .inner_is_k = false},
                             first, form_.by_keys));
  if (form_.by_keys) lambda.body.push_back(std::move(test));
  lambda.body.push_back(text("commit_copies();\n"));
  return lambda;
}

}  // namespace sinter
