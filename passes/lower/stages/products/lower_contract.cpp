// A contract kernel's text: coordinates of the tile, the loop over k that fills shared memory and sums products, and
// the epilogue from the sum to the stores.
#include "passes/lower/stages/products/lower_contract.h"
#include "passes/demand/views/needed_nodes.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/products/result_pairs.h"
#include "passes/lower/stages/products/statistics_writer.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"
#include "passes/schedule/cost/contract_work.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

class ContractWriter {
 public:
  ContractWriter(const StageInput& input, const ContractDemand& demand)
      : writer_(input, "", index_type_of(*demand.graph)),
        kernel_(writer_.kernel),
        index_(writer_.index),
        demand_(demand),
        extents_(demand.extents),
        sum_type_(accumulator_type(demand.dot->shape.dtype)) {
    const std::optional<int64_t> tile = contract_tile(input.node.block[0]);
    check(tile.has_value(), "lower", input.node.name + ": no tile for its block");
    tile_ = *tile;
    grid_ = contract_grid(extents_, tile_);
    if (demand.statistics.empty()) return;
    statistics_ =
        statistics_of_tile(demand, statistics_threads(demand, tile_, tile_, tile_ * tile_), "kTile", "kTile", {});
  }

  LoweredStage run() {
    kernel_.work = contract_work(demand_, tile_);
    add_constants();
    writer_.add_values(*demand_.graph, writer_.input.values.outputs);
    writer_.add_counter(*demand_.graph);
    add_shared();
    StageBody body;
    body.tiles.block = tile_ * tile_;
    std::copy(std::begin(grid_.grid), std::end(grid_.grid), std::begin(body.tiles.grid));
    spell_tiles(grid_, extents_.batch, &body.tiles);
    body.write = [this](const Tile& tile, Block* block) { write(tile, block); };
    const int64_t blocks = grid_.grid[0] * grid_.grid[1] * grid_.grid[2];
    const std::string side = std::to_string(tile_);
    body.pairs = result_pairs(demand_);
    body.graph = demand_.graph.get();
    body.elements = demand_.dot->shape.element_count();
    body.spread =
        launch_text(blocks, tile_ * tile_) + ", a tile of " + side + " x " + side + (blocks == 1 ? "." : " each.");
    if (!grid_.folded) body.tiled = tiled_products(demand_, "kTile");
    LoweredStage stage;
    stage.steps.push_back(add_kernel(&writer_, body, &stage));
    return stage;
  }

 private:
  void write(const Tile& tile, Block* body) {
    add_coordinates(tile, body);
    if (!statistics_.empty()) add_statistics_of_tile(body);
    sum_ = kernel_.variable("sum", CType::value(sum_type_), demand_.dot);
    body->push_back({.kind = StatementKind::kBlank});
    body->push_back({.kind = StatementKind::kComment,
                     .text = value_name(*demand_.dot) +
                             (is_one_step() ? ": a tile of each operand" : ": operands a tile at a time") +
                             (guards_anything() ? ", zero outside" : "")});
    body->push_back({.kind = StatementKind::kDeclare, .variable = sum_, .value = zero()});
    if (is_one_step()) {
      for (const size_t side : {0, 1}) load(side, axis_[k_axis(side)], body);
      body->push_back(writer_.barrier());
      body->push_back(products());
    } else {
      body->push_back(steps());
    }
    body->push_back({.kind = StatementKind::kBlank});
    add_epilogue(body);
    drop_unread_indices(body, *body);  // of an operand that is the same along a dimension
  }

  // The thread's place in its tile: threads of a warp differ in x first.
  enum Axis { kY, kX };

  bool partial_rows() const { return extents_.m % tile_ != 0; }
  bool partial_columns() const { return extents_.n % tile_ != 0; }
  bool partial_steps() const { return extents_.k % tile_ != 0; }
  bool is_one_step() const { return extents_.k <= tile_; }
  bool guards_anything() const { return partial_rows() || partial_columns() || partial_steps(); }

  const Expr* zero() { return kernel_.literal(Literal(Shape::scalar(sum_type_))); }
  const Expr* constant(const char* name) { return writer_.constant(name); }
  const Expr* add(const Expr* a, const Expr* b) { return writer_.infix(a, "+", b); }
  const Expr* times_tile(const Expr* a) { return kernel_.infix(a, "*", constant("kTile"), index_); }
  const Expr* below(const Variable* coordinate, const char* limit) {
    return kernel_.infix(kernel_.reference(coordinate), "<", constant(limit), CType::value(DType::kPred));
  }

