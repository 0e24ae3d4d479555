#include "passes/lower/stages/products/tile_writer.h"

#include "ir/support/ceil_div.h"
#include "ir/values/dtype.h"
#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

const CType kInteger = CType::value(DType::kS32);
const CType kPred = CType::value(DType::kPred);
constexpr size_t kFewNodes = 6;  // of what follows a product

}  // namespace

TileWriter::TileWriter(const StageInput& input, const ContractDemand& demand, int64_t tile_m, int64_t tile_n)
    : w_(input, "", index_type_of(*demand.graph)),
      kernel_(w_.kernel),
      demand_(demand),
      extents_(demand.extents),
      tile_m_(tile_m),
      tile_n_(tile_n),
      threads_(input.node.block[0]),
      grid_(contract_grid(extents_, tile_m, tile_n)) {}

const Expr* TileWriter::both(const Expr* a, const Expr* b) {
  return a == nullptr ? b : b == nullptr ? a : kernel_.infix(a, "&&", b, kPred);
}

const Expr* TileWriter::below(const Variable* coordinate, const char* limit) {
  return kernel_.infix(kernel_.reference(coordinate), "<", name(limit), kPred);
}

Statement TileWriter::loop(const std::string& counter, const std::string& begin, const std::string& end, int64_t step,
                           const std::string& step_name) {
  Statement statement;
  statement.kind = StatementKind::kFor;
  statement.variable = kernel_.variable(counter, kInteger);
  statement.begin = begin.empty() ? kernel_.integer(0) : kernel_.name_expr(begin);
  statement.value = kernel_.name_expr(end);
  statement.step = step;
  statement.text = step_name;
  return statement;
}

void TileWriter::constant(const char* what, const std::string& value, const std::string& comment) {
  kernel_.constants.push_back({what, "int", value, comment});
}

void TileWriter::constant(const char* what, int64_t value, const std::string& comment) {
  constant(what, std::to_string(value), comment);
}

void TileWriter::add_extents(int64_t tile_k) {
  if (extents_.batch > 1) constant("kBatch", extents_.batch);
  constant("kM", extents_.m);
  constant("kN", extents_.n);
  constant("kK", extents_.k);
  constant("kTileM", tile_m_, "of a block");
  constant("kTileN", tile_n_);
  constant("kTileK", tile_k);
}

std::string TileWriter::count_spelling(bool is_whole, const std::string& extent, const std::string& tile) {
  return is_whole ? extent + " / " + tile : "(" + extent + " + " + tile + " - 1) / " + tile;
}

void TileWriter::add_tile_counts() {
  constant("kRowTiles", count_spelling(whole_rows(), "kM", "kTileM"), std::to_string(grid_.rows));
  constant("kColumnTiles", count_spelling(whole_columns(), "kN", "kTileN"), std::to_string(grid_.columns));
}

void TileWriter::add_warps(int64_t warp_m, int64_t warp_n) {
  constant("kThreads", threads_);
  constant("kWarp", kWarp);
  constant("kWarps", "kThreads / kWarp", std::to_string(threads_ / kWarp));
  constant("kWarpM", warp_m, "of a warp");
  constant("kWarpN", warp_n);
  constant("kWarpsN", "kTileN / kWarpN", std::to_string(tile_n_ / warp_n));
}

void TileWriter::assert_whole(const std::string& whole_k) {
  std::string conditions;
  for (const auto& [is_whole, condition] : {std::pair(whole_rows(), std::string("kM % kTileM == 0")),
                                            {whole_columns(), "kN % kTileN == 0"},
                                            {whole_k_, whole_k}}) {
    if (is_whole) conditions += (conditions.empty() ? "" : " && ") + condition;
  }
  if (!conditions.empty()) kernel_.assertions.push_back({conditions, "tiles are whole"});
}

TileWriter::TilePlace TileWriter::place_of(const Tile& tile) {
  if (!grid_.folded) return {{tile.y, tile.x}, tile.z};
  const Expr* rest = kernel_.infix(tile.x, "/", kernel_.name_expr("kColumnTiles"), kInteger);
  const Expr* row = extents_.batch == 1 ? rest : kernel_.infix(rest, "%", kernel_.name_expr("kRowTiles"), kInteger);
  return {{row, kernel_.infix(tile.x, "%", kernel_.name_expr("kColumnTiles"), kInteger)},
          kernel_.infix(rest, "/", kernel_.name_expr("kRowTiles"), kInteger)};
}

void TileWriter::add_first(const TilePlace& place, const Expr* batch, Block* body) {
  if (extents_.batch > 1) batch_ = w_.let("batch", w_.index, w_.wide(batch), body);
  first_[0] = w_.let("tile_row", w_.index, w_.infix(w_.wide(place.first[0]), "*", name("kTileM")), body);
  first_[1] = w_.let("tile_column", w_.index, w_.infix(w_.wide(place.first[1]), "*", name("kTileN")), body);
}

