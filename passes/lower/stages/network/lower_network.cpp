// A network's kernel: a block computes all layers of some rows, whose activations stay in shared memory.
#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "ir/values/dtype.h"
#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/network/network_text.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/lower/stages/own/store_epilogue.h"
#include "passes/lower/stages/products/statistics_writer.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/names/value_names.h"
#include "passes/stages/network/network_stage.h"

namespace sinter {

namespace {

using Product = TensorCoreForm::Product;
using Kind = Statement::Kind;

DType index_type(const NetworkStageDemand& demand) {
  std::vector<const DemandGraph*> graphs = {demand.network.first.graph.get(), demand.epilogue.all.get()};
  for (const NetworkLayer& layer : demand.network.layers) {
    for (const DemandGraph* graph : layer.graphs()) graphs.push_back(graph);
  }
  const bool wide = std::any_of(graphs.begin(), graphs.end(),
                                [](const DemandGraph* graph) { return index_type_of(*graph) == DType::kS64; });
  return wide ? DType::kS64 : DType::kS32;
}

class NetworkWriter {
 public:
  NetworkWriter(const StageInput& input, const NetworkStageDemand& demand)
      : input_(input),
        demand_(demand),
        network_(demand.network),
        form_(demand.form),
        w_(input, "", index_type(demand)),
        kernel_(w_.kernel) {
    const auto is_wide = [&](const NetworkLayer& layer) {
      return (layer.turned ? layer.terms : layer.columns) % form_.chunk() == 0;
    };
    text_.product = form_.product;
    text_.per_row = kThreads / form_.tile_k;
    text_.element = cuda(network_.dtype);
    text_.keeps = form_.kept_row > 0;
    name_rows();
    const bool half = network_.dtype == DType::kF16;
    text_.mma = form_.product != Product::k16Bits ? "mma_tf32" : half ? "mma_f16" : "mma_bf16";
    for (const bool turned : {false, true}) {
      NetworkText::Copies& copies = turned ? text_.turned : text_.straight;
      for (const NetworkLayer& layer : network_.layers) {
        if (layer.turned != turned) continue;
        (is_wide(layer) ? copies.has_wide_rows : copies.has_narrow_rows) = true;
        if ((turned ? layer.columns : layer.terms) % 8 != 0) copies.in_eights = false;
      }
    }
    text_.has_short_tiles = std::any_of(network_.layers.begin(), network_.layers.end(), [&](const NetworkLayer& layer) {
      return ceil_div(layer.terms, kNetworkUnit) * kNetworkUnit % form_.tile_k != 0;
    });
  }

  LoweredStage run() {
    add_constants();
    const DemandGraph& all = *demand_.epilogue.all;
    LoweredStage stage;
    w_.add_values(all, input_.values.outputs);
    w_.add_counter(all);
    w_.rename_parameters(network_names());
    add_headers();
    kernel_.shared.bytes = form_.shared_bytes;
    kernel_.declarations = {text_.shared(), text_.columns_of_warp(), text_.copy_tile(), text_.multiply()};
    if (splits()) kernel_.declarations.push_back(text_.product_again());
    kernel_.work = network_work(network_, form_);

    StageBody body;
    body.set_tiles(kThreads, ceil_div(network_.rows, form_.rows()), "kRowTiles");
    body.tiles.together = form_.together;
    body.write = [this](const Tile& tile, Block* block) { write(tile, block); };
    body.graph = &all;
    body.elements = network_.rows * network_.columns();
    body.spread = spread();
    body.tiled = {{&all, all.coordinate(kNetworkRow), network_.rows, "kTileM", "rows"}};
    stage.steps.push_back(add_kernel(&w_, body, &stage));
    return stage;
  }

 private:
  static constexpr int64_t kThreads = NetworkForm::kWarps * kWarp;
  static inline const CType kFloat = CType::value(DType::kF32);

  bool splits() const { return form_.product == Product::k3xTf32; }
  bool whole_rows() const { return network_.rows % form_.rows() == 0; }
  const Expr* name(const std::string& spelling) { return kernel_.name_expr(spelling, w_.index); }
  const Expr* reference(const Variable* variable) { return kernel_.reference(variable); }
  const Expr* below(const Expr* value, const Expr* limit) { return kernel_.infix(value, "<", limit, kPred); }
  static void blank(Block* block) { block->push_back({.kind = Kind::kBlank}); }

