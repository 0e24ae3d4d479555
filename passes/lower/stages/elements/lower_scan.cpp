// A scan kernel's text: a block walks along its row, as many elements a step as it has threads, or along 32 rows side
// by side, as many elements a step as it has warps. Each step continues the one before, so the order of terms is fixed
// by the number of threads. Of rows that are few and long a block walks along tiles: a kernel before combines each
// tile, and the block begins with what the tiles before its own combine to, in an order that their number fixes.
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/elements/lower_elements.h"

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/text/assignment.h"
#include "passes/lower/text/combiners.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"
#include "passes/stages/scans/scan_tile.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

class ScanLowering {
 public:
  ScanLowering(const StageInput& input, const ScanDemand& demand)
      : input_(input),
        demand_(demand),
        scan_(*demand.scan),
        extents_(demand.extents),
        tile_(scan_tile(demand)),
        opcode_(*simple_combiner(**scan_.attributes->to_apply)),
        dtype_(scan_.shape.dtype),
        sum_type_(CType::value(accumulator_type(dtype_))),
        threads_(input.node.block[0]),
        length_(tile_.across ? threads_ / kScanLanes : threads_),
        whole_rows_(!tile_.across || extents_.rows % kScanLanes == 0),
        whole_columns_(extents_.columns % (tiled() ? tile_.tile : length_) == 0),
        exact_(whole_rows_ && whole_columns_) {}

  LoweredStage run() {
    if (tiled()) {
      stage_.scratch.push_back({"totals", Shape::array(sum_type_.dtype, {extents_.rows, tile_.tiles})});
      totals_kernel();
    }
    scan_kernel();
    return std::move(stage_);
  }

 private:
  bool tiled() const { return tile_.tiles > 1; }
  int64_t steps() const { return ceil_div(tiled() ? tile_.tile : extents_.columns, length_); }

  // The kernel's variables, and what is spelled with them.
  struct Walk {
    Variable* row = nullptr;
    Variable* column = nullptr;
    const Expr* tile = nullptr;
  };

  void add_shape(StageWriter& writer) const {
    Kernel& kernel = writer.kernel;
    kernel.headers.insert("device/combine.cuh");
    const std::string length = tile_.across ? "kWarps" : "kThreads";
    if (extents_.rows > 1 || !tiled()) writer.constexpr_int("kRows", extents_.rows);
    writer.constexpr_int("kColumns", extents_.columns);
    writer.constexpr_int("kThreads", threads_);
    if (tile_.across) {
      writer.constexpr_int("kLanes", kScanLanes, "", "of a warp, a row each");
      writer.constexpr_int("kWarps", length_, "kThreads / kLanes", std::to_string(length_));
    }
    if (tiled()) {
      writer.constexpr_int("kTile", tile_.tile, "", "elements of a row, a block");
      writer.constexpr_int("kTiles", tile_.tiles, "(kColumns + kTile - 1) / kTile", std::to_string(tile_.tiles));
      if (steps() > 1) writer.constexpr_int("kSteps", steps(), "kTile / " + length, std::to_string(steps()));
      if (whole_columns_) kernel.assertions.push_back({"kColumns % kTile == 0", "tiles are whole"});
      if (whole_rows_ && tile_.across) kernel.assertions.push_back({"kRows % kLanes == 0", "warps are whole"});
    } else {
      if (steps() > 1) {
        writer.constexpr_int("kSteps", steps(),
                             whole_columns_ ? "kColumns / " + length : "(kColumns + " + length + " - 1) / " + length,
                             std::to_string(steps()));
      }
      if (whole_columns_) kernel.assertions.push_back({"kColumns % " + length + " == 0", "steps are whole"});
      if (whole_rows_ && tile_.across) kernel.assertions.push_back({"kRows % kLanes == 0", "warps are whole"});
    }
  }