std::map<int, const Expr*> TileWriter::coordinates_of(const ContractOperand& operand, const Variable* outer,
                                                      const Variable* k) {
  std::map<int, const Expr*> coordinates = {{operand.outer, kernel_.reference(outer)},
                                            {operand.k, kernel_.reference(k)}};
  if (batch_ != nullptr) coordinates[operand.batch] = kernel_.reference(batch_);
  return coordinates;
}

void TileWriter::name_extents(size_t side, Expressions* expressions) const {
  if (!demand_.operands[side].is_matrix) return;
  const int64_t outer = side == 0 ? extents_.m : extents_.n;
  if (demand_.operands[side].k_contiguous) {
    expressions->constants[extents_.k] = "kK";
  } else if (outer != extents_.k) {
    expressions->constants[outer] = side == 0 ? "kM" : "kN";
  }
}

const Expr* TileWriter::inside(size_t side, const Variable* outer, const Variable* k) {
  const Expr* test = nullptr;
  if (side == 0 ? !whole_rows() : !whole_columns()) test = below(outer, side == 0 ? "kM" : "kN");
  return whole_k_ ? test : both(test, below(k, "kK"));
}

void TileWriter::add_results(DType sum_dtype, const CheckSum& check, Block* body) {
  body->push_back({.kind = StatementKind::kComment, .text = "results: rows by warps, columns by lanes"});
  Statement columns = loop("j", "lane", "kTileN", kWarp, "kWarp");
  const Expr* j = kernel_.reference(columns.variable);
  const Variable* column = w_.let("column", w_.index, w_.infix(kernel_.reference(first_[1]), "+", j), &columns.body);
  const auto leaves = [&](const Variable* coordinate, const char* limit, Block* block) {
    Statement guard = {.kind = StatementKind::kIf};
    guard.value = kernel_.infix(kernel_.reference(coordinate), ">=", name(limit), kPred);
    guard.body.push_back({.kind = StatementKind::kBreak});
    block->push_back(std::move(guard));
  };
  if (!whole_columns()) leaves(column, "kN", &columns.body);
  Statement rows = loop("i", "", "kTileM", threads_ / kWarp, "kWarps");
  rows.begin = kernel_.infix(kernel_.name_expr("thread"), "/", kernel_.name_expr("kWarp"), kInteger);
  // Several rows under way at a time: what one takes is mostly the wait for shared memory.
  rows.unroll = demand_.epilogue->nodes.size() <= kFewNodes ? 8 : 4;
  const Expr* i = kernel_.reference(rows.variable);
  const Variable* row = w_.let("row", w_.index, w_.infix(kernel_.reference(first_[0]), "+", i), &rows.body);
  if (!whole_rows()) leaves(row, "kM", &rows.body);

  const CType sum_type = CType::value(sum_dtype);
  const Expr* place = kernel_.call("sum_at", {i, j}, kInteger);
  const Expr* element = kernel_.subscript(kernel_.name_expr("shared.sums", sum_type), place, sum_type);
  const DType dtype = demand_.dot->shape.dtype;
  const bool is_product = dtype == sum_dtype;  // as it is summed
  Variable* product =
      kernel_.variable(is_product ? value_name(*demand_.dot) : "sum", sum_type, is_product ? demand_.dot : nullptr);
  rows.body.push_back(
      {.kind = check ? StatementKind::kDeclare : StatementKind::kLet, .variable = product, .value = element});
  if (check) check(product, row, column, &rows.body);

  std::map<int, const Expr*> coordinates = {{demand_.row, kernel_.reference(row)},
                                            {demand_.column, kernel_.reference(column)}};
  if (batch_ != nullptr) coordinates[demand_.batch] = kernel_.reference(batch_);
  Expressions expressions = w_.expressions_of(*demand_.epilogue, coordinates);
  expressions.constants[extents_.n] = "kN";
  if (!is_product) {
    const Expr* sum = kernel_.reference(product);
    sum = is_float(dtype) ? expressions.narrow(dtype, sum) : kernel_.cast(CType::value(dtype), sum);
    product = kernel_.variable(value_name(*demand_.dot), CType::value(dtype), demand_.dot);
    rows.body.push_back({.kind = StatementKind::kLet, .variable = product, .value = sum});
  }
  for (const NodeId node : demand_.products) expressions.variables[node] = product;
  const Block statements = write_block(w_.input.module, *demand_.epilogue, expressions, {});
  rows.body.insert(rows.body.end(), statements.begin(), statements.end());
  columns.body.push_back(std::move(rows));
  drop_unread_indices(&columns.body, columns.body);
  body->push_back(std::move(columns));
}

}  // namespace sinter
