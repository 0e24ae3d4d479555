// A contract kernel in tiles without tensor cores: the form's own text (simt_text.h) around what this contraction
// computes: what threads load of its operands, or compute of what they load, and what is made of a sum.
#include "passes/lower/stages/products/lower_simt.h"

#include <algorithm>

#include "ir/values/dtype.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/products/lower_contract.h"
#include "passes/lower/stages/products/simt_text.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/lower/stages/products/tile_writer.h"
#include "passes/lower/text/assignment.h"
#include "passes/lower/text/combiners.h"
#include "passes/names/value_names.h"
#include "passes/schedule/cost/contract_work.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/products/pair_term.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

class SimtWriter : private TileWriter {
 public:
  SimtWriter(const StageInput& input, const ContractDemand& demand, const SimtForm& form)
      : TileWriter(input, demand, form.m, form.n),
        form_(form),
        shape_(*simt_threads(demand, form, threads_)),
        sum_type_(accumulator_type(demand.dot->shape.dtype)) {
    whole_k_ = extents_.k % form.k == 0;
    text_ = {
        .form = form, .threads = shape_, .sum = cuda(sum_type_), .lhs = cuda(tile_type(0)), .rhs = cuda(tile_type(1))};
    begin_statistics(simt_names());
    if (is_float(sum_type_) && !demand_.pair) text_.product = sum_type_ == DType::kF64 ? "fma" : "fmaf";
  }

  LoweredStage run() {
    kernel_.work = SimtWork(demand_).of(form_, threads_);
    kernel_.shared.bytes = shape_.shared_bytes;
    add_constants();
    w_.add_values(*demand_.graph, w_.input.values.outputs);
    w_.add_counter(*demand_.graph);
    w_.rename_parameters(simt_names());
    if (shape_.chunk > 1 || is_vector(0) || is_vector(1)) kernel_.headers.insert("device/vector_access.cuh");
    kernel_.declarations = {text_.shared(statistics_.members()), text_.places()};
    if (in_parts()) add_parts();
    if (apart()) add_parts_apart();

    LaunchDimensions tiles = {.block = threads_};
    std::copy(std::begin(grid_.grid), std::end(grid_.grid), std::begin(tiles.grid));
    spell_tiles(grid_, extents_.batch, &tiles);
    LoweredStage stage;
    add_tiles(tiles, spread(), [this](const Tile& tile, Block* block) { write(tile, block); }, &stage);
    return stage;
  }

 private:
  using Load = SimtThreads::Load;
  const Load& load(size_t side) const { return shape_.loads[side]; }
  bool is_vector(size_t side) const { return load(side).elements > 1; }
  DType operand_type(size_t side) const { return demand_.operand_type(side); }
  DType tile_type(size_t side) const { return demand_.pair ? operand_type(side) : sum_type_; }
  // Of what is in registers between memory and shared memory.
  DType part_type(size_t side) const { return load(side).copied ? operand_type(side) : tile_type(side); }
  static std::string name_of(size_t side, const std::string& what) { return (side == 0 ? "lhs_" : "rhs_") + what; }

  std::string spread() const {
    const auto sides = [](int64_t a, int64_t b) { return std::to_string(a) + " x " + std::to_string(b); };
    return "A tile of " + sides(form_.m, form_.n) + " a block of " + std::to_string(threads_) + " threads, " +
           sides(shape_.sums_m(), shape_.sums_n()) + " sums a thread, each in the order of k; K in tiles of " +
           std::to_string(form_.k) + ": while one in shared memory is " + (demand_.pair ? "combined" : "multiplied") +
           ", the next one is on its way through registers." + parts_text();
  }