  StageBody stage_body() const {
    StageBody body;
    const std::string rows = !tile_.across ? "kRows" : whole_rows_ ? "kRows / kLanes" : "(kRows + kLanes - 1) / kLanes";
    body.set_tiles(threads_, tile_.blocks, !tiled() ? rows : extents_.rows > 1 ? rows + " * kTiles" : "kTiles");
    return body;
  }

  // The block's row, or the lane's, and the block's tile.
  Walk add_place(StageWriter& writer, const Expr* block, Block* body) const {
    Kernel& kernel = writer.kernel;
    Walk walk = {kernel.variable("row", writer.index), kernel.variable("column", writer.index)};
    const Expr* thread = kernel.name_expr("threadIdx.x");
    if (extents_.rows > 1) {
      const Expr* number = writer.wide(tiled() ? kernel.infix(block, "/", writer.constant("kTiles"), kInteger) : block);
      if (tile_.across) {
        number = writer.infix(writer.infix(number, "*", writer.constant("kLanes")), "+",
                              kernel.infix(thread, "%", kernel.name_expr("kLanes"), kInteger));
      }
      body->push_back({.kind = StatementKind::kLet, .variable = walk.row, .value = number});
    }
    if (tiled()) {
      const Expr* number = extents_.rows > 1 ? kernel.infix(block, "%", kernel.name_expr("kTiles"), kInteger) : block;
      walk.tile = kernel.reference(writer.let("tile", kInteger, number, body));
    }
    if (extents_.rows > 1 || tiled()) body->push_back({.kind = StatementKind::kBlank});
    return walk;
  }

  // for (int step = 0; step < kSteps; ++step) { const int column = ...; `write` }, or, of one step, what it does.
  template <class Write>
  void over_steps(StageWriter& writer, const Walk& walk, const Write& write, Block* block) const {
    Kernel& kernel = writer.kernel;
    Statement loop = {.kind = StatementKind::kFor};
    const Expr* thread = kernel.name_expr("threadIdx.x");
    const Expr* place = tile_.across ? kernel.infix(thread, "/", kernel.name_expr("kLanes"), kInteger) : thread;
    if (steps() > 1) {
      loop.variable = kernel.variable("step", CType::value(counter_type(steps())));
      loop.begin = kernel.integer(0);
      loop.value = kernel.name_expr("kSteps");
      const Expr* step = writer.wide(kernel.reference(loop.variable));
      step = writer.infix(step, "*", writer.constant(tile_.across ? "kWarps" : "kThreads"));
      if (tiled()) step = writer.infix(first_of(writer, walk.tile), "+", step);
      place = writer.infix(step, "+", place);
    } else if (tiled()) {
      place = writer.infix(first_of(writer, walk.tile), "+", place);
    }
    if (extents_.reverse) {
      place = writer.infix(writer.infix(writer.constant("kColumns"), "-", kernel.integer(1)), "-", place);
    }
    Block& body = steps() > 1 ? loop.body : *block;
    body.push_back({.kind = StatementKind::kLet, .variable = walk.column, .value = place});
    write(&body);
    if (steps() > 1) block->push_back(std::move(loop));
  }

  // The first element of a tile.
  static const Expr* first_of(StageWriter& writer, const Expr* tile) {
    return writer.infix(writer.wide(tile), "*", writer.constant("kTile"));
  }

  // Whether the lane has a row.
  static const Expr* in_row(Kernel& kernel, const Walk& walk) {
    return kernel.infix(kernel.reference(walk.row), "<", kernel.name_expr("kRows"), kPred);
  }