  void constant(const char* name, const std::string& value, const std::string& comment = "") {
    kernel_.constants.push_back({name, "int", value, comment});
  }
  void constant(const char* name, int64_t value, const std::string& comment = "") {
    constant(name, std::to_string(value), comment);
  }

  void add_constants() {
    const std::string tiles = std::to_string(ceil_div(network_.rows, form_.rows()));
    constant("kRows", network_.rows);
    constant("kLayers", static_cast<int64_t>(network_.layers.size()));
    constant("kTileM", form_.rows(), "rows of a block");
    constant("kTileK", form_.tile_k, "terms of a tile of weights");
    constant("kStages", form_.stages, "tiles in shared memory");
    constant("kRowTiles", whole_rows() ? "kRows / kTileM" : "(kRows + kTileM - 1) / kTileM", tiles);
    constant("kWarp", kWarp);
    constant("kWarps", NetworkForm::kWarps);
    constant("kWarpsN", form_.warps_n, "beside one another");
    constant("kThreads", "kWarps * kWarp", std::to_string(kThreads));
    if (text_.straight.any()) {
      constant("kPerRow", "kThreads / kTileK",
               "threads that copy a row of weights: " + std::to_string(kThreads / form_.tile_k));
    }
    constant("kWarpM", "kTileM / (kWarps / kWarpsN)", "rows of a warp: " + std::to_string(form_.mmas_m * 16));
    constant("kMmaM", 16, "of an instruction, 8 wide");
    constant("kMmasM", "kWarpM / kMmaM", std::to_string(form_.mmas_m));
    constant("kChunk", form_.chunk(), "elements of 16 bytes");
    constant("kMmaK", "2 * kChunk", std::to_string(form_.mma_k()));
    const NetworkLayer& first = network_.layers.front();
    constant("kFeatures", first.terms, "terms of the first layer");
    constant("kDepth", padded_terms(),
             padded_terms() == first.terms ? "terms of the first layer" : "the same in shared memory, with zeros");
    if (elements_of_copy() > 1)
      constant("kCopies", "kDepth / " + copy_spelling(),
               "of a row: " + std::to_string(padded_terms() / elements_of_copy()));
    constant("kRow", form_.row, "to the next row: eight lie in all 32 banks");
    if (text_.straight.any()) constant("kWeightRow", form_.weight_row, "the same of weights");
    if (text_.turned.any()) {
      constant("kTurnedRow", "kTileK + kChunk",
               "the same of weights of [columns, terms]: " + std::to_string(form_.turned_row()));
      if (text_.turned.has_wide_rows)
        constant("kPerColumn", "kTileK / kChunk",
                 "accesses of a column: " + std::to_string(form_.tile_k / form_.chunk()));
      constant("kTile", form_.tile, "elements of a tile of weights");
    }
    if (text_.keeps) constant("kKeptRow", form_.kept_row, "the same of what rows are reduced of");
    if (network_.reduces_rows()) constant("kSharing", form_.row_threads().of_vector, "threads that reduce a row");
  }

  // The arrays of all layers' numbers of rows.
  void name_rows() {
    std::set<std::string> taken = {"activations", "tiles", "layers", "kept"};
    for (const NetworkLayer& layer : network_.layers) {
      const RowStatistics& statistics = layer.rows.statistics;
      StatisticsText& text = rows_.emplace_back(StatisticsText{.threads = form_.row_threads(),
                                                               .width = statistics.width,
                                                               .vector = "row",
                                                               .vectors = "kTileM",
                                                               .of_vector = "kSharing",
                                                               .terms = std::to_string(statistics.width),
                                                               .own = "reduced_row",
                                                               .each = "reduced_row",
                                                               .length = layer.columns,
                                                               .limit = std::to_string(layer.columns),
                                                               .made = "",
                                                               .names = network_names()});
      if (layer.rows.empty()) continue;
      if (!whole_rows()) text.outside = "; outside, with what belongs to the last row";
      name_statistics(statistics, taken, &text);
      for (const StatisticsText::Kept& number : text.numbers) taken.insert(number.name);
      text_.numbers += text.members();
    }
  }

