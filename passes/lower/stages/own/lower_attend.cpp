// The text of attention: a block has some queries of one element of the batch, and takes tiles of keys and values one
// after the other. What is the same in all programs stands in attend_text.cpp; here is what a program decides: where
// queries, keys and values come from, what is made of a product to be a score, which keys are hidden from a query, and
// what is made of a result.
#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "ir/values/dtype.h"
#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/own/attend_text.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/lower/stages/own/store_epilogue.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/names/value_names.h"
#include "passes/stages/attend/attend_stage.h"

namespace sinter {

namespace {

using Kind = Statement::Kind;
using Product = TensorCoreForm::Product;

const CType kInteger = CType::value(DType::kS32);
const CType kPred = CType::value(DType::kPred);
const CType kFloat = CType::value(DType::kF32);
const CType kVoid = {.kind = CType::Kind::kVoid};

DType index_type(const AttendDemand& demand) {
  const AttentionDemand& attention = demand.attention;
  for (const DemandGraph* graph :
       {attention.queries.graph.get(), attention.key_elements.graph.get(), attention.value_elements.graph.get(),
        attention.score.get(), demand.epilogue.all.get()}) {
    if (index_type_of(*graph) == DType::kS64) return DType::kS64;
  }
  return DType::kS32;
}

class AttendLowering {
 public:
  AttendLowering(const StageInput& input, const AttendDemand& demand)
      : input_(input),
        demand_(demand),
        attention_(demand.attention),
        form_(demand.form),
        w_(input, "", index_type(demand)),
        kernel_(w_.kernel) {
    text_.product = attention_.product;
    text_.element = std::string(dtype_cuda_name(attention_.dtype));
    const bool half = attention_.dtype == DType::kF16;
    text_.mma = attention_.product != Product::k16Bits ? "mma_tf32" : half ? "mma_f16" : "mma_bf16";
    text_.narrow = half ? "to_half" : "to_bfloat16";
  }

  LoweredStage run() {
    add_constants();
    const DemandGraph& all = *demand_.epilogue.all;
    w_.add_values(all, input_.values.outputs);
    w_.add_counter(all);
    w_.rename_parameters(attend_names());
    add_headers();
    kernel_.shared.bytes = form_.shared_bytes;
    kernel_.declarations = {text_.shared()};

    const int64_t threads = form_.warps * kWarp;
    const int64_t blocks = attention_.batch * ceil_div(attention_.rows, form_.rows);
    StageBody body;
    body.set_tiles(threads, blocks, attention_.batch > 1 ? "kBatch * kRowTiles" : "kRowTiles");
    body.write = [this](const Tile& tile, Block* block) { write(tile.x, block); };
    body.graph = &all;
    body.elements = attention_.batch * attention_.rows * attention_.values;
    body.spread = spread();
    LoweredStage stage;
    stage.steps.push_back(add_kernel(&w_, body, &stage));
    return stage;
  }

 private:
  int64_t elements_of_copy(size_t operand) const {
    return attention_.copies[operand] ? attention_.copies[operand]->elements : 1;
  }
  std::string copy_spelling(size_t operand) const {
    const int64_t elements = elements_of_copy(operand);
    return elements == form_.chunk ? "kChunk" : std::to_string(elements);
  }

  bool whole_queries() const { return attention_.rows % form_.rows == 0; }
  bool whole_keys() const { return attention_.keys % form_.keys == 0; }

  void constant(const char* name, const std::string& value, const std::string& comment = "") {
    kernel_.constants.push_back({name, "int", value, comment});
  }
  void constant(const char* name, int64_t value, const std::string& comment = "") {
    constant(name, std::to_string(value), comment);
  }