  // Steps beyond the row's end change nothing.
  void add_guarded(StageWriter& writer, const Walk& walk, Block body, Block* block) const {
    if (exact_) {
      block->insert(block->end(), body.begin(), body.end());
      return;
    }
    Kernel& kernel = writer.kernel;
    const Expr* column = kernel.reference(walk.column);
    const Expr* in_column = extents_.reverse ? kernel.infix(column, ">=", kernel.integer(0), kPred)
                                             : kernel.infix(column, "<", kernel.name_expr("kColumns"), kPred);
    Statement guard = {.kind = StatementKind::kIf};
    const Expr* row = in_row(kernel, walk);
    guard.value = whole_rows_ ? in_column : whole_columns_ ? row : kernel.infix(row, "&&", in_column, kPred);
    guard.body = std::move(body);
    block->push_back(std::move(guard));
  }

  Expressions expressions_of(StageWriter& writer, const DemandGraph& graph, const Walk& walk) const {
    Expressions expressions = writer.expressions_of(graph, {{demand_.row, writer.kernel.reference(walk.row)},
                                                            {demand_.column, writer.kernel.reference(walk.column)}});
    expressions.constants[extents_.columns] = "kColumns";
    expressions.along_rows.push_back({demand_.column, extents_.columns, "kColumns"});
    if (extents_.rows > 1) expressions.along_rows.push_back({demand_.row, extents_.rows, "kRows"});
    return expressions;
  }

  // The operand's element, as what sums are made in, and the statements before it.
  const Expr* operand(StageWriter& writer, const Walk& walk, Block* block) const {
    Expressions expressions = expressions_of(writer, *demand_.operand, walk);
    return expressions.widen(dtype_, writer.results_of(*demand_.operand, expressions, block)[0]);
  }

  const Expr* identity(Kernel& kernel) const { return kernel.literal(identity_of(opcode_, sum_type_.dtype)); }
  const Expr* functor(Kernel& kernel) const { return kernel.call(combine_functor(opcode_), {}, sum_type_); }

  // target = target ⊕ term
  Statement take(StageWriter& writer, const Expr* target, const Expr* term) const {
    Expressions expressions;
    expressions.kernel = &writer.kernel;
    return assignment(target, expressions.combine(opcode_, sum_type_.dtype, target, term));
  }

  // What all threads of the block have of a row combines to.
  const Expr* reduce(Kernel& kernel, const Variable* value) const {
    const std::string helper = tile_.across ? "column_reduce" : "block_reduce";
    kernel.headers.insert("device/" + helper + ".cuh");
    return kernel.call(helper + "<kThreads>", {kernel.reference(value), functor(kernel)}, sum_type_);
  }

  // totals[row][tile] = what the block's tile combines to.
  void totals_kernel() {
    StageWriter writer(input_, "totals", index_type());
    writer.add_values(*demand_.operand, {});
    const Variable* totals = writer.add_pointer("totals", stage_.scratch[0].shape, true, StageArgument::scratch(0));
    writer.add_counter(*demand_.operand);
    add_shape(writer);
    writer.kernel.description = {writer.kernel.name + ": what the elements of each tile combine to, before " +
                                     input_.node.name + " walks along them.",
                                 "",
                                 (tile_.across ? "A tile of 32 rows a block of " : "A tile a block of ") +
                                     std::to_string(threads_) + " threads."};
    StageBody body = stage_body();
    body.write = [&](const Tile& tile, Block* block) { write_totals(writer, totals, tile.x, *block); };
    stage_.steps.push_back(add_kernel(&writer, body, &stage_));
  }