  int64_t padded_terms() const { return ceil_div(network_.layers.front().terms, kNetworkUnit) * kNetworkUnit; }
  int64_t elements_of_copy() const { return network_.copy ? network_.copy->elements : 1; }
  std::string copy_spelling() const {
    return elements_of_copy() == form_.chunk() ? "kChunk" : std::to_string(elements_of_copy());
  }

  void add_headers() {
    for (const char* header : {"device/async_copy.cuh", "device/ldmatrix.cuh", "device/mma.cuh"})
      kernel_.headers.insert(header);
    if (form_.product != Product::k16Bits) kernel_.headers.insert("device/tf32_split.cuh");
    if (!network_.reduces_rows()) return;
    kernel_.headers.insert({"device/combine.cuh", "device/warp_reduce.cuh"});
    for (const NetworkLayer& layer : network_.layers) {
      if (layer.rows.statistics.width > 1) kernel_.headers.insert("device/vector_access.cuh");
    }
  }

  std::string spread() const {
    const std::string what = form_.product == Product::k16Bits ? ""
                             : form_.product == Product::kTf32 ? " in TF32"
                                                               : " in 3 terms of TF32 each";
    return "A block has " + std::to_string(form_.rows()) + " rows in all " + std::to_string(network_.layers.size()) +
           " layers: activations stay in shared memory, products are made on tensor cores" + what + "." +
           (network_.reduces_rows() ? " Rows are reduced in shared memory." : "");
  }

  void write(const sinter::Tile& tile, Block* body) {
    w_.shared(body);
    // Variables, not lines of text: values of a layer that are called so have other names.
    for (const auto& [variable, value] : {std::pair{"thread", "threadIdx.x"},
                                          {"lane", "thread % kWarp"},
                                          {"warp", "thread / kWarp"},
                                          {"group", "lane / 4"},
                                          {"warp_row", "warp / kWarpsN * kWarpM"}})
      w_.let(variable, kInteger, kernel_.name_expr(value), body);
    first_row_ = w_.let("first_row", w_.index, w_.infix(w_.wide(tile.x), "*", name("kTileM")), body);
    blank(body);
    const bool full = network_.layers.front().terms % kNetworkUnit == 0;
    body->push_back(
        note(std::string("what the first layer multiplies") + (whole_rows() && full ? "" : ", zeros outside")));
    body->push_back(load_first());
    blank(body);
    body->push_back(note("weights, of which " + tiles_ahead() + " under way"));
    Statement alone = {.kind = Kind::kIf,
                       .value = kernel_.infix(kernel_.name_expr("thread"), "==", kernel_.integer(0), kPred)};
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      const NetworkLayer& layer = network_.layers[i];
      const Expr* to = kernel_.name_expr("shared.layers[" + std::to_string(i) + "]");
      std::vector<const Expr*> weights = {reference(w_.inputs.at(layer.weights)), kernel_.integer(layer.terms),
                                          kernel_.integer(layer.columns)};
      if (text_.is_mixed()) weights.push_back(kernel_.name_expr(layer.turned ? "true" : "false"));
      alone.body.push_back(w_.assign(to, kernel_.braces(weights, CType::named("Weights"))));
    }
    body->push_back(std::move(alone));
    body->push_back(w_.barrier());
    declare("next", CType::named("NextTile"), nullptr, body);
    Statement ahead = w_.counted_loop("i", "", "kStages - 1");
    ahead.body.push_back(text("copy_tile(shared, next);\n"));
    body->push_back(std::move(ahead));
    declare("stage", kInteger, kernel_.integer(0), body);
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      blank(body);
      add_layer(i, body);
    }
  }

  std::string tiles_ahead() const {
    return form_.stages == 2 ? "a tile is" : std::to_string(form_.stages - 1) + " tiles are";
  }

  void declare(const char* name, const CType& type, const Expr* value, Block* block) {
    block->push_back({.kind = Kind::kDeclare, .variable = kernel_.variable(name, type), .value = value});
  }