  void add_constants() {
    const auto count = [](bool whole, const std::string& extent, const std::string& tile) {
      return whole ? extent + " / " + tile : "(" + extent + " + " + tile + " - 1) / " + tile;
    };
    const auto in_shared = [](int64_t extent, int64_t padded) {
      return extent == padded ? std::string() : "in shared memory, zeros behind the last";
    };
    if (attention_.batch > 1) constant("kBatch", attention_.batch);
    constant("kQueries", attention_.rows);
    constant("kKeys", attention_.keys);
    constant("kFeatures", attention_.features, "of a query and a key");
    constant("kValues", attention_.values, "of a key and a result");
    constant("kTileM", form_.rows, "queries of a block");
    constant("kTileN", form_.keys, "keys at a time");
    constant("kRowTiles", count(whole_queries(), "kQueries", "kTileM"),
             std::to_string(ceil_div(attention_.rows, form_.rows)));
    constant("kTiles", count(whole_keys(), "kKeys", "kTileN"), std::to_string(ceil_div(attention_.keys, form_.keys)));
    constant("kWarp", kWarp);
    constant("kWarps", form_.warps);
    constant("kThreads", "kWarps * kWarp", std::to_string(form_.warps * kWarp));
    constant("kWarpM", "kTileM / kWarps", "queries of a warp: " + std::to_string(form_.warp_rows()));
    constant("kMmaM", 16, "of an instruction, 8 wide");
    constant("kChunk", form_.chunk, "elements of 16 bytes");
    constant("kMmaK", "2 * kChunk", std::to_string(form_.mma_k()));
    constant("kMmasM", "kWarpM / kMmaM", std::to_string(form_.warp_rows() / 16));
    constant("kDepth", form_.features, in_shared(attention_.features, form_.features));
    constant("kWidth", form_.values, in_shared(attention_.values, form_.values));
    constant("kSteps", "kDepth / kMmaK", "along features: " + std::to_string(form_.features / form_.mma_k()));
    constant("kEights", "kTileN / 8", "of keys: " + std::to_string(form_.keys / 8));
    constant("kValueEights", "kWidth / 8", std::to_string(form_.values / 8));
    constant("kRow", "kDepth + kChunk", "to the next row: eight lie in all 32 banks");
    constant("kValueRow", "kWidth + kChunk");
    constant("kResultRow", "kWidth + 8");
    const char* names[] = {"kQueryCopies", "kKeyCopies", "kValueCopies"};
    for (const size_t operand : {0, 1, 2}) {
      if (elements_of_copy(operand) > 1)
        constant(names[operand], (operand == 2 ? "kWidth / " : "kDepth / ") + copy_spelling(operand), "of a row");
    }
  }

  void add_headers() {
    for (const char* header : {"device/async_copy.cuh", "device/ldmatrix.cuh", "device/mma.cuh",
                               "device/vector_access.cuh", "device/warp_reduce.cuh"})
      kernel_.headers.insert(header);
    if (attention_.product != Product::k16Bits) {
      kernel_.headers.insert("device/tf32_split.cuh");
    } else {
      kernel_.headers.insert("device/bit_cast.cuh");
      kernel_.headers.insert("device/half.cuh");
    }
  }

  std::string spread() const {
    const std::string what = attention_.product == Product::k16Bits ? ""
                             : attention_.product == Product::kTf32 ? " in TF32"
                                                                    : " in 3 terms of TF32 each";
    return std::to_string(form_.rows) + " queries a block of " + std::to_string(form_.warps) + " warps, " +
           std::to_string(form_.warp_rows()) + " each, and " + std::to_string(form_.keys) +
           " keys at a time: scores stay in registers, products are made on tensor cores" + what + ".";
  }

  const Expr* name(const std::string& spelling) { return kernel_.name_expr(spelling, w_.index); }
  const Expr* reference(const Variable* variable) { return kernel_.reference(variable); }
  const Expr* below(const Variable* variable, const char* limit) {
    return kernel_.infix(reference(variable), "<", name(limit), kPred);
  }
  static void blank(Block* block) { block->push_back({.kind = Kind::kBlank}); }
  std::map<int, const Expr*> coordinates(const Expr* second, const Expr* third) {
    return {{kAttendBatch, batch_}, {1, second}, {2, third}};
  }