  void write_totals(StageWriter& writer, const Variable* totals, const Expr* number, Block& body) const {
    Kernel& kernel = writer.kernel;
    const Walk walk = add_place(writer, number, &body);
    Variable* total = kernel.variable("total", sum_type_);
    body.push_back({.kind = StatementKind::kDeclare, .variable = total, .value = identity(kernel)});
    const auto add_element = [&](Block* step) {
      Block load;
      const Expr* term = operand(writer, walk, &load);
      load.push_back(take(writer, kernel.reference(total), term));
      add_guarded(writer, walk, std::move(load), step);
    };
    over_steps(writer, walk, add_element, &body);
    body.push_back(writer.assign(kernel.reference(total), reduce(kernel, total)));
    const Expr* thread = kernel.name_expr("threadIdx.x");
    Statement store = {.kind = StatementKind::kIf, .value = kernel.infix(thread, "==", kernel.integer(0), kPred)};
    if (tile_.across) {
      store.value = kernel.infix(thread, "<", kernel.name_expr("kLanes"), kPred);
      if (!whole_rows_) {
        store.value = kernel.infix(store.value, "&&", in_row(kernel, walk), kPred);
      }
      number = total_of(writer, walk, walk.tile);
    }
    store.body.push_back(
        writer.assign(kernel.subscript(kernel.reference(totals), number, sum_type_), kernel.reference(total)));
    body.push_back(std::move(store));
  }

  // The place of a tile's total.
  const Expr* total_of(StageWriter& writer, const Walk& walk, const Expr* tile) const {
    if (extents_.rows == 1) return tile;
    const Expr* of_row = writer.infix(writer.kernel.reference(walk.row), "*", writer.constant("kTiles"));
    return writer.infix(of_row, "+", tile);
  }

  // carry = carry ⊕ what the tiles before the block's own combine to.
  void carry_tiles(StageWriter& writer, const Walk& walk, const Variable* totals, const Variable* carry,
                   Block* body) const {
    Kernel& kernel = writer.kernel;
    Variable* before = kernel.variable("before", sum_type_);
    body->push_back({.kind = StatementKind::kDeclare, .variable = before, .value = identity(kernel)});
    Statement loop = writer.strided_loop("k", walk.tile);
    if (tile_.across) {
      loop.begin = kernel.infix(loop.begin, "/", kernel.name_expr("kLanes"), kInteger);
      loop.step = length_;
      loop.text = "kWarps";
    }
    const Expr* total =
        kernel.subscript(kernel.reference(totals), total_of(writer, walk, kernel.reference(loop.variable)), sum_type_);
    loop.body.push_back(take(writer, kernel.reference(before), total));
    if (!whole_rows_) {
      Statement guard = {.kind = StatementKind::kIf, .value = in_row(kernel, walk)};
      guard.body.push_back(std::move(loop));
      body->push_back(std::move(guard));
    } else {
      body->push_back(std::move(loop));
    }
    body->push_back(take(writer, kernel.reference(carry), reduce(kernel, before)));
    body->push_back({.kind = StatementKind::kBlank});
  }

  void scan_kernel() {
    StageWriter writer(input_, "", index_type());
    writer.add_values(*demand_.graph, input_.values.outputs);
    Variable* totals =
        tiled() ? writer.add_pointer("totals", stage_.scratch[0].shape, false, StageArgument::scratch(0)) : nullptr;
    writer.add_counter(*demand_.graph);
    add_shape(writer);
    StageBody body = stage_body();
    body.write = [&](const Tile& tile, Block* block) { write_scan(writer, totals, tile.x, *block); };
    body.graph = demand_.graph.get();
    if (!tiled()) {
      const DemandGraph& results = *demand_.epilogue;
      body.tiled = {{&results, results.coordinate(demand_.row), extents_.rows, tile_.across ? "kLanes" : "1", "rows"}};
    }
    body.elements = scan_.shape.element_count();
    body.spread = spread();
    stage_.steps.push_back(add_kernel(&writer, body, &stage_));
  }

  std::string spread() const {
    const std::string rows = tiled() && tile_.across ? "A tile of " + std::to_string(kScanLanes) + " rows a block of "
                             : tiled()               ? "A tile of a row a block of "
                             : tile_.across          ? std::to_string(kScanLanes) + " rows a block of "
                             : extents_.rows == 1    ? "One block of "
                                                     : "A row a block of ";
    std::string launch = rows + std::to_string(threads_) + " threads";
    if (steps() > 1) launch += std::string(", which walks along ") + (tile_.across ? "them" : "it");
    if (extents_.reverse)
      launch += steps() == 1 ? ", from the end" : tile_.across ? " from their end" : " from its end";
    return launch + ".";
  }

