#include "passes/lower/stages/products/tile_writer.h"

#include <algorithm>
#include <utility>

#include "ir/support/ceil_div.h"
#include "ir/values/dtype.h"
#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/products/convolution_numbers.h"
#include "passes/lower/stages/products/lower_contract.h"
#include "passes/lower/stages/products/result_pairs.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

constexpr size_t kFewNodes = 6;  // of what follows a product
// Bytes a row and thread: of a warp's four rows at once; of two rows.
constexpr int64_t kMostLoaded = 32, kMostOfTwo = 96;

// Of what one element needs.
int64_t loaded_bytes(const DemandGraph& graph) {
  int64_t bytes = 0;
  for (const DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad) bytes += dtype_bytes(node.dtype);
  }
  return bytes;
}

}  // namespace

TileWriter::TileWriter(const StageInput& input, const ContractDemand& demand, int64_t tile_m, int64_t tile_n)
    : w_(input, "", index_type_of(*demand.graph)),
      kernel_(w_.kernel),
      demand_(demand),
      extents_(demand.extents),
      tile_m_(tile_m),
      tile_n_(tile_n),
      threads_(input.node.block[0]),
      grid_(contract_grid(extents_, tile_m, tile_n)),
      convolution_(convolution_matrices(*demand.dot)) {}

const Expr* TileWriter::below(const Variable* coordinate, const char* limit) {
  return kernel_.infix(kernel_.reference(coordinate), "<", name(limit), kPred);
}

void TileWriter::constant(const char* what, const std::string& value, const std::string& comment) {
  kernel_.constants.push_back({what, "int", value, comment});
}

void TileWriter::constant(const char* what, int64_t value, const std::string& comment) {
  constant(what, std::to_string(value), comment);
}

void TileWriter::add_extents(int64_t tile_k) {
  if (extents_.batch > 1) {
    const bool of_groups = convolution_ && convolution_->groups == extents_.batch;
    constant("kBatch", extents_.batch, of_groups ? "groups of features, a product each" : "");
  }
  constant("kM", extents_.m);
  constant("kN", extents_.n, has_empty_parts() ? "columns of all parts, empty ones too" : "");
  constant("kK", extents_.k);
  constant("kTileM", tile_m_, "of a block");
  constant("kTileN", tile_n_);
  constant("kTileK", tile_k);
  if (!in_pairs()) return;
  constant("kPartner", demand_.partner, "columns between two whose sums a result is made of");
  kernel_.assertions.push_back({"kTileN % (2 * kPartner) == 0", "a tile has both"});
}

std::string TileWriter::count_spelling(bool is_whole, const std::string& extent, const std::string& tile) {
  return is_whole ? extent + " / " + tile : "(" + extent + " + " + tile + " - 1) / " + tile;
}

void TileWriter::add_tile_counts() {
  constant("kRowTiles", count_spelling(whole_rows(), "kM", "kTileM"), std::to_string(grid_.rows));
  constant("kColumnTiles", count_spelling(whole_columns(), "kN", "kTileN"), std::to_string(grid_.columns));
}

std::string TileWriter::name_of_sums() const { return has_matrices() ? "products" : value_name(*demand_.dot); }

void TileWriter::add_warps(int64_t warp_m, int64_t warp_n) {
  constant("kThreads", threads_);
  constant("kWarp", kWarp);
  constant("kWarps", "kThreads / kWarp", std::to_string(threads_ / kWarp));
  constant("kWarpM", warp_m, "of a warp");
  constant("kWarpN", warp_n);
  constant("kWarpsN", "kTileN / kWarpN", std::to_string(tile_n_ / warp_n));
}

void TileWriter::begin_statistics(const std::set<std::string>& names) {
  if (reduces_rows()) {
    const std::string limit = demand_.rows.pieces > 1 ? "kTileN" : results_limit();
    statistics_ = statistics_of_results(demand_, tile_m_, threads_, limit, names);
    return;
  }
  if (demand_.statistics.empty()) return;
  statistics_ = statistics_of_tile(demand_, statistics_threads(demand_, tile_m_, tile_n_, threads_),
                                   demand_.vectors == 0 ? "kTileM" : "kTileN", "kSharing", names);
}

