// How queries, keys and values come to shared memory.
#include <algorithm>

#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
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

RowLoads AttendWriter::loads_of_keys() const {
  RowLoads keys = loads_of(1, attention_.key_elements);
  keys.rows = "kTileN";
  keys.outer_limit = "kKeys";
  keys.outer = "key";
  keys.whole = whole_keys();
  keys.by_warp = form_.by_keys;
  return keys;
}

RowLoads AttendWriter::loads_of_values() const {
  RowLoads values = loads_of_keys();
  values.operand = &attention_.value_elements;
  values.copy = &*attention_.copies[2];
  values.stride = "kValueRow";
  values.depth = "kWidth";
  values.limit = "kValues";
  values.inner = "value";
  values.full = full_width();
  values.inner_is_k = false;
  return values;
}

int64_t AttendWriter::converted_at_once(size_t number) const { return std::min(form_.chunk, elements_of_copy(number)); }

void AttendWriter::convert_tile(Block* block) {
  // Three terms leave few registers.
  constexpr int64_t kUnrolled = 4, kUnrolledOfThree = 2;
  blank(block);
  block->push_back({.kind = Kind::kComment, .text = "keys and values as products take them"});
  Block converted;
  const Expr* begin = w_.infix(w_.wide(kernel_.name_expr("tile")), "*", name("kTileN"));
  const Expr* first = reference(w_.let("first_key", w_.index, begin, &converted));
  for (const size_t number : {size_t{1}, size_t{2}}) {
    RowConversions conversions;
    conversions.rows = number == 1 ? loads_of_keys() : loads_of_values();
    conversions.rows.to = number == 1 ? "here.keys" : "here.values";
    conversions.rows.copies_of_row = number == 1 ? "kKeyGroups" : "kValueGroups";
    conversions.rows.first = first;
    conversions.from = number == 1 ? "raw.keys" : "raw.values";
    conversions.loaded = attention_.sources[number].load;
    conversions.dtype = attention_.sources[number].dtype;
    conversions.width = converted_at_once(number);
    conversions.unroll = attention_.product == Product::k3xTf32 ? kUnrolledOfThree : kUnrolled;
    converted.push_back(convert_rows(w_, conversions));
  }
  drop_unread_indices(&converted, converted);
  block->insert(block->end(), converted.begin(), converted.end());
  block->push_back(text(form_.by_keys ? "__syncwarp();\n" : "__syncthreads();\n"));
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
    block->push_back(text(std::string(tile_type()) + "& to = tiles[turn % kStages];\n"));
    tile = reference(w_.let("tile", kInteger, kernel_.name_expr("first_tile + turn * kWalkers"), block));
  } else {
    block->push_back(text(std::string(tile_type()) + "& to = operands." + tiles() + "[" + turn() + " % 2];\n"));
    if (begins_inside()) tile = add_tile_of_turn(block);
  }
  const Expr* begin = w_.infix(w_.wide(tile), "*", name("kTileN"));
  const Expr* first = reference(w_.let("first_key", w_.index, begin, block));
  RowLoads keys = loads_of_keys(), values = loads_of_values();
  keys.to = "to.keys";
  keys.copies_of_row = "kKeyCopies";
  values.to = "to.values";
  values.copies_of_row = "kValueCopies";
  for (RowLoads* loads : {&keys, &values}) {
    loads->first = first;
    if (attention_.converts()) {
      loads->dtype = attention_.sources[loads == &keys ? 1 : 2].dtype;
      loads->stride = loads->depth;
      loads->padded = false;
    }
    block->push_back(load_rows(w_, *loads));
  }
  if (form_.by_keys) lambda.body.push_back(std::move(test));
  lambda.body.push_back(text("commit_copies();\n"));
  return lambda;
}

}  // namespace sinter
