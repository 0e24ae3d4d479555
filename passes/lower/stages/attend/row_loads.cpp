#include "passes/lower/stages/attend/row_loads.h"

#include "passes/analysis/values/hardware.h"
#include "passes/lower/stages/attend/row_parts.h"
#include "passes/lower/stages/base/stage_types.h"

namespace sinter {

namespace {

using Kind = Statement::Kind;

}  // namespace

Statement load_rows(StageWriter& w, const RowLoads& rows) {
  Kernel& kernel = w.kernel;
  const TileCopy* copy = rows.copy;
  const int64_t elements = copy != nullptr ? copy->elements : 1;
  const std::string per_row = elements == 1 ? rows.depth : rows.copies_of_row;
  const std::string count_of_all = rows.rows + " * " + per_row;
  Statement all = rows.by_warp ? w.counted_loop("i", "lane", count_of_all, kWarp, "kWarp")
                               : w.counted_loop("i", "thread", count_of_all, rows.threads, "kThreads");
  if (rows.by_warp) all.unroll = Statement::kUnrollFully;
  const Expr *i = kernel.reference(all.variable), *count = kernel.name_expr(per_row);
  const auto integer = [&](const Expr* a, const char* op, const Expr* b) { return kernel.infix(a, op, b, kInteger); };
  const Expr *row = integer(i, "/", count), *place = integer(i, "%", count);
  if (copy != nullptr && rows.padded) {
    // Eight neighbours copy to eight rows, which lie in all banks.
    const Expr* eight = kernel.integer(8);
    row = integer(integer(integer(i, "/", integer(eight, "*", count)), "*", eight), "+", integer(i, "%", eight));
    place = integer(integer(i, "/", eight), "%", count);
  }
  if (elements > 1)
    place = integer(place, "*", kernel.name_expr(elements == rows.chunk ? "kChunk" : std::to_string(elements)));
  row = kernel.reference(w.let("row", kInteger, row, &all.body));
  const Variable* inner = w.let(rows.inner, kInteger, place, &all.body);
  const Variable* outer =
      w.let(rows.outer, w.index, rows.first == nullptr ? w.wide(row) : w.infix(rows.first, "+", row), &all.body);
  const auto below = [&](const Variable* variable, const std::string& limit) {
    return kernel.infix(kernel.reference(variable), "<", kernel.name_expr(limit, w.index), kPred);
  };
  const Expr* inside =
      w.both(rows.whole ? nullptr : below(outer, rows.outer_limit), rows.full ? nullptr : below(inner, rows.limit));
  const Expr* at = !rows.place.empty()
                       ? kernel.call(rows.place, {row, kernel.reference(inner)}, kInteger)
                       : integer(integer(row, "*", kernel.name_expr(rows.stride)), "+", kernel.reference(inner));
  const CType type = CType::value(rows.dtype);
  const Expr* element = kernel.subscript(kernel.name_expr(rows.to, type), at, type);
  const Expr *of_outer = kernel.reference(outer), *of_inner = w.wide(kernel.reference(inner));
  Expressions expressions =
      w.expressions_of(*rows.operand->graph, {{rows.operand->batch, rows.batch},
                                              {rows.operand->outer, rows.inner_is_k ? of_outer : of_inner},
                                              {rows.operand->k, rows.inner_is_k ? of_inner : of_outer}});
  if (copy != nullptr) {
    const Variable* pointer = expressions.buffers.at(copy->array);
    // Where a row is may have to be loaded, of rows that are there.
    Block place_of_row;
    const bool is_looked_up = write_values_of(w, copy->from, &expressions, &place_of_row);
    const Expr* from = kernel.prefix("&", expressions.element(pointer, copy->from, rows.dtype), pointer->type);
    const CType address = {.kind = CType::Kind::kPointer, .dtype = rows.dtype};
    const int64_t bytes = elements * dtype_bytes(rows.dtype);
    const std::string function = bytes == 16 ? "copy_async" : "copy_async<" + std::to_string(bytes) + ">";
    const auto copies = [&](const Expr* origin, const Expr* test) {
      std::vector<const Expr*> arguments = {kernel.prefix("&", element, address), origin};
      if (test != nullptr) arguments.push_back(test);
      return Statement{.kind = Kind::kExpression, .value = kernel.call(function, arguments, kVoid)};
    };
    if (is_looked_up && inside != nullptr) {
      place_of_row.push_back(copies(from, nullptr));
      Statement test = {.kind = Kind::kIf, .value = inside, .body = std::move(place_of_row)};
      test.other.push_back(copies(kernel.reference(pointer), kernel.name_expr("false", kPred)));
      all.body.push_back(std::move(test));
    } else {
      all.body.insert(all.body.end(), place_of_row.begin(), place_of_row.end());
      all.body.push_back(copies(from, inside));
    }
    return all;
  }
  Block computed;
  const Expr* value = w.results_of(*rows.operand->graph, expressions, &computed)[0];
  computed.push_back(w.assign(element, value));
  if (inside == nullptr) {
    all.body.insert(all.body.end(), computed.begin(), computed.end());
  } else {
    Statement test = {.kind = Kind::kIf, .value = inside, .body = std::move(computed)};
    test.other.push_back(w.assign(element, kernel.literal(Literal(Shape::scalar(rows.dtype)))));
    all.body.push_back(std::move(test));
  }
  return all;
}

}  // namespace sinter