  Statement assign(const Expr* target, std::string text, const Expr* value) {
    return {.kind = StatementKind::kAssign, .target = target, .value = value, .text = std::move(text)};
  }

  void add_constants() {
    const auto add = [&](const char* name, const std::string& value, const std::string& comment = "") {
      kernel_.constants.push_back({name, "int", value, comment});
    };
    const auto extent = [&](const char* name, int64_t value) { add(name, std::to_string(value)); };
    if (extents_.batch > 1) extent("kBatch", extents_.batch);
    extent("kM", extents_.m);
    extent("kN", extents_.n);
    extent("kK", extents_.k);
    extent("kTile", tile_);
    add("kThreads", "kTile * kTile");
    const std::string columns = partial_columns() ? "(kN + kTile - 1) / kTile" : "kN / kTile";
    const std::string rows = partial_rows() ? "(kM + kTile - 1) / kTile" : "kM / kTile";
    if (!is_one_step()) {
      add("kSteps", partial_steps() ? "(kK + kTile - 1) / kTile" : "kK / kTile",
          std::to_string(ceil_div(extents_.k, tile_)));
    }
    add("kRowTiles", rows, std::to_string(grid_.rows));
    add("kColumnTiles", columns, std::to_string(grid_.columns));
    std::string whole;
    for (const auto& [partial, name] :
         {std::pair(partial_rows(), "kM"), {partial_columns(), "kN"}, {partial_steps(), "kK"}}) {
      if (!partial) whole += (whole.empty() ? "" : " && ") + std::string(name) + " % kTile == 0";
    }
    if (!whole.empty()) kernel_.assertions.push_back({whole, "tiles are whole"});
    if (statistics_.empty()) return;
    for (const char* header : {"device/warp_reduce.cuh", "device/combine.cuh"}) kernel_.headers.insert(header);
    if (statistics_.parts > 0) add("kRowParts", std::to_string(statistics_.parts), kPartsOfRow);
    if (statistics_.width == 1) return;
    kernel_.headers.insert("device/vector_access.cuh");
    add("kTerms", std::to_string(statistics_.width), "neighbouring terms that a thread loads at once");
  }

  // lhs[row][k] and rhs[k][column]. Where a tile is written across its rows, one column more keeps the threads of a
  // warp in different banks.
  void add_shared() {
    for (size_t side = 0; side < 2; ++side) {
      const bool across = demand_.operands[side].k_contiguous == (side == 1);
      SharedStruct::Member member;
      member.name = side == 0 ? "lhs" : "rhs";
      member.dtype = sum_type_;
      member.dims = {"kTile", across ? "kTile + 1" : "kTile"};
      kernel_.shared.bytes += tile_ * (tile_ + (across ? 1 : 0)) * dtype_bytes(sum_type_);
      kernel_.shared.members.push_back(std::move(member));
    }
    for (size_t i = 0; i < statistics_.numbers.size(); ++i) {
      SharedStruct::Member member;
      member.name = statistics_.numbers[i].name;
      member.dtype = demand_.statistics.numbers[i].dtype();
      member.dims = {statistics_.vectors};
      kernel_.shared.members.push_back(std::move(member));
    }
    kernel_.shared.bytes =
        bytes_with_statistics(kernel_.shared.bytes, dtype_bytes(sum_type_), demand_.statistics, statistics_.threads);
  }

  // A thread has the row, or column, of its place, and shares it with those beside it.
  void add_statistics_of_tile(Block* body) {
    const bool rows = demand_.vectors == 0;
    StatisticsPlace place = {
        .batch = batch_, .vector = kernel_.reference(axis_[kY]), .lane = kernel_.reference(axis_[kX])};
    const Variable* own = vector_;
    place.at = [this, rows, own](const Expr*, Block* block) {
      const Expr* vector = kernel_.reference(own);
      if (rows ? !partial_rows() : !partial_columns()) return vector;
      const char* limit = rows ? "kM" : "kN";
      const Expr* last = writer_.infix(constant(limit), "-", kernel_.integer(1));
      const Expr* inside = kernel_.conditional(below(own, limit), vector, last);
      return kernel_.reference(writer_.let(rows ? "read_row" : "read_column", index_, inside, block));
    };
    body->push_back({.kind = StatementKind::kBlank});
    add_statistics(&writer_, demand_.statistics, statistics_, place, body);
  }