  void add_constants() {
    const int64_t tiles = ceil_div(extents_.k, form_.k);
    add_extents(form_.k);
    constant("kStages", SimtThreads::kStages, "k tiles in shared memory");
    constant("kTiles", count_spelling(whole_k_, "kK", "kTileK"), std::to_string(tiles));
    add_tile_counts();
    add_warps(shape_.warp_m, shape_.warp_n);
    constant("kLanesM", SimtThreads::kLanesM, "that divide it");
    constant("kLanesN", SimtThreads::kLanesN);
    constant("kSumsM", "kWarpM / kLanesM", "of a thread: " + std::to_string(shape_.sums_m()));
    constant("kSumsN", "kWarpN / kLanesN", std::to_string(shape_.sums_n()));
    constant("kChunk", shape_.chunk, "elements of 16 bytes");
    constant("kLhsPitch", "kTileM + kChunk", "a chunk more: columns lie in all banks");
    constant("kRhsPitch", "kTileN + kChunk");
    add_statistics_constants();
    const bool along_k = load(0).along_k || load(1).along_k, deep = form_.k > SimtThreads::kDepth;
    if (along_k && deep) constant("kDepth", SimtThreads::kDepth, "along k, of a row that threads load together");
    for (const size_t side : {0, 1}) {
      const std::string chunk = side == 0 ? "kLhsChunk" : "kRhsChunk", outer = side == 0 ? "kTileM" : "kTileN";
      const int64_t rows = side == 0 ? form_.m : form_.n, elements = load(side).elements;
      const int64_t length = load(side).along_k ? SimtThreads::kDepth : rows;
      if (is_vector(side)) constant(chunk.c_str(), elements, "elements of a load");
      constant((chunk + "s").c_str(),
               (load(side).along_k ? deep ? "kDepth" : "kTileK" : outer) + (is_vector(side) ? " / " + chunk : ""),
               std::string("loads of a row") + (load(side).along_k ? "" : " of k") + ": " +
                   std::to_string(length / elements));
      constant(side == 0 ? "kLhsLoads" : "kRhsLoads",
               outer + " * kTileK / " + (is_vector(side) ? "(" + chunk + " * kThreads)" : "kThreads"),
               "of a thread and k tile: " + std::to_string(load(side).count));
    }
    assert_whole("kK % kTileK == 0");
  }

  void write(const Tile& tile, Block* body) {
    w_.shared(body);
    body->push_back(text("const int thread = threadIdx.x, lane = thread % kWarp;\n"));
    const TilePlace place = place_of(tile);
    add_first(place, place.batch, body);
    body->push_back(text(text_.coordinates()));
    blank(body);
    add_statistics_of_tile(body);
    add_loads(body);
    blank(body);
    add_stores(body);
    blank(body);
    body->push_back({.kind = StatementKind::kComment,
                     .text = name_of_sums() + ": while one k tile is " + (demand_.pair ? "combined" : "multiplied") +
                             ", the next is on its way"});
    if (demand_.pair) {
      add_term_loop(body);
    } else {
      body->push_back(text(text_.main_loop()));
    }
    blank(body);
    body->push_back(text(text_.sums_to_shared()));
    blank(body);
    add_results(sums_of_block(sum_type_), nullptr, body);
  }

  // for (int i = 0; i < kLhsLoads; ++i) { const int number = thread + i * kThreads;
  Statement each_load(size_t side) {
    Statement all = w_.counted_loop("i", "", side == 0 ? "kLhsLoads" : "kRhsLoads");
    all.unroll = Statement::kUnrollFully;
    const Expr* i = kernel_.reference(all.variable);
    const Expr* number = kernel_.infix(kernel_.name_expr("thread"), "+",
                                       kernel_.infix(i, "*", kernel_.name_expr("kThreads"), kInteger), kInteger);
    w_.let("number", kInteger, number, &all.body);
    return all;
  }
  const Expr* in_tile(size_t side, bool of_k, const Statement& all) {
    const std::string function = name_of(side, of_k ? "k" : side == 0 ? "row" : "column");
    return kernel_.call(function, {kernel_.reference(all.body[0].variable)}, kInteger);
  }
  const Expr* part(size_t side, const Statement& all) {
    const CType type = CType::value(part_type(side));
    return kernel_.subscript(kernel_.name_expr(name_of(side, "part"), type), kernel_.reference(all.variable), type);
  }

  // What is computed of an operand's element, as what is summed.
  const Expr* computed(size_t side, Expressions* expressions, Block* before) {
    const DemandGraph& graph = *demand_.operands[side].graph;
    const Expr* value = w_.results_of(graph, *expressions, before)[0];
    return demand_.pair ? value : widened(graph.nodes[graph.results[0]].dtype, value, expressions);
  }
  const Expr* widened(DType dtype, const Expr* value, Expressions* expressions) {
    if (dtype == sum_type_) return value;
    return expressions->convert(accumulator_type(dtype), sum_type_, expressions->widen(dtype, value));
  }
  const Expr* as_in_tile(size_t side, const Expr* value, Expressions* expressions) {
    return demand_.pair ? value : widened(part_type(side), value, expressions);
  }
  const Expr* zero(size_t side) { return kernel_.literal(Literal(Shape::scalar(part_type(side)))); }

