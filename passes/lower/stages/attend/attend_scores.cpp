// What is made of the products of queries and keys: scores, and which keys are hidden from a query.
#include <algorithm>

#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/attend/attend_writer.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/names/value_names.h"

namespace sinter {

const Expr* AttendWriter::key_of(const IndexExpr& key, const Expr* query) {
  Expressions expressions = w_.expressions_of(*attention_.score, coordinates(query, kernel_.integer(0)));
  return expressions.index(key);
}

void AttendWriter::add_seen_tiles(Block* body) {
  const HiddenKeys& hidden = *attention_.hidden;
  body->push_back({.kind = Kind::kComment,
                   .text = hidden.first ? "tiles with keys that a query of the block sees come first, from its first "
                                          "one's first to its last one's last"
                                        : "tiles with keys that a query of the block sees: up to its last one"});
  if (hidden.first) {
    const Expr* first = key_of(*hidden.first, reference(first_query_));
    const IndexRange range = hidden.first->range();
    if (range.low < 0) first = w_.limited("maximum", first, kernel_.integer(0));
    if (range.high >= attention_.keys) first = w_.limited("minimum", first, name("kKeys - 1"));
    w_.let("first_tile", w_.index, w_.infix(first, "/", name("kTileN")), body);
  }
  const Expr* row = w_.infix(reference(first_query_), "+", name("kTileM - 1"));
  const Expr* last = reference(w_.let("last", w_.index, key_of(hidden.last, row), body));
  const Expr* more = w_.infix(last, "+", name("kTileN"));
  const Expr* tiles = w_.infix(more, "/", name("kTileN"));
  if (hidden.first) tiles = w_.infix(w_.limited("minimum", tiles, name("kTiles")), "-", name("first_tile"));
  w_.let(seen_turns(), w_.index, tiles, body);
}

// So many keys, at most, are in the windows of the first and the last query of a block.
int64_t AttendWriter::window_of_all() const {
  const IndexExpr first = attention_.hidden->first->substitute([&](const IndexExpr::Atom& atom) {
    const bool is_row = atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == kAttendRow;
    return is_row ? std::optional(IndexExpr::coordinate(kAttendRow, atom.range) + (form_.rows - 1)) : std::nullopt;
  });
  return (attention_.hidden->last + 1 - first).range().high;
}

bool AttendWriter::has_whole_tiles() const {
  if (form_.by_keys || (begins_inside() && window_of_all() < form_.keys)) return false;
  return attention_.hidden ? attention_.seen_score != nullptr : !whole_keys() && attention_.keys > form_.keys;
}

// Turns that begin inside ask of each tile.
void AttendWriter::add_whole_window(Block* body) {
  const HiddenKeys& hidden = *attention_.hidden;
  body->push_back(
      {.kind = Kind::kComment, .text = "tiles that each query of the block sees all of: no mask is looked at"});
  const Expr* row = w_.infix(reference(first_query_), "+", name("kTileM - 1"));
  const Expr* first = key_of(*hidden.first, row);
  if (hidden.first->range().low < 0) first = w_.limited("maximum", first, kernel_.integer(0));
  w_.let("first_whole", w_.index, w_.infix(w_.infix(first, "+", name("kTileN - 1")), "/", name("kTileN")), body);
  w_.let("end_of_whole", w_.index, w_.infix(seen_by_all(), "/", name("kTileN")), body);
}

// The first key behind those that the first query of the block sees; others see as many, or more.
const Expr* AttendWriter::seen_by_all() {
  const IndexExpr end = attention_.hidden->last + 1;
  const Expr* seen = w_.infix(key_of(attention_.hidden->last, reference(first_query_)), "+", kernel_.integer(1));
  if (end.range().low < 0) seen = w_.limited("maximum", seen, kernel_.integer(0));
  if (end.range().high > attention_.keys) seen = w_.limited("minimum", seen, name("kKeys"));
  return seen;
}

void AttendWriter::add_whole_tiles(Block* body) {
  const char* comment = attention_.hidden ? "tiles that each query of the block sees all of: no mask is looked at"
                                          : "tiles with a key in each place";
  body->push_back({.kind = Kind::kComment, .text = comment});
  const Expr* keys = name("kKeys");
  if (attention_.hidden) {
    keys = seen_by_all();
  }
  w_.let("whole_tiles", kInteger, kernel_.infix(keys, "/", kernel_.name_expr("kTileN"), kInteger), body);
}

void AttendWriter::add_end_of_seen(Block* block) {
  const double score = attention_.hidden->score;
  Literal bound(Shape::scalar(DType::kF32));
  bound.set_real(0, score + kNoWeight);
  const Expr* limit = kernel_.literal(bound);
  Statement test = {.kind = Kind::kIf,
                    .value = kernel_.infix(kernel_.name_expr(turn()), "==", name(seen_turns()), kPred)};
  test.body.push_back({.kind = Kind::kNote,
                       .text =
                           "keys from here on are masked: beside a score that is larger by 104 they have no weight, "
                           "exp(-104) is 0, and their values are not read"});
  test.body.push_back(text("bool more = false;\n"));
  Statement rows = w_.counted_loop("e", "", "kMmasM * 2");
  rows.unroll = Statement::kUnrollFully;
  const Expr* largest = kernel_.name_expr("most", kFloat);
  rows.body.push_back(text("const float most = largest[e / 2][e % 2];\n"));
  const Expr* weighs = kernel_.prefix("!", kernel_.infix(largest, ">", limit, kPred), kPred);
  if (!whole_queries()) {
    const Variable* query = w_.let(
        "query", w_.index, query_of(kernel_.name_expr("warp_row + e / 2 * kMmaM + e % 2 * 8 + group")), &rows.body);
    weighs = w_.both(below(query, "kQueries"), weighs);
  }
  rows.body.push_back(
      {.kind = Kind::kAssign, .target = kernel_.name_expr("more", kPred), .value = weighs, .text = "|="});
  test.body.push_back(std::move(rows));
  test.body.push_back(text("if (!__syncthreads_or(more)) break;\n"));
  block->push_back(std::move(test));
}

void AttendWriter::add_scores(Block* block) {
  const bool checks = attention_.product == Product::k3xTf32;
  const Block all = scores_of(*attention_.score, attention_.products, !whole_keys());
  if (checks) {
    block->push_back({.kind = Kind::kNote, .text = "what is not finite is computed again, in f32"});
    block->push_back(
        text("const auto product_again = [&](int row, int key) {\n"
             "  float total = 0.0f;\n"
             "  for (int c = 0; c < kFeatures; ++c)\n"
             "    total = fmaf(operands.queries[row * kRow + c], here.keys[key * kRow + c], total);\n"
             "  return total;\n"
             "};\n"));
  }
  if (!has_whole_tiles()) {
    block->insert(block->end(), all.begin(), all.end());
    return;
  }
  Statement test = {.kind = Kind::kIf, .value = kernel_.name_expr("is_whole", kPred), .other = all};
  test.body = attention_.hidden ? scores_of(*attention_.seen_score, attention_.seen_products, false)
                                : scores_of(*attention_.score, attention_.products, false);
  if (test.body.empty()) {
    test.value = kernel_.prefix("!", test.value, kPred);
    std::swap(test.body, test.other);
  }
  block->push_back(std::move(test));
}

Block AttendWriter::scores_of(const DemandGraph& graph, const std::vector<NodeId>& products, bool tests_keys) {
  const DType product_type = attention_.attention.products->shape.dtype;
  const bool loads = std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const DemandNode& node) {
    return node.kind == DemandNode::Kind::kLoad && depends_on(node.expr, kAttendRow);
  });
  const bool checks = attention_.product == Product::k3xTf32;
  const bool plain = graph.nodes[graph.results[0]].kind == DemandNode::Kind::kParameter;
  if (plain && !tests_keys && !checks && product_type == DType::kF32) return {};
  Statement down = w_.counted_loop("i", "", "kMmasM");
  down.unroll = Statement::kUnrollFully;
  Statement across = w_.counted_loop("e", "", "kEights * 4");
  Block* inner = &across.body;
  inner->push_back(text("float& score = scores[i][e / 4][e % 4];\n"));
  const Variable* row =
      w_.let("row", kInteger, kernel_.name_expr(first_row() + "i * kMmaM + e % 4 / 2 * 8 + group"), inner);
  const Variable* column = w_.let("column", kInteger, kernel_.name_expr("e / 4 * 8 + lane % 4 * 2 + e % 2"), inner);
  const Variable* query = w_.let("query", w_.index, query_of(reference(row)), inner);
  const Expr* first = w_.infix(w_.wide(kernel_.name_expr("tile")), "*", name("kTileN"));
  const Variable* key = w_.let("key", w_.index, w_.infix(first, "+", reference(column)), inner);
  const Expr* score = kernel_.name_expr("score", kFloat);
  if (checks) {
    const Expr* again = kernel_.call("product_again", {reference(row), reference(column)}, kFloat);
    const Expr* finite =
        kernel_.infix(kernel_.call("fabsf", {score}, kFloat), "<", kernel_.name_expr("INFINITY", kFloat), kPred);
    Statement test = {.kind = Kind::kIf, .value = kernel_.prefix("!", finite, kPred)};
    test.body.push_back(w_.assign(score, again));
    inner->push_back(std::move(test));
  }

  Expressions expressions = w_.expressions_of(graph, coordinates(reference(query), reference(key)));
  Block value;
  if (product_type == DType::kF32) {
    for (const NodeId node : products) expressions.members[node] = score;
  } else {
    Variable* product = kernel_.variable(value_name(*attention_.attention.products), CType::value(product_type),
                                         attention_.attention.products);
    value.push_back({.kind = Kind::kLet, .variable = product, .value = expressions.narrow(product_type, score)});
    for (const NodeId node : products) expressions.variables[node] = product;
  }
  const Expr* result = w_.results_of(graph, expressions, &value)[0];
  if (attention_.attention.score->shape.dtype != DType::kF32) result = kernel_.call("to_float", {result}, kFloat);
  if (!plain || product_type != DType::kF32) value.push_back(w_.assign(score, result));

  const Expr* inside = w_.both(loads && !whole_queries() ? below(query, "kQueries") : nullptr,
                               tests_keys ? below(key, "kKeys") : nullptr);
  if (inside == nullptr) {
    inner->insert(inner->end(), value.begin(), value.end());
  } else if (value.empty()) {
    Statement test = {.kind = Kind::kIf, .value = kernel_.prefix("!", inside, kPred)};
    if (!loads || whole_queries()) test.value = kernel_.infix(reference(key), ">=", name("kKeys"), kPred);
    test.body.push_back(text("score = -INFINITY;\n"));
    inner->push_back(std::move(test));
  } else {
    Statement test = {.kind = Kind::kIf, .value = inside, .body = std::move(value)};
    test.other.push_back(text("score = -INFINITY;\n"));
    inner->push_back(std::move(test));
  }
  drop_unread_indices(inner, *inner);
  across.unroll = Statement::kUnrollFully;
  down.body.push_back(std::move(across));
  return {std::move(down)};
}

}  // namespace sinter