void TileWriter::add_statistics_constants() {
  if (statistics_.empty()) return;
  const std::string vector = demand_.vectors == 0 ? "row" : "column";
  constant("kSharing", statistics_.threads.of_vector,
           reduces_rows() ? "threads that reduce a row of results" : "threads that make the statistics of a " + vector);
  if (statistics_.parts > 0) constant("kRowParts", statistics_.parts, kPartsOfRow);
  if (statistics_.width > 1) constant("kTerms", statistics_.width, "neighbouring terms that a thread loads at once");
  for (const char* header : {"device/warp_reduce.cuh", "device/combine.cuh"}) kernel_.headers.insert(header);
  if (statistics_.width > 1) kernel_.headers.insert("device/vector_access.cuh");
}

void TileWriter::add_statistics_of_tile(Block* body) {
  if (demand_.statistics.empty()) return;
  const bool rows = demand_.vectors == 0, whole = rows ? whole_rows() : whole_columns();
  const auto at = [this, rows, whole](const Expr* place, Block* block) {
    const Expr* vector = w_.infix(kernel_.reference(first_[rows ? 0 : 1]), "+", place);
    if (!whole) {
      const Expr* limit = name(rows ? "kM" : "kN");
      const Expr* last = w_.infix(limit, "-", kernel_.integer(1));
      vector = kernel_.conditional(kernel_.infix(vector, "<", limit, kPred), vector, last);
    }
    return kernel_.reference(w_.let(rows ? "read_row" : "read_column", w_.index, vector, block));
  };
  add_statistics(&w_, demand_.statistics, statistics_, {.batch = batch_, .at = at}, body);
  blank(body);
}

