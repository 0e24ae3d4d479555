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
    text_ = {.form = form, .threads = shape_, .sum = cuda(sum_type_), .tiles = {}};
    for (size_t number = 0; number < demand.operand_count(); ++number)
      text_.add_tile(demand.side_of(number), cuda(tile_type(number)));
    add_values();
    if (is_float(sum_type_) && !demand_.pair) text_.product = sum_type_ == DType::kF64 ? "fma" : "fmaf";
    begin_statistics(text_.names());
  }

  LoweredStage run() {
    kernel_.work = SimtWork(demand_).of(form_, threads_);
    kernel_.shared.bytes = shape_.shared_bytes;
    add_constants();
    w_.add_values(*demand_.graph, w_.input.values.outputs);
    w_.add_counter(*demand_.graph);
    w_.rename_parameters(text_.names());
    if (shape_.chunk > 1 || std::ranges::any_of(shape_.loads, [](const Load& load) { return load.elements > 1; }))
      kernel_.headers.insert("device/vector_access.cuh");
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
  // Of a reduction that gives several values, those beside the first that something reads.
  void add_values() {
    if (!demand_.pair) return;
    const PairTerm& pair = *demand_.pair;
    for (size_t i = 0; i < pair.values.size(); ++i) {
      if (i == first_value(pair)) continue;
      const std::string number = std::to_string(text_.values.size() + 2);
      text_.values.push_back({.type = cuda(pair.values[i].begin.shape().dtype),
                              .name = "sums_" + number,
                              .stored = pair.values[i].result != nullptr});
    }
  }
  // The array that a thread has of value `number`.
  std::string name_of_value(size_t number) const {
    const size_t first = first_value(*demand_.pair);
    return number == first ? "sums" : text_.values[number - (number > first ? 1 : 0)].name;
  }

  Sums sums_of_values() const {
    Sums sums = sums_of_block(sum_type_);
    sums.array = text_.sums_in_shared() + "sums";
    if (!demand_.pair) return sums;
    const PairTerm& pair = *demand_.pair;
    for (size_t i = 0; i < pair.values.size(); ++i) {
      if (i == first_value(pair) || pair.values[i].result == nullptr) continue;
      sums.values.push_back({.part = static_cast<int64_t>(i),
                             .dtype = pair.values[i].begin.shape().dtype,
                             .array = text_.sums_in_shared() + name_of_value(i),
                             .name = name_of_value(i)});
    }
    return sums;
  }

  using Load = SimtThreads::Load;
  // Of operands, by number.
  const Load& load(size_t number) const { return shape_.loads[number]; }
  bool is_vector(size_t number) const { return load(number).elements > 1; }
  size_t side_of(size_t number) const { return demand_.side_of(number); }
  DType operand_type(size_t number) const { return demand_.operand_type(number); }
  DType tile_type(size_t number) const { return demand_.pair ? operand_type(number) : sum_type_; }
  // Of what is in registers between memory and shared memory.
  DType part_type(size_t number) const { return load(number).copied ? operand_type(number) : tile_type(number); }
  std::string name_of(size_t number, const std::string& what) const { return text_.tiles[number].name + "_" + what; }
  std::string chunk_of(size_t number) const { return text_.tiles[number].chunk(); }

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
    const bool along_k = std::ranges::any_of(shape_.loads, &Load::along_k), deep = form_.k > SimtThreads::kDepth;
    if (along_k && deep) constant("kDepth", SimtThreads::kDepth, "along k, of a row that threads load together");
    for (size_t number = 0; number < demand_.operand_count(); ++number) {
      const bool of_rows = side_of(number) == 0;
      const std::string chunk = chunk_of(number), outer = of_rows ? "kTileM" : "kTileN";
      const int64_t rows = of_rows ? form_.m : form_.n, elements = load(number).elements;
      const int64_t length = load(number).along_k ? SimtThreads::kDepth : rows;
      if (is_vector(number)) constant(chunk.c_str(), elements, "elements of a load");
      constant(text_.tiles[number].chunks().c_str(),
               (load(number).along_k ? deep ? "kDepth" : "kTileK" : outer) + (is_vector(number) ? " / " + chunk : ""),
               std::string("loads of a row") + (load(number).along_k ? "" : " of k") + ": " +
                   std::to_string(length / elements));
      constant(text_.tiles[number].loads().c_str(),
               outer + " * kTileK / " + (is_vector(number) ? "(" + chunk + " * kThreads)" : "kThreads"),
               "of a thread and k tile: " + std::to_string(load(number).count));
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
    add_results(sums_of_values(), nullptr, body);
  }

  // for (int i = 0; i < kLhsLoads; ++i) { const int number = thread + i * kThreads;
  Statement each_load(size_t operand) {
    Statement all = w_.counted_loop("i", "", text_.tiles[operand].loads());
    all.unroll = Statement::kUnrollFully;
    const Expr* i = kernel_.reference(all.variable);
    const Expr* number = kernel_.infix(kernel_.name_expr("thread"), "+",
                                       kernel_.infix(i, "*", kernel_.name_expr("kThreads"), kInteger), kInteger);
    w_.let("number", kInteger, number, &all.body);
    return all;
  }
  const Expr* in_tile(size_t operand, bool of_k, const Statement& all) {
    const std::string function = name_of(operand, of_k ? "k" : side_of(operand) == 0 ? "row" : "column");
    return kernel_.call(function, {kernel_.reference(all.body[0].variable)}, kInteger);
  }
  const Expr* part(size_t operand, const Statement& all) {
    const CType type = CType::value(part_type(operand));
    return kernel_.subscript(kernel_.name_expr(name_of(operand, "part"), type), kernel_.reference(all.variable), type);
  }

  // What is computed of an operand's element, as what is summed.
  const Expr* computed(size_t operand, Expressions* expressions, Block* before) {
    const DemandGraph& graph = *demand_.operand(operand).graph;
    const Expr* value = w_.results_of(graph, *expressions, before)[0];
    return demand_.pair ? value : widened(graph.nodes[graph.results[0]].dtype, value, expressions);
  }
  const Expr* widened(DType dtype, const Expr* value, Expressions* expressions) {
    if (dtype == sum_type_) return value;
    return expressions->convert(accumulator_type(dtype), sum_type_, expressions->widen(dtype, value));
  }
  const Expr* as_in_tile(size_t operand, const Expr* value, Expressions* expressions) {
    return demand_.pair ? value : widened(part_type(operand), value, expressions);
  }
  const Expr* zero(size_t operand) { return kernel_.literal(Literal(Shape::scalar(part_type(operand)))); }

  Statement loads(size_t number) {
    const ContractOperand& operand = demand_.operand(number);
    const size_t side = side_of(number);
    Statement all = each_load(number);
    const Variable* outer =
        w_.let(side == 0 ? "row" : "column", w_.index,
               w_.infix(kernel_.reference(first_[side]), "+", in_tile(number, false, all)), &all.body);
    const Expr* of_tile = w_.infix(w_.wide(kernel_.name_expr("tile")), "*", name("kTileK"));
    const Variable* k = w_.let("k", w_.index, w_.infix(of_tile, "+", in_tile(number, true, all)), &all.body);
    Expressions expressions = w_.expressions_of(*operand.graph, coordinates_of(operand, outer, k));
    name_extents(side, &expressions);
    read_statistics(side, outer, &expressions);
    choose_matrices_at(side, outer, &expressions, &all.body);
    Block before;
    const Expr* value = nullptr;
    const Expr* test = inside(side, outer, k);
    if (load(number).copied) {
      const TileCopy copy = *tile_copy(operand, operand_type(number));
      value = expressions.element(expressions.buffers.at(copy.array), copy.from, operand_type(number));
      test = w_.both(test, expressions.in_range(copy.tests));
    } else {
      value = computed(number, &expressions, &before);
    }
    const Expr* target = part(number, all);
    const Expr* otherwise = zero(number);
    if (is_vector(number)) {
      const CType pointer = {.kind = CType::Kind::kPointer, .dtype = operand_type(number)};
      const std::string chunk = chunk_of(number);
      const CType vector = {.kind = CType::Kind::kVector,
                            .dtype = operand_type(number),
                            .length = load(number).elements,
                            .extent = chunk};
      value = kernel_.call("load_vector<" + chunk + ">", {kernel_.prefix("&", value, pointer)}, vector);
      otherwise = kernel_.name_expr("Vector<" + cuda(operand_type(number)) + ", " + chunk + ">{}", vector);
    }
    if (test != nullptr && before.empty() && (is_vector(number) || width(*value) <= kInlineWidth)) {
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
    for (size_t number = 0; number < demand_.operand_count(); ++number) {
      const std::string type = cuda(part_type(number)), count = text_.tiles[number].loads();
      const std::string vector = "Vector<" + type + ", " + chunk_of(number) + ">";
      body->push_back(text((is_vector(number) ? vector : type) + " " + name_of(number, "part") + "[" + count + "];\n"));
    }
    Statement lambda = {.kind = StatementKind::kScope, .text = "const auto load_tile = [&](int tile)"};
    for (size_t number = 0; number < demand_.operand_count(); ++number) {
      Statement all = loads(number);
      drop_unread_indices(&all.body, all.body);  // of an operand that is the same along a dimension
      lambda.body.push_back(std::move(all));
    }
    body->push_back(std::move(lambda));
  }

  // To shared memory, of a product in the type of sums. What lies along k is written across rows there.
  Statement stores(size_t number) {
    Statement all = each_load(number);
    const CType type = CType::value(tile_type(number));
    const Expr *k = in_tile(number, true, all), *outer = in_tile(number, false, all);
    const auto place = [&](const Expr* row) {
      const Expr* tile = kernel_.name_expr("stage." + text_.tiles[number].name, type);
      return kernel_.subscript(kernel_.subscript(tile, row, type), outer, type);
    };
    const DType from = part_type(number);
    Expressions expressions = w_.expressions_of(*demand_.operand(number).graph, {});
    if (!is_vector(number)) {
      all.body.push_back(w_.assign(place(k), as_in_tile(number, part(number, all), &expressions)));
      return all;
    }
    const CType pointer = {.kind = CType::Kind::kPointer, .dtype = tile_type(number)};
    const std::string chunk = chunk_of(number);
    if (!load(number).along_k && from == tile_type(number)) {
      all.body.push_back(w_.call("store_vector", {kernel_.prefix("&", place(k), pointer), part(number, all)}));
      return all;
    }
    Statement elements = w_.counted_loop("e", "", chunk);
    elements.unroll = Statement::kUnrollFully;
    const Expr* e = kernel_.reference(elements.variable);
    const Expr* value = as_in_tile(number, kernel_.subscript(part(number, all), e, CType::value(from)), &expressions);
    if (load(number).along_k) {
      elements.body.push_back(w_.assign(place(kernel_.infix(k, "+", e, kInteger)), value));
      all.body.push_back(std::move(elements));
      return all;
    }
    const CType vector = {
        .kind = CType::Kind::kVector, .dtype = tile_type(number), .length = load(number).elements, .extent = chunk};
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
    for (size_t number = 0; number < demand_.operand_count(); ++number) lambda.body.push_back(stores(number));
    body->push_back(std::move(lambda));
  }

  // Where row or column `number` of the thread's results is.
  const Variable* place_of_result(size_t side, const Expr* number, Block* block) {
    const Expr* chunk = kernel_.name_expr("kChunk");
    const Expr* run = kernel_.infix(kernel_.infix(number, "/", chunk, kInteger), "*", chunk, kInteger);
    run = kernel_.infix(run, "*", kernel_.name_expr(side == 0 ? "kLanesM" : "kLanesN"), kInteger);
    const Expr* in_tile = kernel_.infix(kernel_.name_expr(side == 0 ? "own_row" : "own_column"), "+", run, kInteger);
    in_tile = kernel_.infix(in_tile, "+", kernel_.infix(number, "%", chunk, kInteger), kInteger);
    return w_.let(side == 0 ? "row" : "column", w_.index, w_.infix(kernel_.reference(first_[side]), "+", in_tile),
                  block);
  }

  std::map<int, const Expr*> coordinates_of_results(const Variable* row, const Variable* column) const {
    std::map<int, const Expr*> coordinates;
    if (batch_ != nullptr) coordinates[demand_.batch] = kernel_.reference(batch_);
    if (row != nullptr) coordinates[demand_.row] = kernel_.reference(row);
    if (column != nullptr) coordinates[demand_.column] = kernel_.reference(column);
    return coordinates;
  }

  // An array of what the terms of each result of the thread read of an array, or those of a row or column of them;
  // zeros outside. Its name.
  std::string load_of_results(const DemandNode& load, const TermLoad& of, std::string values, Block* body) {
    while (!own_names_.insert(values).second) values += "_again";
    const std::string extents = std::string(of.row ? "[kSumsM]" : "") + (of.column ? "[kSumsN]" : "");
    body->push_back(text(cuda(load.dtype) + " " + values + extents + ";\n"));
    Statement rows = unrolled_loop(&kernel_, "i", "kSumsM"), columns = unrolled_loop(&kernel_, "j", "kSumsN");
    Block inner;
    std::vector<const Expr*> indices;
    if (of.row) indices.push_back(kernel_.reference(rows.variable));
    const Variable* row = of.row ? place_of_result(0, indices.back(), &inner) : nullptr;
    if (of.column) indices.push_back(kernel_.reference(columns.variable));
    const Variable* column = of.column ? place_of_result(1, indices.back(), &inner) : nullptr;
    Expressions expressions = w_.expressions_of(*demand_.pair->graph, coordinates_of_results(row, column));
    expressions.constants[extents_.n] = "kN";
    const Expr* value = expressions.element(expressions.buffers.at(load.instruction), load.expr, load.dtype);
    const Expr* test = of.row && !whole_rows() ? below(row, "kM") : nullptr;
    if (of.column && !whole_columns()) test = w_.both(test, below(column, "kN"));
    if (test != nullptr) value = kernel_.conditional(test, value, kernel_.literal(Literal(Shape::scalar(load.dtype))));
    inner.push_back(w_.assign(array_element(&kernel_, values, indices, load.dtype), value));
    if (of.column) {
      columns.body = std::move(inner);
      inner = {};
      inner.push_back(std::move(columns));
    }
    if (of.row) {
      rows.body = std::move(inner);
      inner = {};
      inner.push_back(std::move(rows));
    }
    body->insert(body->end(), inner.begin(), inner.end());
    return values;
  }

  // What the term's graph is made of beside elements of the operands: arrays of what results have of their own, numbers
  // in front of the loop over k tiles, and what all terms of a place have in common in front of these (`of_term`).
  void add_term_loads(const Expr* row, const Expr* column, Block* body, Block* of_term, Expressions* expressions) {
    const DemandGraph& graph = *demand_.pair->graph;
    for (size_t id = 0; id < graph.nodes.size(); ++id) {
      const DemandNode& node = graph.nodes[id];
      const std::optional<TermLoad> load = term_load(demand_, node);
      if (!load) continue;
      const Variable* buffer = expressions->buffers.at(node.instruction);
      const auto number = static_cast<NodeId>(id);
      if (load->of_result()) {
        const std::string values = load_of_results(node, *load, "own_" + buffer->name, body);
        std::vector<const Expr*> indices;
        if (load->row) indices.push_back(row);
        if (load->column) indices.push_back(column);
        expressions->members[number] = array_element(&kernel_, values, indices, node.dtype);
      } else {
        expressions->variables[number] =
            w_.let(buffer->name + "_value", CType::value(node.dtype),
                   expressions->element(buffer, node.expr, node.dtype), load->term ? of_term : body);
      }
    }
  }

  // Of several values: each becomes what the reduction's function makes of all of them and of the terms.
  void add_next_values(const std::vector<const Expr*>& terms, const std::function<const Expr*(size_t)>& value_at,
                       Block* block) {
    const PairTerm& pair = *demand_.pair;
    Expressions expressions = w_.expressions_of(*pair.function, {});
    for (size_t i = 0; i < pair.values.size(); ++i) {
      const DType dtype = pair.values[i].begin.shape().dtype;
      for (const NodeId node : pair.values[i].before) expressions.members[node] = value_at(i);
      if (pair.values[i].term.empty()) continue;
      const Expr* term = terms[i];
      if (term->kind != Expr::Kind::kVariable)  // read by its name, however often
        term = kernel_.reference(w_.let("term_" + std::to_string(i + 1), CType::value(dtype), term, block));
      for (const NodeId node : pair.values[i].term) expressions.members[node] = term;
    }
    const std::vector<const Expr*> next = w_.results_of(*pair.function, expressions, block);
    // All are known before one changes.
    std::vector<const Expr*> known;
    for (size_t i = 0; i < next.size(); ++i) {
      const CType type = CType::value(pair.values[i].begin.shape().dtype);
      known.push_back(i + 1 == next.size()
                          ? next[i]
                          : kernel_.reference(w_.let("next_" + std::to_string(i + 1), type, next[i], block)));
    }
    for (size_t i = next.size(); i-- > 0;) block->push_back(w_.assign(value_at(i), known[i]));
  }

  // The loop over k tiles where the term is no product: each result begins with what changes nothing, and takes the
  // terms in their order.
  void add_term_loop(Block* body) {
    const PairTerm& pair = *demand_.pair;
    Statement first_rows = unrolled_loop(&kernel_, "i", "kSumsM"),
              first_columns = unrolled_loop(&kernel_, "j", "kSumsN");
    Statement rows = unrolled_loop(&kernel_, "i", "kSumsM"), columns = unrolled_loop(&kernel_, "j", "kSumsN");
    const auto value_in = [&](const Statement& row, const Statement& column, const std::string& name, DType dtype) {
      const std::vector<const Expr*> indices = {kernel_.reference(row.variable), kernel_.reference(column.variable)};
      return array_element(&kernel_, name, indices, dtype);
    };
    const auto begin_with = [&](const std::string& name, const Literal& begin) {
      const DType dtype = begin.shape().dtype;
      const bool is_zero = begin.same_value(Literal(Shape::scalar(dtype)));
      body->push_back(text(cuda(dtype) + " " + name + "[kSumsM][kSumsN]" + (is_zero ? " = {};\n" : ";\n")));
      if (is_zero) return;
      first_columns.body.push_back(w_.assign(value_in(first_rows, first_columns, name, dtype), kernel_.literal(begin)));
    };
    if (pair.values.empty()) begin_with("sums", identity_of(pair.combiner, sum_type_));
    for (size_t i = 0; i < pair.values.size(); ++i) begin_with(name_of_value(i), pair.values[i].begin);
    if (!first_columns.body.empty()) {
      first_rows.body.push_back(std::move(first_columns));
      body->push_back(std::move(first_rows));
    }
    const Expr *i = kernel_.reference(rows.variable), *j = kernel_.reference(columns.variable);
    // Places that the term itself is made of are found where it stands.
    Block places;
    const Variable *row = place_of_result(0, i, &places), *column = place_of_result(1, j, &places);
    Expressions expressions = w_.expressions_of(*pair.graph, coordinates_of_results(row, column));
    Statement terms = unrolled_loop(&kernel_, "k", "kTileK");
    const Expr* of_tile = w_.infix(w_.wide(kernel_.name_expr("tile")), "*", name("kTileK"));
    Variable* term_place = kernel_.variable("term", w_.index);
    expressions.coordinates[pair.term] = kernel_.reference(term_place);
    Block of_term;
    add_term_loads(i, j, body, &of_term, &expressions);
    for (size_t number = 0; number < demand_.operand_count(); ++number) {
      const Expr* counter = side_of(number) == 0 ? i : j;
      const Expr* element = array_element(&kernel_, text_.tiles[number].element, {counter}, operand_type(number));
      for (const NodeId node : pair.elements[number].nodes) expressions.members[node] = element;
    }
    Block combined;
    const std::vector<const Expr*> results = w_.results_of(*pair.graph, expressions, &combined);
    if (pair.values.empty()) {
      const Expr* term = widened(pair.graph->nodes[pair.graph->results[0]].dtype, results[0], &expressions);
      const Expr* sum = value_in(rows, columns, "sums", sum_type_);
      combined.push_back(assignment(sum, expressions.combine(pair.combiner, demand_.dot->shape.dtype, sum, term)));
    } else {
      add_next_values(
          results,
          [&](size_t i) { return value_in(rows, columns, name_of_value(i), pair.values[i].begin.shape().dtype); },
          &combined);
    }
    for (Statement& place : places) {
      if (mentions(combined, place.variable)) columns.body.push_back(std::move(place));
    }
    columns.body.insert(columns.body.end(), combined.begin(), combined.end());
    rows.body.push_back(std::move(columns));
    const bool reads_place = mentions(of_term, term_place) || mentions(rows.body, term_place);
    if (reads_place) {
      const Expr* in_tile = w_.infix(of_tile, "+", kernel_.reference(terms.variable));
      terms.body.push_back({.kind = StatementKind::kLet, .variable = term_place, .value = in_tile});
    }
    if (!whole_k_)
      terms.body.push_back(text(reads_place ? "if (term >= kK) break;\n" : "if (tile * kTileK + k >= kK) break;\n"));
    terms.body.insert(terms.body.end(), of_term.begin(), of_term.end());
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