  // Threads copy, or compute, groups of neighbours.
  Statement load_first() {
    const int64_t elements = elements_of_copy();
    const auto integer = [&](const Expr* a, const char* op, const Expr* b) {
      return kernel_.infix(a, op, b, kInteger);
    };
    const std::string per_row = elements == 1 ? "kDepth" : "kCopies";
    Statement all = w_.counted_loop("i", "thread", "kTileM * " + per_row, kThreads, "kThreads");
    const Expr *i = reference(all.variable), *count = kernel_.name_expr(per_row);
    const Expr *row = integer(i, "/", count), *place = integer(i, "%", count);
    if (network_.copy) {
      // Eight neighbours copy to eight rows, which lie in all banks.
      const Expr* eight = kernel_.integer(8);
      row = integer(integer(integer(i, "/", integer(eight, "*", count)), "*", eight), "+", integer(i, "%", eight));
      place = integer(integer(i, "/", eight), "%", count);
    }
    if (elements > 1) place = integer(place, "*", kernel_.name_expr(copy_spelling()));
    row = reference(w_.let("row", kInteger, row, &all.body));
    const Expr* term = reference(w_.let("term", kInteger, place, &all.body));
    const Expr* outer = w_.infix(reference(first_row_), "+", row);
    const Expr* inside =
        w_.both(whole_rows() ? nullptr : below(outer, name("kRows")),
                padded_terms() == network_.layers.front().terms ? nullptr : below(term, name("kFeatures")));
    const CType type = CType::value(network_.dtype);
    const Expr* at = integer(integer(row, "*", kernel_.name_expr("kRow")), "+", term);
    const Expr* element = kernel_.subscript(kernel_.name_expr("shared.activations", type), at, type);
    const ContractOperand& first = network_.first;
    Expressions expressions = w_.expressions_of(
        *first.graph, {{first.batch, kernel_.integer(0)}, {first.outer, outer}, {first.k, w_.wide(term)}});
    if (network_.copy) {
      const Variable* pointer = expressions.buffers.at(network_.copy->array);
      const Expr* from =
          kernel_.prefix("&", expressions.element(pointer, network_.copy->from, network_.dtype), pointer->type);
      const CType address = {.kind = CType::Kind::kPointer, .dtype = network_.dtype};
      std::vector<const Expr*> arguments = {kernel_.prefix("&", element, address), from};
      if (inside != nullptr) arguments.push_back(inside);
      const int64_t bytes = elements * dtype_bytes(network_.dtype);
      all.body.push_back(
          w_.call(bytes == kAccessBytes ? "copy_async" : "copy_async<" + std::to_string(bytes) + ">", arguments));
      return all;
    }
    Block computed;
    const Expr* value = w_.results_of(*first.graph, expressions, &computed)[0];
    computed.push_back(w_.assign(element, value));
    if (inside == nullptr) {
      all.body.insert(all.body.end(), computed.begin(), computed.end());
      return all;
    }
    Statement test = {.kind = Kind::kIf, .value = inside, .body = std::move(computed)};
    test.other.push_back(w_.assign(element, zero()));
    all.body.push_back(std::move(test));
    return all;
  }

  const Expr* zero() { return kernel_.literal(Literal(Shape::scalar(network_.dtype))); }

  void add_layer(size_t number, Block* body) {
    const NetworkLayer& layer = network_.layers[number];
    const std::string columns = std::to_string(layer.columns), terms = std::to_string(layer.terms);
    body->push_back(note("layer " + std::to_string(number + 1) + ": " + columns + " columns of " + terms + " terms"));
    Statement scope = {.kind = Kind::kScope};
    Block* block = &scope.body;
    const CType sums = CType::named("Sums<" + columns + ">");
    declare("sums", sums, kernel_.braces({}, sums), block);
    const std::string turned = !text_.is_mixed() ? "" : layer.turned ? ", true" : ", false";
    block->push_back(text("multiply<" + terms + ", " + columns + turned + ">(shared, next, stage, sums);\n"));
    const bool is_last = number + 1 == network_.layers.size();
    if (is_last && layer.rows.empty()) {
      block->push_back(over_sums(layer, [&](const Element& element, Block* each) {
        if (splits()) each->push_back(again(layer, number, element));
        add_result(layer, element, inside_columns(layer, element), each);
      }));
    } else {
      if (splits()) {
        block->push_back(over_sums(
            layer, [&](const Element& element, Block* each) { each->push_back(again(layer, number, element)); }));
      }
      block->push_back(w_.barrier());
      if (!layer.rows.empty()) reduce_rows(layer, rows_[number], block);
      if (is_last && network_.is_of_rows) {
        block->push_back(
            over_rows([&](const Element& element, Block* each) { add_result(layer, element, nullptr, each); }));
      } else {
        block->push_back(over_sums(layer, [&](const Element& element, Block* each) {
          if (is_last) {
            add_result(layer, element, inside_columns(layer, element), each);
          } else {
            add_activation(layer, element, each);
          }
        }));
      }
    }
    body->push_back(std::move(scope));
  }