  void write_scan(StageWriter& writer, const Variable* totals, const Expr* number, Block& body) const {
    Kernel& kernel = writer.kernel;
    const std::string helper = tile_.across ? "column_scan" : "block_scan";
    kernel.headers.insert("device/" + helper + ".cuh");
    const Walk walk = add_place(writer, number, &body);
    Variable* carry = kernel.variable("carry", sum_type_);
    const bool widened = is_float(sum_type_.dtype) && dtype_ != sum_type_.dtype;
    const Literal init = widened ? real_literal(sum_type_.dtype, demand_.init.real_at(0)) : demand_.init;
    body.push_back({.kind = StatementKind::kDeclare, .variable = carry, .value = kernel.literal(init)});
    if (tiled()) carry_tiles(writer, walk, totals, carry, &body);
    const auto scan_step = [&](Block* step) {
      Variable* value = kernel.variable("value", sum_type_);
      Variable* sum = kernel.variable(accumulator_name(opcode_), sum_type_, &scan_);
      Block load;
      const Expr* loaded = operand(writer, walk, &load);
      if (exact_) {
        load.push_back({.kind = StatementKind::kLet, .variable = value, .value = loaded});
      } else {
        step->push_back({.kind = StatementKind::kDeclare, .variable = value, .value = identity(kernel)});
        load.push_back(writer.assign(kernel.reference(value), loaded));
      }
      add_guarded(writer, walk, std::move(load), step);
      const CType pointer = {.kind = CType::Kind::kPointer, .dtype = sum_type_.dtype, .is_restrict = false};
      const Expr* next = kernel.prefix("&", kernel.reference(carry), pointer);
      const Expr* scanned =
          kernel.call(helper + "<kThreads>", {kernel.reference(value), functor(kernel), next}, sum_type_);
      step->push_back({.kind = StatementKind::kLet, .variable = sum, .value = scanned});
      add_guarded(writer, walk, stores(writer, walk, sum), step);
    };
    over_steps(writer, walk, scan_step, &body);
  }

  // From the scan's element to what is stored.
  Block stores(StageWriter& writer, const Walk& walk, Variable* sum) const {
    Expressions after = expressions_of(writer, *demand_.epilogue, walk);
    Block block;
    Variable* element = sum;
    if (dtype_ != sum_type_.dtype) {
      const Expr* narrowed = after.narrow(dtype_, writer.kernel.reference(sum));
      element = writer.kernel.variable(value_name(scan_), CType::value(dtype_), &scan_);
      block.push_back({.kind = StatementKind::kLet, .variable = element, .value = narrowed});
    }
    for (const NodeId id : demand_.elements) after.variables[id] = element;
    writer.results_of(*demand_.epilogue, after, &block);
    std::erase_if(block, [](const Statement& statement) { return statement.kind == StatementKind::kBlank; });
    return block;
  }

  // Of places up to the end of the last step, which may be beyond the row's.
  DType index_type() const {
    return index_type_of(*demand_.graph, tiled() ? tile_.tiles * tile_.tile : steps() * length_);
  }

  const StageInput& input_;
  const ScanDemand& demand_;
  const Instruction& scan_;
  const ScanExtents& extents_;
  const ScanTile tile_;
  const Opcode opcode_;
  const DType dtype_;
  const CType sum_type_;
  const int64_t threads_;
  const int64_t length_;      // elements of a row that a step takes
  const bool whole_rows_;     // the blocks have no row too many
  const bool whole_columns_;  // the steps have no element too many
  const bool exact_;
  LoweredStage stage_;
};

}  // namespace

LoweredStage lower_scan(const StageInput& input, const ScanDemand& demand) { return ScanLowering(input, demand).run(); }

}  // namespace sinter