  void add_coordinates(const Tile& number, Block* body) {
    const CType integer = CType::value(DType::kS32);
    shared_ = writer_.shared(body);
    const Expr* thread = kernel_.name_expr("threadIdx.x");
    axis_[kY] = writer_.let("ty", integer, kernel_.infix(thread, "/", constant("kTile"), integer), body);
    axis_[kX] = writer_.let("tx", integer, kernel_.infix(thread, "%", constant("kTile"), integer), body);

    const Expr* first[2] = {number.y, number.x};  // of rows, of columns
    const Expr* batch = number.z;
    if (grid_.folded) {
      const Expr* tile = kernel_.reference(writer_.let("tile", integer, number.x, body));
      const Expr* rest = kernel_.infix(tile, "/", constant("kColumnTiles"), integer);
      first[1] = kernel_.infix(tile, "%", constant("kColumnTiles"), integer);
      first[0] = kernel_.infix(rest, "%", constant("kRowTiles"), integer);
      batch = kernel_.infix(rest, "/", constant("kRowTiles"), integer);
      if (extents_.batch == 1) first[0] = rest;
    }
    if (extents_.batch > 1) batch_ = writer_.let("batch", index_, writer_.wide(batch), body);
    const auto place = [&](const char* name, size_t side, Axis axis) {
      return writer_.let(name, index_, add(times_tile(writer_.wide(first[side])), kernel_.reference(axis_[axis])),
                         body);
    };
    row_ = place("row", 0, kY);
    column_ = place("column", 1, kX);
    // Operands whose neighbours in memory lie along k are read with x along k.
    outer_[0] = demand_.operands[0].k_contiguous ? row_ : place("lhs_row", 0, kX);
    outer_[1] = demand_.operands[1].k_contiguous ? place("rhs_column", 1, kY) : column_;
    if (statistics_.empty()) return;
    const bool rows = demand_.vectors == 0;
    vector_ = rows ? row_ : outer_[1] != column_ ? outer_[1] : place("vector_column", 1, kY);
  }

  const Expr* shared_element(const char* name, const Expr* first, const Expr* second) {
    const CType type = CType::value(sum_type_);
    const Expr* tile = kernel_.member(kernel_.reference(shared_), name, type);
    return kernel_.subscript(kernel_.subscript(tile, first, type), second, type);
  }

  Axis k_axis(size_t side) const { return demand_.operands[side].k_contiguous ? kX : kY; }
  Axis outer_axis(size_t side) const { return demand_.operands[side].k_contiguous ? kY : kX; }

  // One element of an operand, at `k`, into shared memory.
  void load(size_t side, const Variable* k, Block* block) {
    const ContractOperand& operand = demand_.operands[side];
    const Variable* outer = outer_[side];

    Expressions expressions = writer_.expressions_of(*operand.graph, {});
    if (batch_ != nullptr) expressions.coordinates[operand.batch] = kernel_.reference(batch_);
    expressions.coordinates[operand.outer] = kernel_.reference(outer);
    expressions.coordinates[operand.k] = kernel_.reference(k);
    // What the other coordinate counts in.
    const int64_t outer_extent = side == 0 ? extents_.m : extents_.n;
    const std::string outer_name = side == 0 ? "kM" : "kN";
    expressions.along_rows = {{operand.outer, outer_extent, outer_name}, {operand.k, extents_.k, "kK"}};
    if (operand.k_contiguous && operand.is_matrix) {
      expressions.constants[extents_.k] = "kK";
    } else if (operand.is_matrix && outer_extent != extents_.k) {
      expressions.constants[outer_extent] = outer_name;
    }

    if (!statistics_.empty() && side == demand_.vectors)
      read_numbers(&kernel_, demand_.statistics, statistics_, demand_.statistics.reads,
                   kernel_.reference(axis_[outer_axis(side)]), &expressions);

    Block before = write_block(writer_.input.module, *operand.graph, expressions, {});
    const NodeId result = operand.graph->results[0];
    const DType dtype = operand.graph->nodes[result].dtype;
    const Expr* value = expressions.widen(dtype, expressions.value(result));
    value = expressions.convert(accumulator_type(dtype), sum_type_, value);

    const Expr* along_outer = kernel_.reference(axis_[outer_axis(side)]);
    const Expr* along_k = kernel_.reference(axis_[k_axis(side)]);
    const Expr* target =
        side == 0 ? shared_element("lhs", along_outer, along_k) : shared_element("rhs", along_k, along_outer);
    const Expr* inside = nullptr;
    const bool partial_outer = side == 0 ? partial_rows() : partial_columns();
    if (partial_outer) inside = below(outer, side == 0 ? "kM" : "kN");
    if (partial_steps()) {
      const Expr* inside_k = below(k, "kK");
      inside = inside == nullptr ? inside_k : kernel_.infix(inside, "&&", inside_k, CType::value(DType::kPred));
    }
    if (inside == nullptr) {
      block->insert(block->end(), before.begin(), before.end());
      block->push_back(assign(target, "=", value));
    } else if (before.empty() && sinter::width(*value) <= kInlineWidth) {
      block->push_back(assign(target, "=", kernel_.conditional(inside, value, zero())));
    } else {
      block->push_back(assign(target, "=", zero()));
      before.push_back(assign(target, "=", value));
      block->push_back({.kind = StatementKind::kIf, .value = inside, .body = std::move(before)});
    }
  }