  void write(const Expr* tile, Block* body) {
    w_.shared(body);
    body->push_back(
        text("Shared::Operands& operands = shared.operands;\n"
             "const int thread = threadIdx.x, lane = thread % kWarp, group = lane / 4;\n"
             "const int warp_row = thread / kWarp * kWarpM;\n"));
    const Expr* row_tile = tile;
    batch_ = kernel_.integer(0);
    if (attention_.batch > 1) {
      const Expr* batches = kernel_.name_expr("kBatch");
      batch_ = reference(w_.let("batch", w_.index, w_.wide(kernel_.infix(tile, "%", batches, kInteger)), body));
      row_tile = kernel_.infix(tile, "/", batches, kInteger);
    }
    if (attention_.hidden) {
      body->push_back({.kind = Kind::kNote, .text = "later queries first, which have more keys"});
      const Expr* last = kernel_.infix(kernel_.name_expr("kRowTiles"), "-", kernel_.integer(1), kInteger);
      row_tile = kernel_.infix(last, "-", row_tile, kInteger);
    }
    first_query_ = w_.let("first_query", w_.index, w_.infix(w_.wide(row_tile), "*", name("kTileM")), body);
    blank(body);
    const std::string outside =
        whole_queries() && whole_keys() && full_depth() && full_width() ? "" : ", zeros outside";
    body->push_back({.kind = Kind::kComment, .text = "queries to shared memory" + outside});
    body->push_back(load_queries());
    blank(body);
    body->push_back({.kind = Kind::kComment, .text = "a tile of keys and values, as one group of copies" + outside});
    body->push_back(copy_tile());
    blank(body);
    body->push_back(text("copy_tile(0);\n" + text_.load_queries()));
    blank(body);
    body->push_back({.kind = Kind::kComment,
                     .text = "of each query of a lane: the largest score so far, the sum of weights and that of values "
                             "by weights"});
    body->push_back(
        text("float largest[kMmasM][2], sum[kMmasM][2] = {}, results[kMmasM][kValueEights][4] = {};\n"
             "for (int i = 0; i < kMmasM; ++i) largest[i][0] = largest[i][1] = -INFINITY;\n"));
    if (attention_.hidden) add_seen_tiles(body);
    Statement tiles = w_.counted_loop("tile", "", "kTiles");
    tile_ = tiles.variable;
    write_tile(&tiles.body);
    body->push_back(std::move(tiles));
    blank(body);
    body->push_back(text(text_.results_to_shared()));
    blank(body);
    body->push_back(store_results());
  }

  // How an operand's rows come to shared memory: threads copy, or compute, groups of neighbours.
  struct Rows {
    const ContractOperand& operand;
    size_t number;                 // of the operand, by which copies go
    std::string to, stride, rows;  // `rows` of them at to[row * stride + element]
    const char *depth, *limit;     // of a row in shared memory, and of what there is
    const char *outer_limit, *outer, *inner;
    bool whole, full;  // no row is outside; rows have nothing behind the last element
    bool inner_is_k;
  };

  Statement load_rows(const Rows& rows, const Expr* first) {
    constexpr const char* kCopies[] = {"kQueryCopies", "kKeyCopies", "kValueCopies"};
    const std::optional<TileCopy>& copy = attention_.copies[rows.number];
    const int64_t elements = elements_of_copy(rows.number);
    const std::string per_row = elements == 1 ? rows.depth : kCopies[rows.number];
    Statement all = w_.counted_loop("i", "thread", rows.rows + " * " + per_row, form_.warps * kWarp, "kThreads");
    const Expr *i = reference(all.variable), *count = kernel_.name_expr(per_row);
    const auto integer = [&](const Expr* a, const char* op, const Expr* b) {
      return kernel_.infix(a, op, b, kInteger);
    };
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
    const Variable* outer = w_.let(rows.outer, w_.index, w_.infix(first, "+", row), &all.body);
    const Expr* inside =
        w_.both(rows.whole ? nullptr : below(outer, rows.outer_limit), rows.full ? nullptr : below(inner, rows.limit));
    const Expr* at = kernel_.infix(kernel_.infix(row, "*", kernel_.name_expr(rows.stride), kInteger), "+",
                                   reference(inner), kInteger);
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

  bool full_depth() const { return form_.features == attention_.features; }
  bool full_width() const { return form_.values == attention_.values; }

  Statement load_queries() {
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
                     reference(first_query_));
  }