  Statement loads(size_t side) {
    const ContractOperand& operand = demand_.operands[side];
    Statement all = each_load(side);
    const Variable* outer =
        w_.let(side == 0 ? "row" : "column", w_.index,
               w_.infix(kernel_.reference(first_[side]), "+", in_tile(side, false, all)), &all.body);
    const Expr* of_tile = w_.infix(w_.wide(kernel_.name_expr("tile")), "*", name("kTileK"));
    const Variable* k = w_.let("k", w_.index, w_.infix(of_tile, "+", in_tile(side, true, all)), &all.body);
    Expressions expressions = w_.expressions_of(*operand.graph, coordinates_of(operand, outer, k));
    name_extents(side, &expressions);
    read_statistics(side, outer, &expressions);
    choose_matrices_at(side, outer, &expressions, &all.body);
    Block before;
    const Expr* value = nullptr;
    const Expr* test = inside(side, outer, k);
    if (load(side).copied) {
      const TileCopy copy = *tile_copy(operand, operand_type(side));
      value = expressions.element(expressions.buffers.at(copy.array), copy.from, operand_type(side));
      test = w_.both(test, expressions.in_range(copy.tests));
    } else {
      value = computed(side, &expressions, &before);
    }
    const Expr* target = part(side, all);
    const Expr* otherwise = zero(side);
    if (is_vector(side)) {
      const CType pointer = {.kind = CType::Kind::kPointer, .dtype = operand_type(side)};
      const std::string chunk = side == 0 ? "kLhsChunk" : "kRhsChunk";
      const CType vector = {
          .kind = CType::Kind::kVector, .dtype = operand_type(side), .length = load(side).elements, .extent = chunk};
      value = kernel_.call("load_vector<" + chunk + ">", {kernel_.prefix("&", value, pointer)}, vector);
      otherwise = kernel_.name_expr("Vector<" + cuda(operand_type(side)) + ", " + chunk + ">{}", vector);
    }
    if (test != nullptr && before.empty() && (is_vector(side) || width(*value) <= kInlineWidth)) {
      all.body.push_back(w_.assign(target, kernel_.conditional(test, value, otherwise)));
      return all;
    }
    before.push_back(w_.assign(target, value));
    if (test == nullptr) {
      all.body.insert(all.body.end(), before.begin(), before.end());
      return all;
    }
    Statement guard = {.kind = StatementKind::kIf, .value = test, .body = std::move(before)};
    guard.other.push_back(w_.assign(target, otherwise));
    all.body.push_back(std::move(guard));
    return all;
  }

  void add_loads(Block* body) {
    const bool whole = whole_rows() && whole_columns() && whole_k_;
    body->push_back(
        {.kind = StatementKind::kComment,
         .text = std::string("a thread's part of a k tile, to registers") + (whole ? "" : "; zeros outside")});
    for (const size_t side : {0, 1}) {
      const std::string type = cuda(part_type(side)), count = side == 0 ? "kLhsLoads" : "kRhsLoads";
      const std::string vector = "Vector<" + type + ", " + (side == 0 ? "kLhsChunk>" : "kRhsChunk>");
      body->push_back(text((is_vector(side) ? vector : type) + " " + name_of(side, "part") + "[" + count + "];\n"));
    }
    Statement lambda = {.kind = StatementKind::kScope, .text = "const auto load_tile = [&](int tile)"};
    for (const size_t side : {0, 1}) {
      Statement all = loads(side);
      drop_unread_indices(&all.body, all.body);  // of an operand that is the same along a dimension
      lambda.body.push_back(std::move(all));
    }
    body->push_back(std::move(lambda));
  }