  // The loop over k, a tile's depth a step.
  Statement steps() {
    const CType integer = CType::value(DType::kS32);
    Statement loop;
    loop.kind = StatementKind::kFor;
    loop.variable = kernel_.variable("step", integer);
    loop.begin = kernel_.integer(0);
    loop.value = constant("kSteps");
    const Expr* first_k = times_tile(writer_.wide(kernel_.reference(loop.variable)));
    const auto place = [&](const char* name, size_t side) {
      return writer_.let(name, index_, add(first_k, kernel_.reference(axis_[k_axis(side)])), &loop.body);
    };
    if (k_axis(0) == k_axis(1)) {
      const Variable* k = place("tile_k", 0);
      for (size_t side = 0; side < 2; ++side) load(side, k, &loop.body);
    } else {
      const Variable* lhs_k = place("lhs_k", 0);
      const Variable* rhs_k = place("rhs_k", 1);
      load(0, lhs_k, &loop.body);
      load(1, rhs_k, &loop.body);
    }
    loop.body.push_back(writer_.barrier());
    loop.body.push_back(products());
    loop.body.push_back(writer_.barrier());
    return loop;
  }

  Statement products() {
    Statement loop;
    loop.kind = StatementKind::kFor;
    loop.variable = kernel_.variable("k", CType::value(DType::kS32));
    loop.begin = kernel_.integer(0);
    loop.value = constant("kTile");
    loop.unroll = Statement::kUnrollFully;
    const CType type = CType::value(sum_type_);
    const Expr* k = kernel_.reference(loop.variable);
    const Expr* left = shared_element("lhs", kernel_.reference(axis_[kY]), k);
    const Expr* right = shared_element("rhs", k, kernel_.reference(axis_[kX]));
    const Expr* sum = kernel_.reference(sum_);
    if (is_float(sum_type_)) {
      loop.body.push_back(
          assign(sum, "=", kernel_.call(sum_type_ == DType::kF64 ? "fma" : "fmaf", {left, right, sum}, type)));
    } else {
      loop.body.push_back(assign(sum, "+=", kernel_.infix(left, "*", right, type)));
    }
    return loop;
  }

  void add_epilogue(Block* body) {
    const CType pred = CType::value(DType::kPred);
    const auto outside = [&](const Variable* coordinate, const char* limit) {
      return kernel_.infix(kernel_.reference(coordinate), ">=", constant(limit), pred);
    };
    const Expr* leaves = nullptr;
    if (partial_rows()) leaves = outside(row_, "kM");
    if (partial_columns()) {
      const Expr* beside = outside(column_, "kN");
      leaves = leaves == nullptr ? beside : kernel_.infix(leaves, "||", beside, pred);
    }
    if (leaves != nullptr) {
      Statement guard = {.kind = StatementKind::kIf, .value = leaves};
      guard.body.push_back({.kind = StatementKind::kReturn});
      body->push_back(std::move(guard));
      body->push_back({.kind = StatementKind::kBlank});
    }
    Expressions expressions = writer_.expressions_of(*demand_.epilogue, {});
    if (batch_ != nullptr) expressions.coordinates[demand_.batch] = kernel_.reference(batch_);
    expressions.coordinates[demand_.row] = kernel_.reference(row_);
    expressions.coordinates[demand_.column] = kernel_.reference(column_);
    expressions.constants[extents_.n] = "kN";
    expressions.along_rows.push_back({demand_.column, extents_.n, "kN"});
    Variable* product = sum_;
    const DType dtype = demand_.dot->shape.dtype;
    if (dtype != sum_type_) {
      product = writer_.let(value_name(*demand_.dot), CType::value(dtype),
                            expressions.narrow(dtype, kernel_.reference(sum_)), body);
      product->origin = demand_.dot;
    }
    for (const ContractDemand::Product& each : demand_.products) expressions.variables[each.node] = product;
    Block statements = write_block(writer_.input.module, *demand_.epilogue, expressions, {});
    body->insert(body->end(), statements.begin(), statements.end());
  }