  Statement copy_tile() {
    Statement lambda = {.kind = Kind::kScope, .text = "const auto copy_tile = [&](int tile)"};
    lambda.body.push_back(text("Shared::Tile& to = operands.tile[tile % 2];\n"));
    const Expr* begin = w_.infix(w_.wide(kernel_.name_expr("tile")), "*", name("kTileN"));
    const Expr* first = reference(w_.let("first_key", w_.index, begin, &lambda.body));
    lambda.body.push_back(load_rows({.operand = attention_.key_elements,
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
                                    first));
    lambda.body.push_back(load_rows({.operand = attention_.value_elements,
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
                                    first));
    lambda.body.push_back(text("commit_copies();\n"));
    return lambda;
  }

  // Tiles that have keys which some query of the block sees.
  void add_seen_tiles(Block* body) {
    const Expr* row = w_.infix(reference(first_query_), "+", name("kTileM - 1"));
    Expressions expressions = w_.expressions_of(*attention_.score, coordinates(row, kernel_.integer(0)));
    const Expr* last = reference(w_.let("last", w_.index, expressions.index(attention_.hidden->last), body));
    const Expr* more = w_.infix(last, "+", name("kTileN"));
    const Expr* seen = w_.infix(more, "/", name("kTileN"));
    w_.let("seen_tiles", w_.index, seen, body);
    body->insert(body->end() - 2, {.kind = Kind::kComment,
                                   .text = "tiles with keys that a query of the block sees: up to its last one"});
  }

  void write_tile(Block* block) {
    block->push_back(text("const Shared::Tile& here = operands.tile[tile % 2];\n"));
    if (attention_.hidden) add_end_of_seen(block);
    block->push_back(
        text("wait_copies<0>();\n"
             "__syncthreads();\n"
             "if (tile + 1 < kTiles) copy_tile(tile + 1);\n"));
    blank(block);
    block->push_back({.kind = Kind::kComment, .text = "scores"});
    block->push_back(text(text_.products()));
    add_scores(block);
    blank(block);
    block->push_back(text(text_.softmax()));
    blank(block);
    block->push_back(text(text_.add_values()));
  }

  // Behind what is seen all scores are the same number, and weights are 0 beside a score that is larger by kWeighs.
  void add_end_of_seen(Block* block) {
    constexpr double kNothing = 104;  // exp(-104) is 0 in f32
    const double score = attention_.hidden->score;
    Literal bound(Shape::scalar(DType::kF32));
    bound.set_real(0, score + kNothing);
    const Expr* limit = kernel_.literal(bound);
    Statement test = {.kind = Kind::kIf,
                      .value = kernel_.infix(kernel_.name_expr("tile"), "==", name("seen_tiles"), kPred)};
    test.body.push_back({.kind = Kind::kNote,
                         .text = "from here on all scores are one number: no weight beside one that is larger by 104, "
                                 "whose exp(-104) is 0"});
    test.body.push_back(text("bool more = false;\n"));
    Statement rows = w_.counted_loop("e", "", "kMmasM * 2");
    rows.unroll = Statement::kUnrollFully;
    const Expr* largest = kernel_.name_expr("most", kFloat);
    rows.body.push_back(text("const float most = largest[e / 2][e % 2];\n"));
    const Expr* weighs = kernel_.prefix("!", kernel_.infix(largest, ">", limit, kPred), kPred);
    if (!whole_queries()) {
      const Variable* query = w_.let(
          "query", w_.index,
          w_.infix(reference(first_query_), "+", kernel_.name_expr("warp_row + e / 2 * kMmaM + e % 2 * 8 + group")),
          &rows.body);
      weighs = w_.both(below(query, "kQueries"), weighs);
    }
    rows.body.push_back(
        {.kind = Kind::kAssign, .target = kernel_.name_expr("more", kPred), .value = weighs, .text = "|="});
    test.body.push_back(std::move(rows));
    test.body.push_back(text("if (!__syncthreads_or(more)) break;\n"));
    block->push_back(std::move(test));
  }

  // What is made of the products: scales, masks, biases; -infinity beside the last key.
  void add_scores(Block* block) {
    const DemandGraph& graph = *attention_.score;
    const DType product_type = attention_.attention.products->shape.dtype;
    const bool loads = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                   [](const DemandNode& node) { return node.kind == DemandNode::Kind::kLoad; });
    const bool checks = attention_.product == Product::k3xTf32;
    const bool plain = graph.nodes[graph.results[0]].kind == DemandNode::Kind::kParameter;
    if (plain && whole_keys() && !checks && product_type == DType::kF32) return;
    if (checks) {
      block->push_back({.kind = Kind::kNote, .text = "what is not finite: as f32 has it"});
      block->push_back(
          text("const auto product_again = [&](int row, int key) {\n"
               "  float total = 0.0f;\n"
               "  for (int c = 0; c < kFeatures; ++c)\n"
               "    total = fmaf(operands.queries[row * kRow + c], here.keys[key * kRow + c], total);\n"
               "  return total;\n"
               "};\n"));
    }
    Statement down = w_.counted_loop("i", "", "kMmasM");
    down.unroll = Statement::kUnrollFully;
    Statement across = w_.counted_loop("e", "", "kEights * 4");
    Block* inner = &across.body;
    inner->push_back(text("float& score = scores[i][e / 4][e % 4];\n"));
    const Variable* row =
        w_.let("row", kInteger, kernel_.name_expr("warp_row + i * kMmaM + e % 4 / 2 * 8 + group"), inner);
    const Variable* column = w_.let("column", kInteger, kernel_.name_expr("e / 4 * 8 + lane % 4 * 2 + e % 2"), inner);
    const Variable* query = w_.let("query", w_.index, w_.infix(reference(first_query_), "+", reference(row)), inner);
    const Expr* first = w_.infix(w_.wide(reference(tile_)), "*", name("kTileN"));
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
      for (const NodeId node : attention_.products) expressions.members[node] = score;
    } else {
      Variable* product = kernel_.variable(value_name(*attention_.attention.products), CType::value(product_type),
                                           attention_.attention.products);
      value.push_back({.kind = Kind::kLet, .variable = product, .value = expressions.narrow(product_type, score)});
      for (const NodeId node : attention_.products) expressions.variables[node] = product;
    }
    const Expr* result = w_.results_of(graph, expressions, &value)[0];
    if (attention_.attention.score->shape.dtype != DType::kF32) result = kernel_.call("to_float", {result}, kFloat);
    if (!plain || product_type != DType::kF32) value.push_back(w_.assign(score, result));

    const Expr* inside = w_.both(loads && !whole_queries() ? below(query, "kQueries") : nullptr,
                                 whole_keys() ? nullptr : below(key, "kKeys"));
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
    block->push_back(std::move(down));
  }