  // A product that a lane has, and where it is.
  struct Element {
    const Expr *sum, *row, *column;
  };

  Statement again(const NetworkLayer& layer, size_t number, const Element& element) {
    const Expr* absolute = kernel_.call("fabsf", {element.sum}, kFloat);
    const Expr* finite = kernel_.infix(absolute, "<", kernel_.name_expr("INFINITY", kFloat), kPred);
    const Expr* inside = has_all_columns(layer) ? nullptr : below(element.column, kernel_.integer(layer.columns));
    Statement test = {.kind = Kind::kIf, .value = w_.both(inside, kernel_.prefix("!", finite, kPred))};
    const Expr* of_layer = kernel_.integer(static_cast<int64_t>(number));
    const std::vector<const Expr*> arguments = {kernel_.name_expr("shared"), of_layer, element.row, element.column};
    test.body.push_back(w_.assign(element.sum, kernel_.call("product_again", arguments, kFloat)));
    return test;
  }

  // Whether each column that a warp makes is one of the layer's.
  bool has_all_columns(const NetworkLayer& layer) const {
    return form_.warps_n * form_.mmas_n(layer.columns) * 8 == layer.columns;
  }

  template <class Each>
  Statement over_sums(const NetworkLayer& layer, const Each& each) {
    const std::string mmas = "kMmasN<" + std::to_string(layer.columns) + ">";
    Statement down = w_.counted_loop("i", "", "kMmasM");
    down.unroll = Statement::kUnrollFully;
    Statement across = w_.counted_loop("e", "", mmas + " * 4");
    across.unroll = Statement::kUnrollFully;
    Block* block = &across.body;
    const Variable* row =
        w_.let("row", kInteger, kernel_.name_expr("warp_row + i * kMmaM + e % 4 / 2 * 8 + group"), block);
    const Variable* column =
        w_.let("column", kInteger,
               kernel_.name_expr("(warp % kWarpsN * " + mmas + " + e / 4) * 8 + lane % 4 * 2 + e % 2"), block);
    const Expr *e = reference(across.variable), *four = kernel_.integer(4);
    const std::vector<const Expr*> of_lane = {reference(down.variable), kernel_.infix(e, "/", four, kInteger),
                                              kernel_.infix(e, "%", four, kInteger)};
    const Expr* sum = array_element(&kernel_, "sums", of_lane, DType::kF32);
    each({sum, reference(row), reference(column)}, block);
    drop_unread_indices(block, *block);
    down.body.push_back(std::move(across));
    return down;
  }

  // One thread a row.
  template <class Each>
  Statement over_rows(const Each& each) {
    Statement rows = w_.counted_loop("row", "thread", "kTileM", kThreads, "kThreads");
    const Expr* row = reference(rows.variable);
    if (form_.rows() <= kThreads) {
      row = kernel_.name_expr("thread");
      rows = {.kind = Kind::kIf, .value = below(row, kernel_.name_expr("kTileM"))};
    }
    each({nullptr, row, kernel_.integer(0)}, &rows.body);
    return rows;
  }