  // To shared memory, of a product in the type of sums. What lies along k is written across rows there.
  Statement stores(size_t side) {
    Statement all = each_load(side);
    const CType type = CType::value(tile_type(side));
    const Expr *k = in_tile(side, true, all), *outer = in_tile(side, false, all);
    const auto place = [&](const Expr* row) {
      const Expr* tile = kernel_.name_expr(side == 0 ? "stage.lhs" : "stage.rhs", type);
      return kernel_.subscript(kernel_.subscript(tile, row, type), outer, type);
    };
    const DType from = part_type(side);
    Expressions expressions = w_.expressions_of(*demand_.operands[side].graph, {});
    if (!is_vector(side)) {
      all.body.push_back(w_.assign(place(k), as_in_tile(side, part(side, all), &expressions)));
      return all;
    }
    const CType pointer = {.kind = CType::Kind::kPointer, .dtype = tile_type(side)};
    const std::string chunk = side == 0 ? "kLhsChunk" : "kRhsChunk";
    if (!load(side).along_k && from == tile_type(side)) {
      all.body.push_back(w_.call("store_vector", {kernel_.prefix("&", place(k), pointer), part(side, all)}));
      return all;
    }
    Statement elements = w_.counted_loop("e", "", chunk);
    elements.unroll = Statement::kUnrollFully;
    const Expr* e = kernel_.reference(elements.variable);
    const Expr* value = as_in_tile(side, kernel_.subscript(part(side, all), e, CType::value(from)), &expressions);
    if (load(side).along_k) {
      elements.body.push_back(w_.assign(place(kernel_.infix(k, "+", e, kInteger)), value));
      all.body.push_back(std::move(elements));
      return all;
    }
    const CType vector = {
        .kind = CType::Kind::kVector, .dtype = tile_type(side), .length = load(side).elements, .extent = chunk};
    Variable* converted = kernel_.variable("chunk", vector);
    all.body.push_back({.kind = StatementKind::kDeclare, .variable = converted});
    elements.body.push_back(w_.assign(kernel_.subscript(kernel_.reference(converted), e, type), value));
    all.body.push_back(std::move(elements));
    all.body.push_back(w_.call("store_vector", {kernel_.prefix("&", place(k), pointer), kernel_.reference(converted)}));
    return all;
  }

  void add_stores(Block* body) {
    body->push_back({.kind = StatementKind::kComment, .text = "and from there to shared memory"});
    Statement lambda = {.kind = StatementKind::kScope, .text = "const auto store_tile = [&](int tile)"};
    lambda.body.push_back(text("Shared::Stage& stage = shared.stage[tile % kStages];\n"));
    for (const size_t side : {0, 1}) lambda.body.push_back(stores(side));
    body->push_back(std::move(lambda));
  }

  // An array of what the terms of each result of the thread read of an array; zeros outside. Its name.
  std::string load_of_results(const DemandNode& load, std::string values, Block* body) {
    while (!own_names_.insert(values).second) values += "_again";
    body->push_back(text(cuda(load.dtype) + " " + values + "[kSumsM][kSumsN];\n"));
    Statement rows = unrolled_loop(&kernel_, "i", "kSumsM"), columns = unrolled_loop(&kernel_, "j", "kSumsN");
    const auto place = [&](size_t side, const Statement& loop) {
      const Expr *number = kernel_.reference(loop.variable), *chunk = kernel_.name_expr("kChunk");
      const Expr* run = kernel_.infix(kernel_.infix(number, "/", chunk, kInteger), "*", chunk, kInteger);
      run = kernel_.infix(run, "*", kernel_.name_expr(side == 0 ? "kLanesM" : "kLanesN"), kInteger);
      const Expr* in_tile = kernel_.infix(kernel_.name_expr(side == 0 ? "own_row" : "own_column"), "+", run, kInteger);
      in_tile = kernel_.infix(in_tile, "+", kernel_.infix(number, "%", chunk, kInteger), kInteger);
      return w_.infix(kernel_.reference(first_[side]), "+", in_tile);
    };
    const Variable* row = w_.let("row", w_.index, place(0, rows), &columns.body);
    const Variable* column = w_.let("column", w_.index, place(1, columns), &columns.body);
    std::map<int, const Expr*> coordinates = {{demand_.row, kernel_.reference(row)},
                                              {demand_.column, kernel_.reference(column)}};
    if (batch_ != nullptr) coordinates[demand_.batch] = kernel_.reference(batch_);
    Expressions expressions = w_.expressions_of(*demand_.pair->graph, coordinates);
    expressions.constants[extents_.n] = "kN";
    const Expr* value = expressions.element(expressions.buffers.at(load.instruction), load.expr, load.dtype);
    const Expr* test = whole_rows() ? nullptr : below(row, "kM");
    if (!whole_columns()) test = w_.both(test, below(column, "kN"));
    if (test != nullptr) value = kernel_.conditional(test, value, kernel_.literal(Literal(Shape::scalar(load.dtype))));
    const std::vector<const Expr*> indices = {kernel_.reference(rows.variable), kernel_.reference(columns.variable)};
    columns.body.push_back(w_.assign(array_element(&kernel_, values, indices, load.dtype), value));
    drop_unread_indices(&columns.body, columns.body);  // of what is the same along rows or columns
    rows.body.push_back(std::move(columns));
    body->push_back(std::move(rows));
    return values;
  }

