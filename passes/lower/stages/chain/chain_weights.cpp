// What weights are made by, and which columns count.
#include <algorithm>

#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/chain/chain_writer.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/names/value_names.h"

namespace sinter {

const Expr* ChainWriter::column_of(const IndexExpr& column, const Expr* row) {
  Expressions expressions = w_.expressions_of(*chain_.weights, coordinates(row, kernel_.integer(0)));
  return expressions.index(column);
}

void ChainWriter::add_counted_tiles(Block* body) {
  const WeighedColumns& weighed = *chain_.weighed;
  const bool largest = chain_.results[0].reduction == RowReduction::kMaximum;
  if (!weighed.conditions.empty()) add_conditions(body);
  body->push_back({.kind = Kind::kComment,
                   .text = largest
                               ? "tiles of columns that a row of the block has more of than the number that others have"
                               : "tiles of columns that have weights in a row of the block"});
  const bool asks = !weighed.conditions.empty();
  const auto chosen = [&](const Expr* counted, const Expr* all) {
    return asks ? kernel_.conditional(kernel_.name_expr("all_count", kPred), all, counted) : counted;
  };
  const auto narrow = [&](const Expr* value) {
    return w_.index.dtype == DType::kS64 ? kernel_.cast(kInteger, value) : value;
  };
  if (weighed.first) {
    const Expr* column = column_of(*weighed.first, reference(first_row_));
    if (weighed.first->range().low < 0) column = w_.limited("maximum", column, kernel_.integer(0));
    const Expr* tile = chosen(w_.infix(column, "/", name("kTileN")), kernel_.integer(0));
    w_.let("first_tile", kInteger, narrow(tile), body);
  }
  if (weighed.last) {
    const Expr* row = w_.infix(reference(first_row_), "+", name("kTileM - 1"));
    const Expr* column = w_.infix(column_of(*weighed.last, row), "+", name("kTileN"));
    if (weighed.last->range().low < 0) column = w_.limited("maximum", column, kernel_.integer(0));
    const Expr* tile = w_.limited("minimum", w_.infix(column, "/", name("kTileN")), name("kTiles"));
    w_.let("end_tile", kInteger, narrow(chosen(tile, name("kTiles"))), body);
  }
}

// Whether columns outside may count after all.
void ChainWriter::add_conditions(Block* body) {
  body->push_back({.kind = Kind::kComment,
                   .text = "masked columns have no weight beside a score that is larger by 104: exp(-104) is 0"});
  body->push_back(text("bool others = false;\n"));
  for (const WeighedColumns::Condition& condition : chain_.weighed->conditions) {
    const bool of_row = condition.at.reads_coordinate(kChainRow);
    const bool of_column = condition.at.reads_coordinate(kChainColumn);
    Statement all = of_column ? w_.counted_loop("column", "thread", "kColumns", form_.warps * kWarp, "kThreads")
                              : w_.counted_loop("row", "thread", "kTileM", form_.warps * kWarp, "kThreads");
    const Expr* number = w_.wide(reference(all.variable));
    const Expr* of_all = of_column ? number : w_.infix(reference(first_row_), "+", number);
    Expressions expressions = w_.expressions_of(*chain_.weights, coordinates(of_all, of_all));
    const Variable* pointer = expressions.buffers.at(condition.array);
    Literal bound(Shape::scalar(DType::kF32));
    bound.set_real(0, condition.bound);
    const Expr* larger =
        kernel_.infix(expressions.element(pointer, condition.at, DType::kF32), ">", kernel_.literal(bound), kPred);
    const Expr* counts = kernel_.prefix("!", larger, kPred);
    if (of_row && !whole_rows()) counts = w_.both(kernel_.infix(of_all, "<", name("kRows"), kPred), counts);
    all.body.push_back(
        {.kind = Kind::kAssign, .target = kernel_.name_expr("others", kPred), .value = counts, .text = "|="});
    body->push_back(std::move(all));
  }
  body->push_back(text("const bool all_count = __syncthreads_or(others);\n"));
}

// A row that has columns outside has their number, too.
Statement ChainWriter::add_others() {
  const WeighedColumns& weighed = *chain_.weighed;
  Statement down = w_.counted_loop("i", "", "kMmasM");
  down.unroll = Statement::kUnrollFully;
  Statement halves = w_.counted_loop("half", "", "2");
  Block* inner = &halves.body;
  const Expr* number = kernel_.name_expr("warp_row + i * kMmaM + half * 8 + group");
  const Expr* row = reference(w_.let("row_of_all", w_.index, w_.infix(reference(first_row_), "+", number), inner));
  const Expr* outside = nullptr;
  if (weighed.first) outside = kernel_.infix(column_of(*weighed.first, row), ">", kernel_.integer(0), kPred);
  if (weighed.last) {
    const Expr* behind = kernel_.infix(column_of(*weighed.last, row), "<", name("kColumns - 1"), kPred);
    outside = outside == nullptr ? behind : kernel_.infix(outside, "||", behind, kPred);
  }
  Literal others(Shape::scalar(DType::kF32));
  others.set_real(0, weighed.others);
  const Expr* largest = kernel_.name_expr("results[i][half]", kFloat);
  Statement test = {.kind = Kind::kIf, .value = outside};
  test.body.push_back(w_.assign(largest, kernel_.call("maximum", {largest, kernel_.literal(others)}, kFloat)));
  inner->push_back(std::move(test));
  down.body.push_back(std::move(halves));
  return down;
}

Statement ChainWriter::add_weights() {
  const DemandGraph& graph = *chain_.weights;
  Statement down = w_.counted_loop("i", "", "kMmasM");
  down.unroll = Statement::kUnrollFully;
  Statement across = w_.counted_loop("e", "", "kEights * 4");
  across.unroll = Statement::kUnrollFully;
  Block* inner = &across.body;
  const Variable* row_of_block =
      w_.let("row", kInteger, kernel_.name_expr("warp_row + i * kMmaM + e % 4 / 2 * 8 + group"), inner);
  const Variable* column_of_tile =
      w_.let("column_of_tile", kInteger, kernel_.name_expr("e / 4 * 8 + lane % 4 * 2 + e % 2"), inner);
  const Variable* row =
      w_.let("row_of_all", w_.index, w_.infix(reference(first_row_), "+", w_.wide(reference(row_of_block))), inner);
  const Expr* first = w_.infix(w_.wide(kernel_.name_expr("tile")), "*", name("kTileN"));
  const Variable* column = w_.let("column", w_.index, w_.infix(first, "+", w_.wide(reference(column_of_tile))), inner);
  Expressions expressions = w_.expressions_of(graph, coordinates(reference(row), reference(column)));
  expressions.is_rounded = !splits();

  Block value;
  for (size_t i = 0; i < chain_.products.size(); ++i) {
    const ChainDemand::Product& product = chain_.products[i];
    const Expr* made = kernel_.name_expr(numbered("products", i) + "[i][e / 4][e % 4]", kFloat);
    if (splits()) {
      const Expr* finite =
          kernel_.infix(kernel_.call("fabsf", {made}, kFloat), "<", kernel_.name_expr("INFINITY", kFloat), kPred);
      const auto features_at = [&](const std::string& array, const Variable* number) {
        const Expr* at =
            kernel_.infix(reference(number), "*", kernel_.name_expr(text_.of_tile("kRow", product.tile)), kInteger);
        const CType address = {.kind = CType::Kind::kConstPointer, .dtype = DType::kF32};
        return kernel_.prefix("&", kernel_.subscript(kernel_.name_expr(array, kFloat), at, kFloat), address);
      };
      const Expr* again = kernel_.call("product_again",
                                       {features_at("operands." + numbered("rows", i), row_of_block),
                                        features_at("here." + numbered("columns", product.tile), column_of_tile),
                                        kernel_.name_expr(text_.of_tile("kFeatures", product.tile))},
                                       kFloat);
      Statement test = {.kind = Kind::kIf, .value = kernel_.prefix("!", finite, kPred)};
      test.body.push_back(w_.assign(made, again));
      inner->push_back(std::move(test));
    }
    const DType dtype = product.dot->shape.dtype;
    Variable* variable = kernel_.variable(value_name(*product.dot), CType::value(dtype), product.dot);
    value.push_back({.kind = Kind::kLet,
                     .variable = variable,
                     .value = dtype == DType::kF32 ? made : expressions.narrow(dtype, made)});
    for (const NodeId leaf : product.leaves) expressions.variables[leaf] = variable;
  }
  const std::vector<const Expr*> weights = w_.results_of(graph, expressions, &value);
  const bool loads_rows = std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const DemandNode& node) {
    return node.kind == DemandNode::Kind::kLoad && node.expr.reads_coordinate(kChainRow);
  });
  const Expr* inside = w_.both(loads_rows && !whole_rows() ? below(row, "kRows") : nullptr,
                               whole_columns() ? nullptr : below(column, "kColumns"));
  Block outside;
  for (size_t i = 0; i < weights.size(); ++i) {
    const ChainDemand::Result& result = chain_.results[i];
    const DType dtype = graph.nodes[graph.results[i]].dtype;
    const Expr* weight = dtype == DType::kF32 ? weights[i] : kernel_.call("to_float", {weights[i]}, kFloat);
    if (result.reduction && !chain_.is_softmax()) {
      const Expr* sum = kernel_.name_expr("results[i][e % 4 / 2]", kFloat);
      if (result.reduction == RowReduction::kSum) {
        value.push_back({.kind = Kind::kAssign, .target = sum, .value = weight, .text = "+="});
      } else {
        value.push_back(w_.assign(sum, kernel_.call("maximum", {sum, weight}, kFloat)));
      }
      continue;
    }
    const Expr* to = kernel_.name_expr(text_.weights_of(i) + "[i][e / 4][e % 4]", kFloat);
    value.push_back(w_.assign(to, weight));
    outside.push_back(w_.assign(to, kernel_.name_expr(chain_.is_softmax() ? "-INFINITY" : "0.0f", kFloat)));
  }
  if (inside == nullptr) {
    inner->insert(inner->end(), value.begin(), value.end());
  } else {
    inner->push_back({.kind = Kind::kIf, .value = inside, .body = std::move(value), .other = std::move(outside)});
  }
  drop_unread_indices(inner, *inner);
  down.body.push_back(std::move(across));
  return down;
}

}  // namespace sinter