void TileWriter::read_statistics(size_t side, const Variable* outer, Expressions* expressions) {
  if (demand_.statistics.empty() || side != demand_.vectors) return;
  const Expr* place = w_.infix(kernel_.reference(outer), "-", kernel_.reference(first_[side]));
  read_numbers(&kernel_, demand_.statistics, statistics_, demand_.statistics.reads, place, expressions);
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

void TileWriter::add_tiles(const LaunchDimensions& tiles, std::string spread,
                           std::function<void(const Tile& tile, Block* block)> write, LoweredStage* stage) {
  StageBody body;
  body.tiles = tiles;
  body.write = std::move(write);
  body.pairs = result_pairs(demand_);
  body.graph = demand_.graph.get();
  body.elements = demand_.dot->shape.element_count();
  body.spread = std::move(spread) + (convolution_ ? convolution_text(*demand_.dot, *convolution_) : "");
  if (!grid_.folded) body.tiled = tiled_products(demand_, "kTileM");
  stage->steps.push_back(add_kernel(&w_, body, stage));
}

bool TileWriter::is_vector_load(const DemandGraph& graph, const DemandNode& load, int coordinate, int64_t width) {
  return load.kind == DemandNode::Kind::kLoad && load.scope == 0 && load.guard == 0 &&
         width * dtype_bytes(load.dtype) <= kAccessBytes && begins_vector(graph, load.expr, coordinate, width);
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
  if (demand_.rows.pieces > 1) piece_ = w_.let("piece", w_.index, w_.wide(place.first[1]), body);
}

std::map<int, const Expr*> TileWriter::coordinates_of(const ContractOperand& operand, const Variable* outer,
                                                      const Variable* k) {
  std::map<int, const Expr*> coordinates = {{operand.outer, kernel_.reference(outer)},
                                            {operand.k, kernel_.reference(k)}};
  if (batch_ != nullptr) coordinates[operand.batch] = kernel_.reference(batch_);
  return coordinates;
}

void TileWriter::name_extents(size_t side, Expressions* expressions) const {
  if (!demand_.operands[side].is_matrix) {
    if (convolution_) {
      const bool of_input = side == (convolution_->kernel_rows ? 1 : 0);
      expressions->numbers = convolution_numbers(*demand_.dot, *convolution_, *demand_.operands[side].graph, of_input);
    }
    return;
  }
  const bool of_part = side == 1 && has_matrices();
  const int64_t outer = side == 0 ? extents_.m : of_part ? row_results() : extents_.n;
  if (demand_.operands[side].k_contiguous) {
    expressions->constants[extents_.k] = "kK";
  } else if (outer != extents_.k) {
    expressions->constants[outer] = side == 0 ? "kM" : of_part ? "kPart" : "kN";
  }
}

const Expr* TileWriter::inside(size_t side, const Variable* outer, const Variable* k) {
  const Expr* test = nullptr;
  if (side == 0 ? !whole_rows() : !whole_columns()) test = below(outer, side == 0 ? "kM" : "kN");
  if (side == 1 && has_empty_parts())
    test = w_.both(test, kernel_.infix(part_at(&w_, outer), "<", kernel_.name_expr("kFull"), kPred));
  if (whole_k_) return test;
  if (k_end_ == nullptr) return w_.both(test, below(k, "kK"));
  return w_.both(test, kernel_.infix(kernel_.reference(k), "<", kernel_.reference(k_end_), kPred));
}

TileWriter::Sums TileWriter::sums_of_block(DType dtype) const {
  return {.dtype = dtype, .columns_count = tile_n_, .threads_count = threads_};
}

int64_t TileWriter::results_side_by_side(const Sums& sums) const {
  const DemandGraph& graph = *demand_.epilogue;
  const auto fits = [&](int64_t width) {
    if (row_results() % width != 0 || sums.columns_count / width > sums.threads_count) return false;
    if (width * dtype_bytes(sums.dtype) > kAccessBytes) return false;
    const auto is_wide = [&](const Sums::Value& value) { return width * dtype_bytes(value.dtype) > kAccessBytes; };
    if (std::ranges::any_of(sums.values, is_wide)) return false;
    return std::all_of(graph.stores.begin(), graph.stores.end(), [&](const DemandStore& store) {
      return store.scope == 0 && width * dtype_bytes(store.value->shape.dtype) <= kAccessBytes &&
             begins_vector(graph, store.offset, demand_.column, width);
    });
  };
  return fits(4) ? 4 : fits(2) ? 2 : 1;
}

const Expr* TileWriter::vector_address(const Variable* pointer, const IndexExpr& offset, Expressions* expressions,
                                       Block* block) {
  const bool divides = std::ranges::any_of(offset.terms(), [](const IndexExpr::Term& term) {
    return term.atom->kind == IndexExpr::AtomKind::kFloorDiv || term.atom->kind == IndexExpr::AtomKind::kMod;
  });
  const Expr* place = expressions->index(offset);
  if (divides) {
    const auto [named, fresh] = places_.try_emplace(offset);
    if (fresh) named->second = w_.let("at", w_.index, place, block);
    place = kernel_.reference(named->second);
  }
  return kernel_.infix(kernel_.reference(pointer), "+", place, pointer->type);
}

void TileWriter::load_vectors(int64_t width, Expressions* expressions, Block* block) {
  const DemandGraph& graph = after();
  for (const DemandNode& node : graph.nodes) {
    if (!is_vector_load(graph, node, demand_.column, width)) continue;
    const Variable* pointer = expressions->buffers.at(node.instruction);
    Variable*& values = expressions->vectors[{pointer, node.expr}];
    if (values != nullptr) continue;
    const CType type = {
        .kind = CType::Kind::kVector, .dtype = node.dtype, .length = width, .extent = std::string("kWidth")};
    const Expr* address = vector_address(pointer, node.expr, expressions, block);
    values = w_.let(pointer->name + "_values", type, kernel_.call("load_vector<kWidth>", {address}, type), block);
  }
}

Block TileWriter::vector_stores(int64_t width, Expressions* expressions, Block* declarations) {
  Block stores;
  for (const DemandStore& store : after().stores) {
    const Variable* pointer = expressions->output_buffers.at(store.value);
    Variable*& values = expressions->vectors[{pointer, store.offset}];
    if (values != nullptr) continue;
    const CType type = {.kind = CType::Kind::kVector,
                        .dtype = store.value->shape.dtype,
                        .length = width,
                        .extent = std::string("kWidth")};
    values = kernel_.variable(pointer->name + "_values", type);
    declarations->push_back({.kind = StatementKind::kDeclare, .variable = values});
    const Expr* address = vector_address(pointer, store.offset, expressions, declarations);
    stores.push_back(w_.call("store_vector", {address, kernel_.reference(values)}));
  }
  return stores;
}

Expressions TileWriter::results_at(const Variable* row, const Variable* column, const Expr* row_of_tile) {
  std::map<int, const Expr*> coordinates = {{demand_.row, kernel_.reference(row)},
                                            {demand_.column, kernel_.reference(column)}};
  if (batch_ != nullptr) coordinates[demand_.batch] = kernel_.reference(batch_);
  Expressions expressions = w_.expressions_of(after(), coordinates);
  expressions.constants[row_results()] = results_limit();
  if (in_parts() && !has_matrices()) expressions.constants[extents_.n] = "kN";
  if (reduces_rows())
    read_numbers(&kernel_, demand_.rows.statistics, statistics_, demand_.rows.statistics.reads, row_of_tile,
                 &expressions);
  return expressions;
}

void TileWriter::add_result(const Sums& sums, const SumOfPart& sum_of, const Expr* partner, const CheckSum& check,
                            const Variable* row, const Variable* column, Expressions* expressions, Block* block) {
  if (in_parts()) {
    add_sums_of_parts(sums, sum_of, check, row, column, expressions, block);
  } else {
    add_sum(sums, sum_of(nullptr), false, check, row, column, expressions, block);
  }
  if (partner != nullptr) {
    const Expr* place = w_.infix(kernel_.reference(column), "^", kernel_.name_expr("kPartner"));
    const Variable* of_partner = check ? w_.let("partner_column", w_.index, place, block) : column;
    add_sum(sums, partner, true, check, row, of_partner, expressions, block);
  }
  const Block statements = write_block(w_.input.module, after(), *expressions, {});
  block->insert(block->end(), statements.begin(), statements.end());
}

const Expr* TileWriter::rounded(const Expr* sum, Expressions* expressions) {
  const DType dtype = demand_.dot->shape.dtype;
  return is_float(dtype) ? expressions->narrow(dtype, sum) : kernel_.cast(CType::value(dtype), sum);
}

void TileWriter::add_sum(const Sums& sums, const Expr* sum, bool is_partner, const CheckSum& check, const Variable* row,
                         const Variable* column, Expressions* expressions, Block* block) {
  const Instruction* dot = results_ != nullptr ? results_->dot : demand_.dot;
  const DType dtype = dot->shape.dtype;
  const bool is_product = dtype == sums.dtype;  // as it is summed
  const Instruction* named = is_partner ? nullptr : dot;
  const std::string name = is_partner ? "partner" : value_name(*dot);
  Variable* product = kernel_.variable(is_product   ? name
                                       : is_partner ? "partner_sum"
                                                    : "sum",
                                       CType::value(sums.dtype), is_product ? named : nullptr);
  block->push_back({.kind = check ? StatementKind::kDeclare : StatementKind::kLet, .variable = product, .value = sum});
  if (check) {
    const auto part = results_ == nullptr ? 0 : results_ - demand_.results_apart.data();
    check(kernel_.reference(product), row, column, results_ == nullptr ? nullptr : kernel_.integer(part), block);
  }
  if (!is_product) {
    const Expr* value = rounded(kernel_.reference(product), expressions);
    product = kernel_.variable(name, CType::value(dtype), named);
    block->push_back({.kind = StatementKind::kLet, .variable = product, .value = value});
  }
  for (const ContractDemand::Product& each : results_ != nullptr ? results_->products : demand_.products) {
    if (each.is_partner == is_partner && !expressions->members.contains(each.node))
      expressions->variables[each.node] = product;
  }
}

void TileWriter::add_sums_of_parts(const Sums& sums, const SumOfPart& sum_of, const CheckSum& check,
                                   const Variable* row, const Variable* column, Expressions* expressions,
                                   Block* block) {
  const DType dtype = demand_.dot->shape.dtype;
  const CType type = CType::value(dtype);
  const CType array = {
      .kind = CType::Kind::kArray, .dtype = dtype, .length = demand_.parts.count, .extent = std::string("kParts")};
  Variable* products = kernel_.variable(name_of_sums(), array, has_matrices() ? nullptr : demand_.dot);
  block->push_back({.kind = StatementKind::kDeclare, .variable = products});
  Statement all = w_.counted_loop("part", "", number_of_parts());
  all.unroll = Statement::kUnrollFully;
  const Expr* part = kernel_.reference(all.variable);
  const Expr* product = kernel_.subscript(kernel_.reference(products), part, type);
  const Expr* sum = sum_of(part);
  all.body.push_back(w_.assign(product, dtype == sums.dtype ? sum : rounded(sum, expressions)));
  if (check && has_matrices()) {
    check(product, row, column, part, &all.body);
  } else if (check) {
    const Expr* first = w_.infix(w_.wide(part), "*", name("kPart"));
    const Variable* of_product =
        w_.let("product_column", w_.index, w_.infix(first, "+", kernel_.reference(column)), &all.body);
    check(product, row, of_product, nullptr, &all.body);
  }
  block->push_back(std::move(all));
  for (const ContractDemand::Product& each : demand_.products)
    expressions->members[each.node] = kernel_.subscript(kernel_.reference(products), kernel_.integer(each.part), type);
}

void TileWriter::add_results(const Sums& sums, const CheckSum& check, Block* body) {
  if (reduces_rows()) {
    add_reductions(sums, check, body);
    if (demand_.epilogue->stores.empty()) return;
    blank(body);
    add_elements(sums, nullptr, body);
    return;
  }
  apart() ? add_results_apart(sums, check, body) : add_elements(sums, check, body);
}

void TileWriter::add_elements(const Sums& sums, const CheckSum& check, Block* body) {
  const int64_t width = results_side_by_side(sums);
  const CType sum_type = CType::value(sums.dtype);
  const Expr* thread = kernel_.name_expr(sums.thread);
  const auto from = [&](size_t side, const std::string& more, const Expr* place) {
    const Expr* base = kernel_.reference(side == 1 && apart() ? part_column_ : first_[side]);
    if (side == 1 && in_parts()) base = w_.infix(base, "/", kernel_.name_expr("kParts"));
    if (!more.empty()) {
      const Expr* first = kernel_.name_expr(more);
      if (side == 1 && sums.in_halves) return w_.infix(base, "+", kernel_.call("column_of", {first, place}, kInteger));
      base = w_.infix(base, "+", side == 1 && in_parts() ? w_.infix(first, "/", kernel_.name_expr("kParts")) : first);
    }
    return w_.infix(base, "+", place);
  };
  const std::string columns_of_results = sums.columns + (in_parts() ? " / kParts" : "");
  const int64_t columns_count = sums.columns_count / (in_parts() ? demand_.parts.count : 1);
  const auto column_of = [&](const Expr* part, const Expr* j) {
    return part == nullptr ? j : kernel_.call("column_of", {part, j}, kInteger);
  };
  const auto sum_at = [&](const Expr* i, const Expr* j) {
    return kernel_.subscript(kernel_.name_expr(sums.array, sum_type), kernel_.call("sum_at", {i, j}, kInteger),
                             sum_type);
  };
  const bool of_two = reads_partners();
  const auto partner_of = [&](const Expr* j) {
    const Expr* half = kernel_.infix(kernel_.name_expr(sums.columns), "/", kernel_.integer(2), kInteger);
    return kernel_.infix(j, "^", sums.in_halves ? half : kernel_.name_expr("kPartner"), kInteger);
  };
  const auto read_value = [&](const Sums::Value& value, const Expr* element, Expressions* expressions) {
    for (const ContractDemand::Product& each : demand_.products) {
      if (each.part == value.part) expressions->members[each.node] = element;
    }
  };
  const auto leaves = [&](const Expr* outside, Block* block) {
    Statement guard = {.kind = StatementKind::kIf, .value = outside};
    guard.body.push_back({.kind = StatementKind::kBreak});
    block->push_back(std::move(guard));
  };
  const auto beyond = [&](const Variable* coordinate, const char* limit) {
    return kernel_.infix(kernel_.reference(coordinate), ">=", name(limit), kPred);
  };
  const bool few = after().nodes.size() <= kFewNodes;

  if (width == 1) {
    body->push_back({.kind = StatementKind::kComment, .text = "results: rows by warps, columns by lanes"});
    Statement columns = w_.counted_loop("j", "lane", columns_of_results, kWarp, "kWarp");
    const Expr* j = kernel_.reference(columns.variable);
    const Variable* column = w_.let("column", w_.index, from(1, sums.column, j), &columns.body);
    if (!whole_columns()) leaves(beyond(column, results_limit()), &columns.body);
    const bool by_warps = sums.threads_count > kWarp;
    Statement rows = w_.counted_loop("i", "", sums.rows, sums.threads_count / kWarp, by_warps ? "kWarps" : "");
    if (by_warps) rows.begin = kernel_.infix(thread, "/", kernel_.name_expr("kWarp"), kInteger);
    // Several rows under way at a time: what one takes is mostly the wait for shared memory.
    rows.unroll = few ? 8 : 4;
    const Expr* i = kernel_.reference(rows.variable);
    const Variable* row = w_.let("row", w_.index, from(0, sums.row, i), &rows.body);
    if (!whole_rows()) leaves(beyond(row, "kM"), &rows.body);
    Expressions expressions = results_at(row, column, i);
    for (const Sums::Value& value : sums.values) {
      const CType type = CType::value(value.dtype);
      const Expr* place = kernel_.call("sum_at", {i, j}, kInteger);
      read_value(value, kernel_.subscript(kernel_.name_expr(value.array, type), place, type), &expressions);
    }
    const auto sum_of = [&](const Expr* part) { return sum_at(i, column_of(part, j)); };
    const Expr* partner = of_two ? sum_at(i, partner_of(j)) : nullptr;
    add_result(sums, sum_of, partner, check, row, column, &expressions, &rows.body);
    columns.body.push_back(std::move(rows));
    drop_unread_indices(&columns.body, columns.body);
    body->push_back(std::move(columns));
    return;
  }

  // The statements of each product side by side have them.
  if (results_ == nullptr || results_ == demand_.results_apart.data()) {
    constant("kWidth", width, "results of a thread, side by side");
    constant("kRowThreads", in_parts() ? sums.columns + " / (kParts * kWidth)" : sums.columns + " / kWidth",
             "that share a row: " + std::to_string(columns_count / width));
  }
  kernel_.headers.insert("device/vector_access.cuh");
  body->push_back({.kind = StatementKind::kComment, .text = "results: kWidth side by side a thread"});
  const Expr* row_threads = kernel_.name_expr("kRowThreads");
  const Expr* in_row = kernel_.infix(thread, "%", row_threads, kInteger);
  const Expr* j =
      kernel_.reference(w_.let("j", kInteger, kernel_.infix(in_row, "*", kernel_.name_expr("kWidth"), kInteger), body));
  const Variable* first = w_.let("first_column", w_.index, from(1, sums.column, j), body);
  Statement rows =
      w_.counted_loop("i", "", sums.rows, sums.threads_count * width / columns_count, sums.threads + " / kRowThreads");
  rows.begin = kernel_.infix(thread, "/", row_threads, kInteger);
  // Of a warp's own sums, beside which there are few registers: what four rows load is waited for at once.
  const int64_t loaded = loaded_bytes(after()) * width;
  const bool has_room = sums.threads_count == kWarp && loaded <= kMostLoaded;
  rows.unroll = few || has_room ? 4 : loaded <= kMostOfTwo ? 2 : 1;
  const Expr* i = kernel_.reference(rows.variable);
  const Variable* row = w_.let("row", w_.index, from(0, sums.row, i), &rows.body);
  const Expr* outside = whole_rows() ? nullptr : beyond(row, "kM");
  if (!whole_columns()) {
    const Expr* right = beyond(first, results_limit());
    outside = outside == nullptr ? right : kernel_.infix(outside, "||", right, kPred);
  }
  if (outside != nullptr) leaves(outside, &rows.body);

  const CType vector = {
      .kind = CType::Kind::kVector, .dtype = sums.dtype, .length = width, .extent = std::string("kWidth")};
  const CType pointer = {.kind = CType::Kind::kPointer, .dtype = sums.dtype};
  const auto load_sums = [&](const Expr* part) {
    const Expr* address = kernel_.prefix("&", sum_at(i, column_of(part, j)), pointer);
    return kernel_.call("load_vector<kWidth>", {address}, vector);
  };
  const Expr* values = nullptr;
  if (in_parts()) {
    rows.body.push_back(text("Vector<" + cuda(sums.dtype) + ", kWidth> sums_values[kParts];\n"));
    values = kernel_.name_expr("sums_values", vector);
    Statement parts = w_.counted_loop("part", "", number_of_parts());
    parts.unroll = Statement::kUnrollFully;
    const Expr* part = kernel_.reference(parts.variable);
    parts.body.push_back(w_.assign(kernel_.subscript(values, part, vector), load_sums(part)));
    rows.body.push_back(std::move(parts));
  } else {
    values = kernel_.reference(w_.let("sums_values", vector, load_sums(nullptr), &rows.body));
  }
  // The partners of neighbours are neighbours, or, where they are closer, are among these.
  const Expr* partners = values;
  const bool are_among = demand_.partner < width;
  if (of_two && !are_among) {
    const Expr* address = kernel_.prefix("&", sum_at(i, partner_of(j)), pointer);
    const Expr* loaded = kernel_.call("load_vector<kWidth>", {address}, vector);
    partners = kernel_.reference(w_.let("partner_values", vector, loaded, &rows.body));
  }
  Expressions expressions = results_at(row, first, i);
  std::vector<const Expr*> more_values;
  for (const Sums::Value& value : sums.values) {
    CType type = vector, of_value = pointer;
    type.dtype = of_value.dtype = value.dtype;
    const Expr* place = kernel_.call("sum_at", {i, j}, kInteger);
    const Expr* element =
        kernel_.subscript(kernel_.name_expr(value.array, CType::value(value.dtype)), place, CType::value(value.dtype));
    const Expr* loaded = kernel_.call("load_vector<kWidth>", {kernel_.prefix("&", element, of_value)}, type);
    more_values.push_back(kernel_.reference(w_.let(value.name + "_values", type, loaded, &rows.body)));
  }
  places_.clear();
  load_vectors(width, &expressions, &rows.body);
  const Block stores = vector_stores(width, &expressions, &rows.body);
  Statement lanes = w_.counted_loop("e", "", "kWidth");
  lanes.unroll = Statement::kUnrollFully;
  const Expr* e = kernel_.reference(lanes.variable);
  const Variable* column = w_.let("column", w_.index, w_.infix(kernel_.reference(first), "+", e), &lanes.body);
  expressions.lane = e;
  expressions.coordinates[demand_.column] = kernel_.reference(column);
  for (size_t v = 0; v < sums.values.size(); ++v)
    read_value(sums.values[v], kernel_.subscript(more_values[v], e, CType::value(sums.values[v].dtype)), &expressions);
  const auto sum_of = [&](const Expr* part) {
    return kernel_.subscript(part == nullptr ? values : kernel_.subscript(values, part, vector), e, sum_type);
  };
  const Expr* place = are_among && of_two ? kernel_.infix(e, "^", kernel_.name_expr("kPartner"), kInteger) : e;
  const Expr* partner = of_two ? kernel_.subscript(partners, place, sum_type) : nullptr;
  add_result(sums, sum_of, partner, check, row, column, &expressions, &lanes.body);
  rows.body.push_back(std::move(lanes));
  rows.body.insert(rows.body.end(), stores.begin(), stores.end());
  drop_unread_indices(&rows.body, rows.body);
  body->push_back(std::move(rows));
}

}  // namespace sinter
