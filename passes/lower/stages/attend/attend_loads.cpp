// How queries, keys and values come to shared memory.
#include "passes/analysis/values/hardware.h"
#include "passes/lower/stages/attend/attend_writer.h"
#include "passes/lower/stages/attend/row_loads.h"
#include "passes/lower/stages/products/text_statement.h"

namespace sinter {

RowLoads AttendWriter::loads_of(size_t number, const ContractOperand& operand) const {
  RowLoads loads;
  loads.operand = &operand;
  loads.copy = attention_.copies[number] ? &*attention_.copies[number] : nullptr;
  loads.dtype = attention_.dtype;
  loads.chunk = form_.chunk;
  loads.stride = "kRow";
  loads.depth = "kDepth";
  loads.limit = "kFeatures";
  loads.inner = "feature";
  loads.full = full_depth();
  loads.batch = batch_;
  loads.threads = form_.warps * kWarp;
  return loads;
}

Statement AttendWriter::load_queries() {
  RowLoads loads = loads_of(0, attention_.queries);
  loads.to = "operands.queries";
  loads.rows = "kTileM";
  loads.copies_of_row = "kQueryCopies";
  loads.outer_limit = "kQueries";
  loads.outer = "query";
  loads.whole = whole_queries();
  if (first_query_ != nullptr) loads.first = reference(first_query_);
  return load_rows(w_, loads);
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
  RowLoads keys = loads_of(1, attention_.key_elements);
  keys.to = "to.keys";
  keys.rows = "kTileN";
  keys.copies_of_row = "kKeyCopies";
  keys.outer_limit = "kKeys";
  keys.outer = "key";
  keys.whole = whole_keys();
  keys.first = first;
  keys.by_warp = form_.by_keys;
  block->push_back(load_rows(w_, keys));
  RowLoads values = keys;
  values.operand = &attention_.value_elements;
  values.copy = &*attention_.copies[2];
  values.to = "to.values";
  values.stride = "kValueRow";
  values.depth = "kWidth";
  values.limit = "kValues";
  values.copies_of_row = "kValueCopies";
  values.inner = "value";
  values.full = full_width();
  values.inner_is_k = false;
  block->push_back(load_rows(w_, values));
  if (form_.by_keys) lambda.body.push_back(std::move(test));
  lambda.body.push_back(text("commit_copies();\n"));
  return lambda;
}

}  // namespace sinter
