// What a block makes of the rows of its tile's results (passes/stages/products/result_rows.h), whose sums lie in shared
// memory: sums that are to be made again are first, then the statistics of each row, then what has an element a row.
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/lower/stages/products/tile_writer.h"
#include "passes/lower/write/write_kernel.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

}  // namespace

const Expr* TileWriter::sum_of_tile(const Sums& sums, const Expr* i, const Expr* j) {
  const CType type = CType::value(sums.dtype);
  return kernel_.subscript(kernel_.name_expr(sums.array, type), kernel_.call("sum_at", {i, j}, kInteger), type);
}

void TileWriter::add_reductions(const Sums& sums, const CheckSum& check, Block* body) {
  if (check) {
    check_sums(sums, check, body);
    blank(body);
  }
  const ProductTerms products = {
      .nodes = demand_.rows.products,
      .product = demand_.dot,
      .sum = sums.dtype,
      .at = [&](const Expr* row, const Expr* column) { return sum_of_tile(sums, row, column); },
      .rounded =
          [&](const Expr* sum, Expressions* expressions) {
            return demand_.dot->shape.dtype == sums.dtype ? sum : rounded(sum, expressions);
          }};
  StatisticsPlace place = {.batch = batch_, .products = &products};
  if (piece_ != nullptr) place.coordinates[kPieceCoordinate] = kernel_.reference(piece_);
  place.at = [this](const Expr* row, Block* block) {
    const Expr* vector = w_.infix(kernel_.reference(first_[0]), "+", row);
    if (!whole_rows()) {
      const Expr* last = w_.infix(name("kM"), "-", kernel_.integer(1));
      vector = kernel_.conditional(kernel_.infix(vector, "<", name("kM"), kPred), vector, last);
    }
    return kernel_.reference(w_.let("row", w_.index, vector, block));
  };
  add_statistics(&w_, demand_.rows.statistics, statistics_, place, body);
  if (demand_.rows.stores == nullptr) return;
  blank(body);
  add_row_stores(body);
}

// Each sum of the tile that is part of the result, in its place: `check` ends in a test around what makes one again.
void TileWriter::check_sums(const Sums& sums, const CheckSum& check, Block* body) {
  Statement all = w_.counted_loop("number", sums.thread, "kTileM * kTileN", sums.threads_count, sums.threads);
  const Expr* number = kernel_.reference(all.variable);
  const Expr* i = kernel_.reference(
      w_.let("i", kInteger, kernel_.infix(number, "/", kernel_.name_expr("kTileN"), kInteger), &all.body));
  const Expr* j = kernel_.reference(
      w_.let("j", kInteger, kernel_.infix(number, "%", kernel_.name_expr("kTileN"), kInteger), &all.body));
  const Variable* row = w_.let("row", w_.index, w_.infix(kernel_.reference(first_[0]), "+", i), &all.body);
  const Variable* column = w_.let("column", w_.index, w_.infix(kernel_.reference(first_[1]), "+", j), &all.body);
  const Expr* inside = nullptr;
  if (!whole_rows()) inside = below(row, "kM");
  if (!whole_columns()) inside = w_.both(inside, below(column, "kN"));
  Block checked;
  Variable* sum = kernel_.variable("sum", CType::value(sums.dtype));
  checked.push_back({.kind = StatementKind::kDeclare, .variable = sum, .value = sum_of_tile(sums, i, j)});
  check(kernel_.reference(sum), row, column, nullptr, &checked);
  checked.back().body.push_back(w_.assign(sum_of_tile(sums, i, j), kernel_.reference(sum)));
  if (inside == nullptr) {
    all.body.insert(all.body.end(), checked.begin(), checked.end());
  } else {
    all.body.push_back({.kind = StatementKind::kIf, .value = inside, .body = std::move(checked)});
  }
  body->push_back(note("sums that are not finite are made again, before rows are reduced of them"));
  body->push_back(std::move(all));
  body->push_back(w_.barrier());
}

// One thread a row.
void TileWriter::add_row_stores(Block* body) {
  const Expr* thread = kernel_.name_expr("thread");
  Statement rows = {.kind = StatementKind::kIf};
  const Expr* i = thread;
  if (tile_m_ > threads_) {
    rows = w_.counted_loop("i", "thread", "kTileM", threads_, "kThreads");
    i = kernel_.reference(rows.variable);
  } else {
    rows.value = kernel_.infix(thread, "<", kernel_.name_expr("kTileM"), kPred);
  }
  const Variable* row = w_.let("row", w_.index, w_.infix(kernel_.reference(first_[0]), "+", i), &rows.body);
  std::map<int, const Expr*> coordinates = {{kVectorCoordinate, kernel_.reference(row)}};
  if (batch_ != nullptr) coordinates[kBatchCoordinate] = kernel_.reference(batch_);
  if (piece_ != nullptr) coordinates[kPieceCoordinate] = kernel_.reference(piece_);
  Expressions expressions = w_.expressions_of(*demand_.rows.stores, coordinates);
  if (piece_ != nullptr) expressions.constants[demand_.rows.pieces] = "kColumnTiles";
  read_numbers(&kernel_, demand_.rows.statistics, statistics_, demand_.rows.reads, i, &expressions);
  Block stores = write_block(w_.input.module, *demand_.rows.stores, expressions, {});
  if (!whole_rows()) {
    rows.body.push_back({.kind = StatementKind::kIf, .value = below(row, "kM"), .body = std::move(stores)});
  } else {
    rows.body.insert(rows.body.end(), stores.begin(), stores.end());
  }
  body->push_back(note("what each row has one of"));
  body->push_back(std::move(rows));
}

}  // namespace sinter