  StageWriter writer_;
  Kernel& kernel_;
  const CType index_;
  const ContractDemand& demand_;
  const ContractExtents extents_;
  const DType sum_type_;  // what products are summed in, and tiles hold
  StatisticsText statistics_;
  int64_t tile_ = kContractTile;
  ContractGrid grid_;
  Variable* shared_ = nullptr;
  Variable* axis_[2] = {nullptr, nullptr};
  Variable* batch_ = nullptr;
  Variable* row_ = nullptr;
  Variable* column_ = nullptr;
  Variable* outer_[2] = {nullptr, nullptr};  // the row of lhs and the column of rhs that the thread loads
  Variable* vector_ = nullptr;               // the row or column whose statistics it makes
  Variable* sum_ = nullptr;
};

}  // namespace

std::optional<int64_t> contract_tile(int64_t threads) {
  for (const int64_t tile : {8, 16, 32}) {
    if (threads == tile * tile) return tile;
  }
  return std::nullopt;
}

void spell_tiles(const ContractGrid& grid, int64_t batch, LaunchDimensions* launch) {
  const bool several = batch > 1;
  if (grid.folded) {
    launch->grid_spelling[0] = std::string("kColumnTiles * kRowTiles") + (several ? " * kBatch" : "");
    return;
  }
  launch->grid_spelling[0] = "kColumnTiles";
  launch->grid_spelling[1] = "kRowTiles";
  if (several) launch->grid_spelling[2] = "kBatch";
}

std::vector<TiledElements> tiled_products(const ContractDemand& demand, const std::string& tile_rows) {
  const DemandGraph* results = demand.epilogue.get();
  std::vector<TiledElements> tiled;
  if (demand.extents.batch > 1)
    tiled.push_back({results, results->coordinate(demand.batch), demand.extents.batch, "1", "products", 2});
  tiled.push_back({results, results->coordinate(demand.row), demand.extents.m, tile_rows, "rows", 1});
  return tiled;
}

std::set<const Instruction*> loaded_arrays(const DemandGraph& graph) {
  const std::vector<bool> needed = needed_nodes(graph);
  std::set<const Instruction*> arrays;
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    if (needed[id] && graph.nodes[id].kind == DemandNode::Kind::kLoad) arrays.insert(graph.nodes[id].instruction);
  }
  return arrays;
}

const Expr* part_at(StageWriter* writer, const Variable* column) {
  Kernel& kernel = writer->kernel;
  const Expr* run = writer->infix(kernel.reference(column), "/", kernel.name_expr("kRun"));
  return writer->infix(run, "%", kernel.name_expr("kParts"));
}

void choose_matrices(StageWriter* writer, const ContractDemand& demand, const std::set<const Instruction*>& arrays,
                     const Expr* part, Expressions* expressions, Block* block) {
  Kernel& kernel = writer->kernel;
  for (const std::vector<const Instruction*>& of_parts : demand.matrices) {
    if (arrays.count(of_parts[0]) == 0) continue;
    const Variable* first = expressions->buffers.at(of_parts[0]);
    std::string name = first->name;
    const Expr* chosen = nullptr;
    for (size_t i = of_parts.size(); i-- > 0;) {
      const Expr* array = kernel.reference(writer->inputs.at(of_parts[i]));
      if (chosen == nullptr) {
        chosen = array;
        continue;
      }
      const Expr* is_part =
          kernel.infix(part, "==", kernel.integer(static_cast<int64_t>(i)), CType::value(DType::kPred));
      chosen = kernel.conditional(is_part, array, chosen);
    }
    name += of_parts.size() == 2 ? "_or_" + writer->inputs.at(of_parts[1])->name : "_of_part";
    CType type = first->type;
    type.kind = CType::Kind::kConstPointer;
    expressions->buffers[of_parts[0]] = writer->let(name, type, chosen, block);
  }
}

LoweredStage lower_contract(const StageInput& input, const ContractDemand& demand) {
  return ContractWriter(input, demand).run();
}

}  // namespace sinter