  Statement store_results() {
    Statement all = w_.counted_loop("e", "lane", "kWarpM * kValues", kWarp, "kWarp");
    all.unroll = 4;
    Block* block = &all.body;
    const Expr* e = reference(all.variable);
    const Expr* values = kernel_.name_expr("kValues");
    const Variable* row = w_.let(
        "row", kInteger,
        kernel_.infix(kernel_.name_expr("warp_row"), "+", kernel_.infix(e, "/", values, kInteger), kInteger), block);
    const Variable* column = w_.let("column", kInteger, kernel_.infix(e, "%", values, kInteger), block);
    const Variable* query = w_.let("query", w_.index, w_.infix(reference(first_query_), "+", reference(row)), block);
    if (!whole_queries()) {
      Statement end = {.kind = Kind::kIf, .value = kernel_.infix(reference(query), ">=", name("kQueries"), kPred)};
      end.body.push_back({.kind = Kind::kBreak});
      block->push_back(std::move(end));
    }
    const Expr* at = kernel_.infix(kernel_.infix(reference(row), "*", kernel_.name_expr("kResultRow"), kInteger), "+",
                                   reference(column), kInteger);
    const Expr* value = kernel_.subscript(kernel_.name_expr("shared.results", kFloat), at, kFloat);
    const DType dtype = demand_.fusion->shape.dtype;
    if (dtype != DType::kF32) {
      Expressions expressions = w_.expressions_of(*demand_.epilogue.all, {});
      value = expressions.narrow(dtype, value);
    }
    store_epilogue(input_, w_, demand_.epilogue,
                   {.source = demand_.fusion,
                    .coordinates = {{0, batch_}, {1, reference(query)}, {2, w_.wide(reference(column))}},
                    .constants = {},
                    .name = "result",
                    .value = value},
                   block);
    return all;
  }

  const StageInput& input_;
  const AttendDemand& demand_;
  const AttentionDemand& attention_;
  const AttendForm& form_;
  AttendText text_;
  StageWriter w_;
  Kernel& kernel_;
  const Expr* batch_ = nullptr;
  const Variable* first_query_ = nullptr;
  const Variable* tile_ = nullptr;
};

}  // namespace

LoweredStage lower_attend(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<AttendDemand> demand = demand_attend(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the attention has no form");
  return AttendLowering(input, *demand).run();
}

}  // namespace sinter