  // The loop over k tiles where the term is no product: each result begins with what changes nothing, and takes the
  // terms in their order.
  void add_term_loop(Block* body) {
    const PairTerm& pair = *demand_.pair;
    const DType dtype = demand_.dot->shape.dtype;
    Statement first_rows = unrolled_loop(&kernel_, "i", "kSumsM"),
              first_columns = unrolled_loop(&kernel_, "j", "kSumsN");
    Statement rows = unrolled_loop(&kernel_, "i", "kSumsM"), columns = unrolled_loop(&kernel_, "j", "kSumsN");
    const auto sum_in = [&](const Statement& row, const Statement& column) {
      const std::vector<const Expr*> indices = {kernel_.reference(row.variable), kernel_.reference(column.variable)};
      return array_element(&kernel_, "sums", indices, sum_type_);
    };
    const Literal begin = identity_of(pair.combiner, sum_type_);
    const bool is_zero = begin.same_value(Literal(Shape::scalar(sum_type_)));
    body->push_back(text(text_.sum + " sums[kSumsM][kSumsN]" + (is_zero ? " = {};\n" : ";\n")));
    if (!is_zero) {
      first_columns.body.push_back(w_.assign(sum_in(first_rows, first_columns), kernel_.literal(begin)));
      first_rows.body.push_back(std::move(first_columns));
      body->push_back(std::move(first_rows));
    }
    Expressions expressions = w_.expressions_of(*pair.graph, {});
    for (size_t id = 0; id < pair.graph->nodes.size(); ++id) {
      const DemandNode& node = pair.graph->nodes[id];
      if (node.kind != DemandNode::Kind::kLoad) continue;
      const Variable* buffer = expressions.buffers.at(node.instruction);
      const auto load = static_cast<NodeId>(id);
      if (is_of_result(node)) {
        const std::string values = load_of_results(node, "own_" + buffer->name, body);
        const std::vector<const Expr*> indices = {kernel_.reference(rows.variable),
                                                  kernel_.reference(columns.variable)};
        expressions.members[load] = array_element(&kernel_, values, indices, node.dtype);
      } else {
        expressions.variables[load] = w_.let(buffer->name + "_value", CType::value(node.dtype),
                                             expressions.element(buffer, node.expr, node.dtype), body);
      }
    }
    for (const size_t side : {0, 1}) {
      const Variable* counter = side == 0 ? rows.variable : columns.variable;
      const Expr* element =
          array_element(&kernel_, side == 0 ? "a" : "b", {kernel_.reference(counter)}, operand_type(side));
      for (const NodeId node : pair.elements[side]) expressions.members[node] = element;
    }
    const Expr* term = w_.results_of(*pair.graph, expressions, &columns.body)[0];
    term = widened(pair.graph->nodes[pair.graph->results[0]].dtype, term, &expressions);
    const Expr* sum = sum_in(rows, columns);
    columns.body.push_back(assignment(sum, expressions.combine(pair.combiner, dtype, sum, term)));
    rows.body.push_back(std::move(columns));
    Statement terms = unrolled_loop(&kernel_, "k", "kTileK");
    if (!whole_k_) terms.body.push_back(text("if (tile * kTileK + k >= kK) break;\n"));
    terms.body.push_back(text(text_.fragments()));
    terms.body.push_back(std::move(rows));
    body->push_back(text("load_tile(0);\nstore_tile(0);\n__syncthreads();\n"));
    Statement tiles = w_.counted_loop("tile", "", "kTiles");
    tiles.body.push_back(
        text("if (tile + 1 < kTiles) load_tile(tile + 1);\n"
             "const Shared::Stage& stage = shared.stage[tile % kStages];\n"));
    tiles.body.push_back(std::move(terms));
    tiles.body.push_back(text("if (tile + 1 < kTiles) store_tile(tile + 1);\n__syncthreads();\n"));
    body->push_back(std::move(tiles));
  }

  const SimtForm form_;
  const SimtThreads shape_;
  const DType sum_type_;  // what products are summed in, and tiles hold
  SimtText text_;
  std::set<std::string> own_names_;  // of arrays of what terms have of each result
};

}  // namespace

LoweredStage lower_simt(const StageInput& input, const ContractDemand& demand, const SimtForm& form) {
  return SimtWriter(input, demand, form).run();
}

}  // namespace sinter