  // Whether it loads elements of a row's own.
  static bool reads_rows(const DemandGraph& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const DemandNode& node) {
      bool of_row = false;
      node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
        of_row |= atom.kind != IndexExpr::AtomKind::kCoordinate || atom.id == kNetworkRow;
      });
      return node.kind == DemandNode::Kind::kLoad && of_row;
    });
  }

  // The place of an activation, before the layer and after it.
  const Expr* place_of(const Element& of) {
    const CType type = CType::value(network_.dtype);
    const Expr* row = kernel_.infix(of.row, "*", kernel_.name_expr("kRow"), kInteger);
    return kernel_.subscript(kernel_.name_expr("shared.activations", type),
                             kernel_.infix(row, "+", of.column, kInteger), type);
  }
  const Expr* row_of(const Element& of) { return w_.infix(reference(first_row_), "+", w_.wide(of.row)); }

  // What rows are reduced of, where a layer keeps it: as f32, or where its activation will be.
  const Expr* kept_at(const NetworkLayer& layer, const Expr* row, const Expr* column) {
    const bool in_place = layer.rows.in_place;
    const CType type = CType::value(in_place ? network_.dtype : DType::kF32);
    const Expr* begin = kernel_.infix(row, "*", kernel_.name_expr(in_place ? "kRow" : "kKeptRow"), kInteger);
    return kernel_.subscript(kernel_.name_expr(in_place ? "shared.activations" : "shared.kept", type),
                             kernel_.infix(begin, "+", column, kInteger), type);
  }
  // The same as the value that it is.
  const Expr* kept_value(const NetworkLayer& layer, const Expr* element, Expressions* expressions) {
    const DType dtype = layer.rows.kept->shape.dtype;
    return layer.rows.in_place || dtype == DType::kF32 ? element : expressions->narrow(dtype, element);
  }

  Expressions expressions_at(const DemandGraph& graph, const Element& of) {
    return w_.expressions_of(graph, {{kNetworkRow, row_of(of)}, {kNetworkColumn, w_.wide(of.column)}});
  }

  // What a graph makes of a product, and of what the layer multiplies.
  const Expr* made_of_product(const NetworkLayer& layer, const DemandGraph& graph, const std::vector<NodeId>& products,
                              const std::vector<NodeId>& before, const Element& of, Block* block) {
    Expressions expressions = expressions_at(graph, of);
    const DType dtype = layer.product->shape.dtype;
    const Expr* value = dtype == DType::kF32 ? of.sum : expressions.narrow(dtype, of.sum);
    read_named(*layer.product, value, products, &expressions, block);
    for (const NodeId node : before) expressions.members[node] = place_of(of);
    return w_.results_of(graph, expressions, block)[0];
  }

  // What a layer makes of a product, or of what it has kept of it.
  const Expr* made_of(const NetworkLayer& layer, const Element& of, Block* block) {
    if (layer.rows.empty()) return made_of_product(layer, *layer.graph, layer.products, layer.before, of, block);
    Expressions expressions = expressions_at(*layer.graph, of);
    if (!layer.products.empty()) {
      const Expr* kept = kept_value(layer, kept_at(layer, of.row, of.column), &expressions);
      read_named(*layer.rows.kept, kept, layer.products, &expressions, block);
    }
    for (const NodeId node : layer.before) expressions.members[node] = place_of(of);
    const StatisticsText& text = rows_[&layer - network_.layers.data()];
    read_numbers(&kernel_, layer.rows.statistics, text, layer.rows.statistics.reads, of.row, &expressions);
    return w_.results_of(*layer.graph, expressions, block)[0];
  }

  // These nodes of a graph by the name of the value that they are.
  void read_named(const Instruction& is, const Expr* value, const std::vector<NodeId>& nodes, Expressions* expressions,
                  Block* block) {
    Variable* variable = kernel_.variable(value_name(is), CType::value(is.shape.dtype), &is);
    block->push_back({.kind = Kind::kLet, .variable = variable, .value = value});
    for (const NodeId node : nodes) expressions->variables[node] = variable;
  }

  // Keeps what a layer's rows are reduced of, and reduces them.
  void reduce_rows(const NetworkLayer& layer, const StatisticsText& text, Block* block) {
    const NetworkRows& rows = layer.rows;
    block->push_back(over_sums(layer, [&](const Element& element, Block* each) {
      Block value;
      const Expr* kept = made_of_product(layer, *rows.graph, rows.products, rows.before, element, &value);
      if (!rows.in_place) {
        Expressions expressions = expressions_at(*rows.graph, element);
        kept = expressions.widen(rows.kept->shape.dtype, kept);
      }
      value.push_back(w_.assign(kept_at(layer, element.row, element.column), kept));
      add_inside(reads_rows(*rows.graph) ? inside_rows(element) : nullptr, inside_columns(layer, element),
                 std::move(value), each);
    }));
    block->push_back(w_.barrier());
    const DType kept = rows.in_place ? network_.dtype : DType::kF32;
    const ProductTerms terms = {
        .nodes = rows.of_phases,
        .product = rows.kept,
        .sum = kept,
        .at = [&](const Expr* row, const Expr* column) { return kept_at(layer, row, column); },
        .rounded = [&](const Expr* sum, Expressions* expressions) { return kept_value(layer, sum, expressions); }};
    StatisticsPlace place = {.products = &terms};
    place.at = [this](const Expr* row, Block* within) {
      const Expr* read = w_.infix(reference(first_row_), "+", w_.wide(row));
      if (!whole_rows()) {
        const Expr* last = w_.infix(name("kRows"), "-", kernel_.integer(1));
        read = kernel_.conditional(below(read, name("kRows")), read, last);
      }
      return reference(w_.let("read_row", w_.index, read, within));
    };
    blank(block);
    add_statistics(&w_, rows.statistics, text, place, block);
    blank(block);
  }

  const Expr* inside_rows(const Element& of) { return whole_rows() ? nullptr : below(row_of(of), name("kRows")); }
  const Expr* inside_columns(const NetworkLayer& layer, const Element& of) {
    return has_all_columns(layer) ? nullptr : below(of.column, kernel_.integer(layer.columns));
  }
  void add_inside(const Expr* rows, const Expr* columns, Block statements, Block* block) {
    const Expr* inside = w_.both(rows, columns);
    if (inside == nullptr) {
      block->insert(block->end(), statements.begin(), statements.end());
    } else {
      block->push_back({.kind = Kind::kIf, .value = inside, .body = std::move(statements)});
    }
  }

  void add_activation(const NetworkLayer& layer, const Element& of, Block* block) {
    Block value;
    const Expr* result = made_of(layer, of, &value);
    value.push_back(w_.assign(place_of(of), result));
    // Loads are of elements that there are.
    const Expr* rows = reads_rows(*layer.graph) ? inside_rows(of) : nullptr;
    const Expr* columns = inside_columns(layer, of);
    const Expr* inside = w_.both(rows, columns);
    if (inside == nullptr) {
      block->insert(block->end(), value.begin(), value.end());
      return;
    }
    Statement test = {.kind = Kind::kIf, .value = inside, .body = std::move(value)};
    const int64_t padded = ceil_div(layer.columns, kNetworkUnit) * kNetworkUnit;
    Statement zeros = w_.assign(place_of(of), zero());
    if (padded != layer.columns || rows != nullptr) {
      if (form_.warps_n * form_.mmas_n(layer.columns) * 8 == padded) {
        test.other.push_back(std::move(zeros));
      } else {
        Statement behind = {.kind = Kind::kIf, .value = below(of.column, kernel_.integer(padded))};
        behind.body.push_back(std::move(zeros));
        test.other.push_back(std::move(behind));
      }
    }
    block->push_back(std::move(test));
  }

  void add_result(const NetworkLayer& layer, const Element& of, const Expr* inside, Block* block) {
    const Expr* value = of.sum;
    const DType dtype = demand_.fusion->shape.dtype;
    Block stores;
    if (layer.graph) {
      value = made_of(layer, of, &stores);
    } else if (dtype != DType::kF32) {
      Expressions expressions = w_.expressions_of(*demand_.epilogue.all, {});
      value = expressions.narrow(dtype, value);
    }
    store_epilogue(input_, w_, demand_.epilogue,
                   {.source = demand_.fusion,
                    .coordinates = {{kNetworkRow, row_of(of)}, {kNetworkColumn, w_.wide(of.column)}},
                    .constants = {},
                    .name = "result",
                    .value = value},
                   &stores);
    add_inside(inside_rows(of), inside, std::move(stores), block);
  }

  const StageInput& input_;
  const NetworkStageDemand& demand_;
  const NetworkDemand& network_;
  const NetworkForm form_;
  NetworkText text_;
  std::vector<StatisticsText> rows_;  // of each layer; empty where it reduces none
  StageWriter w_;
  Kernel& kernel_;
  const Variable* first_row_ = nullptr;  // of the block
};

}  // namespace

LoweredStage lower_network(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<NetworkStageDemand> demand = demand_network_stage(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the network has no form");
  return NetworkWriter(input, *demand).run();
}

}  // namespace sinter
