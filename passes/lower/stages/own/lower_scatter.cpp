// A scatter's text. Where updates are sorted by their row, and are many that one operation combines, threads have equal
// shares of them (scatter_runs.h). Of others sorted a thread computes an element:
//
//   float sum = table[element];
//   for (int k = lower_bound(rows, kUpdates, row); k < kUpdates; ++k) {
//     if (rows[k] != row) break;
//     sum += updates[k * kColumns + column];
//   }
//   out[element] = sum;
//
// Where their order does not matter, the result begins as the operand (a copy, zeros, or a kernel), and a thread
// brings one element of an update to it: atomically, or plainly where no two updates have a row in common, or where all
// of a row write the same: one number, or of truth values the one that decides. So does it
// where sorted updates are of few elements of a large array: the last of a row where updates overwrite, else the first,
// which takes those that follow. Of few updates that are not sorted a block finds out whether its update is that one:
//
//   bool others = false;
//   for (int k = update + 1 + threadIdx.x; k < kUpdates; k += kThreads) others |= rows[k] == row;
//   if (__syncthreads_or(others)) return;
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/own/own_lowerings.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/values/constants.h"
#include "passes/lower/rewrite/drop_unread.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/own/scatter_runs.h"
#include "passes/lower/text/assignment.h"
#include "passes/lower/text/combiners.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/schedule/cost/graph_work.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

class ScatterLowering {
 public:
  ScatterLowering(const StageInput& input, const ScatterDemand& demand)
      : input_(input),
        demand_(demand),
        scatter_(*demand.scatter),
        combiner_(**demand.scatter->attributes->to_apply),
        simple_(simple_combiner(combiner_)),
        dtype_(demand.scatter->shape.dtype),
        row_(CType::value(type_of_rows(demand.rows))) {
    index_ = index_type_of(*demand.graph, std::max(demand.rows, demand.updates) * demand.columns);
  }

  LoweredStage run() {
    if (demand_.updates_form) {
      bring_operand();
      add_run_kernels(input_, demand_, index_, &stage_);
    } else if (demand_.few_form) {
      bring_operand();
      bring_few();
    } else if (demand_.by_update) {
      bring_operand();
      bring_updates();
    } else {
      gather_updates();
    }
    return std::move(stage_);
  }

 private:
  // An element a thread: `element` of `count`, taken apart into `outer` and the column. Threads beyond leave.
  struct Place {
    const Expr* element = nullptr;
    const Expr* outer = nullptr;
    const Expr* column = nullptr;
  };
  Place place(StageWriter& writer, const Expr* tile, const std::string& outer, int64_t outers, const std::string& count,
              Block* block) const {
    Kernel& kernel = writer.kernel;
    const int64_t threads = outers * demand_.columns;
    if (demand_.columns > 1) writer.constexpr_int("kColumns", demand_.columns);
    const std::string elements = demand_.columns == 1 ? count : "kElements";
    if (demand_.columns > 1) writer.constexpr_int("kElements", threads, count + " * kColumns", std::to_string(threads));
    writer.constexpr_int("kThreads", kScatterThreads);
    const bool exact = threads % kScatterThreads == 0;
    const Expr* thread = writer.infix(writer.infix(writer.wide(tile), "*", writer.constant("kThreads")), "+",
                                      kernel.name_expr("threadIdx.x"));
    Place result;
    const bool flat = demand_.columns == 1;
    result.element = kernel.reference(writer.let(flat ? outer : "element", writer.index, thread, block));
    if (!exact) block->push_back(writer.leave(result.element, ">=", writer.constant(elements)));
    if (exact) kernel.assertions.push_back({elements + " % kThreads == 0", "the grid covers the elements exactly"});
    result.outer = result.element;
    result.column = kernel.integer(0);
    if (flat) return result;
    const auto part = [&](const std::string& name, const char* op) {
      const Expr* value = writer.infix(result.element, op, writer.constant("kColumns"));
      return kernel.reference(writer.let(name, writer.index, value, block));
    };
    result.outer = part(outer, "/");
    result.column = part("column", "%");
    return result;
  }

  Expressions expressions_of(StageWriter& writer, const DemandGraph& graph, const Place& place, int outer,
                             int64_t outers) const {
    Expressions expressions = writer.expressions_of(graph, {{outer, place.outer}, {demand_.column, place.column}});
    if (demand_.columns > 1) expressions.constants[demand_.columns] = "kColumns";
    if (demand_.columns > 1) {
      // Offsets of whole arrays are the element itself.
      Expressions::Flat flat;
      flat.sum = IndexExpr::coordinate(outer, {0, outers - 1}) * demand_.columns +
                 IndexExpr::coordinate(demand_.column, {0, demand_.columns - 1});
      flat.last = demand_.column;
      const int whole = static_cast<int>(graph.coordinates.size());
      flat.whole = IndexExpr::coordinate(whole, {0, outers * demand_.columns - 1});
      expressions.coordinates[whole] = place.element;
      expressions.flat = flat;
    }
    return expressions;
  }

  const Expr* result_at(StageWriter& writer, const Expr* element) const {
    const Variable* result = writer.outputs.at(&scatter_);
    return writer.kernel.subscript(writer.kernel.reference(result), element, CType::value(dtype_));
  }

  // What takes an update: an accumulator, or the result's element in memory. `target` becomes `combined`.
  const Expr* combined(StageWriter& writer, const Expr* target, const Expr* update, Block* block) const {
    Kernel& kernel = writer.kernel;
    DemandContext context;
    context.level = &combiner_;
    for (const Instruction& instruction : combiner_.instructions()) context.computed.insert(&instruction);
    DemandGraph graph(context);
    std::map<NodeId, const Expr*> members;
    const std::vector<Instruction*> parameters = combiner_.parameters();
    members[graph.add_parameter(parameters[0])] = target;
    members[graph.add_parameter(parameters[1])] = update;
    graph.results.push_back(graph.demand(combiner_.root(), {}));
    check(!graph.failure && graph.finish({}), "lower", combiner_.name + " is not a function on scalars");
    Expressions expressions = writer.expressions_of(graph, {});
    expressions.kernel = &kernel;
    expressions.members = std::move(members);
    return writer.results_of(graph, expressions, block)[0];
  }

  bool overwrites() const { return sinter::overwrites(combiner_); }

  // target = target ⊕ update, where target is of the accumulator type if the combiner is simple.
  void take(StageWriter& writer, Expressions& expressions, const Expr* target, const Expr* update, Block* block) const {
    if (overwrites()) {
      block->push_back(writer.assign(target, update));
      return;
    }
    if (!simple_) {
      const Expr* value = combined(writer, target, update, block);
      block->push_back(writer.assign(target, value));
      return;
    }
    const Expr* value = expressions.combine(*simple_, dtype_, target, expressions.widen(dtype_, update));
    block->push_back(assignment(target, value));
  }

  // A thread an element of the result.
  void gather_updates() {
    StageWriter writer(input_, "", index_);
    Kernel& kernel = writer.kernel;
    kernel.headers.insert("device/lower_bound.cuh");
    writer.constexpr_int("kRows", demand_.rows);
    writer.add_values(*demand_.graph, input_.values.outputs);
    writer.add_counter(*demand_.graph);
    StageBody body = body_of(demand_.rows, "kRows", demand_.graph.get(),
                             "An element a thread, which finds its updates among those sorted by row.");
    add_step(&writer, std::move(body), [&](const Expr* tile, Block* block) { write_gather(writer, tile, block); });
  }

  void write_gather(StageWriter& writer, const Expr* tile, Block* block) {
    Kernel& kernel = writer.kernel;
    const Place at = place(writer, tile, "row", demand_.rows, "kRows", block);
    writer.constexpr_int("kUpdates", demand_.updates);
    block->push_back({.kind = StatementKind::kBlank});

    const bool widened = simple_ && accumulator_type(dtype_) != dtype_;
    const DType type = widened ? accumulator_type(dtype_) : dtype_;
    Expressions operand = expressions_of(writer, *demand_.operand, at, demand_.row, demand_.rows);
    const Expr* first = writer.results_of(*demand_.operand, operand, block)[0];
    Variable* value = kernel.variable(simple_ ? accumulator_name(*simple_) : "value", CType::value(type));
    block->push_back(
        {.kind = StatementKind::kDeclare, .variable = value, .value = widened ? operand.widen(dtype_, first) : first});

    const Variable* rows = writer.inputs.at(demand_.row_of);
    const Expr* row = index_ == row_.dtype ? at.outer : kernel.cast(row_, at.outer);
    const auto row_of = [&](const Expr* k) { return kernel.subscript(kernel.reference(rows), k, row_); };
    const auto place_of = [&](const Expr* wanted) {
      return kernel.call("lower_bound", {kernel.reference(rows), writer.constant("kUpdates"), wanted}, kInteger);
    };
    Expressions update;
    const auto take_update = [&](const Expr* k, Block* body) {
      update = writer.expressions_of(*update_only(), {{demand_.number, k}, {demand_.column, at.column}});
      if (demand_.columns > 1) update.constants[demand_.columns] = "kColumns";
      const Expr* term = writer.results_of(*update_, update, body)[0];
      take(writer, update, kernel.reference(value), term, body);
    };
    if (overwrites()) {
      // The last update alone: the one before where updates of rows that follow begin.
      const Expr* next = place_of(kernel.infix(row, "+", kernel.integer(1), row_));
      const Expr* k =
          kernel.reference(writer.let("k", kInteger, kernel.infix(next, "-", kernel.integer(1), kInteger), block));
      const Expr* has_update = kernel.infix(kernel.infix(k, ">=", kernel.integer(0), kPred), "&&",
                                            kernel.infix(row_of(k), "==", row, kPred), kPred);
      Statement last = {.kind = StatementKind::kIf, .value = has_update};
      take_update(k, &last.body);
      block->push_back(std::move(last));
    } else {
      Statement loop = {.kind = StatementKind::kFor};
      loop.variable = kernel.variable("k", kInteger);
      loop.begin = place_of(row);
      loop.value = writer.constant("kUpdates");
      const Expr* k = kernel.reference(loop.variable);
      Statement leave = {.kind = StatementKind::kIf, .value = kernel.infix(row_of(k), "!=", row, kPred)};
      leave.body.push_back({.kind = StatementKind::kBreak});
      loop.body.push_back(std::move(leave));
      take_update(k, &loop.body);
      block->push_back(std::move(loop));
    }

    const Expr* result = kernel.reference(value);
    if (widened) result = update.narrow(dtype_, result);
    const Expr* target = result_at(writer, at.element);
    block->push_back(writer.assign(target, result));
  }

  // The graph of an update without its row, which the loop knows.
  const DemandGraph* update_only() {
    update_ = std::make_unique<DemandGraph>(*demand_.update);
    update_->results.erase(update_->results.begin());
    return update_.get();
  }
  // That of its row alone.
  const DemandGraph* rows_only() {
    rows_ = std::make_unique<DemandGraph>(*demand_.update);
    rows_->results.pop_back();
    return rows_.get();
  }

  // The operand's elements become the result's.
  void bring_operand() {
    const NodeId node = demand_.operand->results[0];
    const DemandNode& value = demand_.operand->nodes[node];
    StageStep step;
    if (value.kind == DemandNode::Kind::kConstant) {
      const std::span<const std::byte> bytes = value.literal.bytes();
      if (std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; })) {
        step.kind = StageStep::Kind::kClear;
        step.arguments = {StageArgument::of(&scatter_)};
        stage_.steps.push_back(std::move(step));
        return;
      }
    }
    const IndexExpr element =
        demand_.operand->coordinate(demand_.row) * demand_.columns + demand_.operand->coordinate(demand_.column);
    const bool is_whole = value.kind == DemandNode::Kind::kLoad &&
                          value.instruction->shape.element_count() == scatter_.shape.element_count();
    if (is_whole && value.expr == element && value.dtype == dtype_) {
      step.kind = StageStep::Kind::kCopy;
      step.arguments = {StageArgument::of(value.instruction), StageArgument::of(&scatter_)};
      stage_.steps.push_back(std::move(step));
      return;
    }
    StageWriter writer(input_, "operand", index_);
    Kernel& kernel = writer.kernel;
    writer.constexpr_int("kRows", demand_.rows);
    writer.add_values(*demand_.operand, input_.values.outputs);
    writer.add_counter(*demand_.operand);
    StageBody body = body_of(demand_.rows, "kRows", nullptr, "");
    kernel.description = {kernel.name + ": the elements that " + input_.node.name + " updates."};
    kernel.work = operand_work();
    add_step(&writer, std::move(body), [&](const Expr* tile, Block* block) { write_operand(writer, tile, block); });
  }

  // A kernel of the statements that `write` adds, of which goes what the others do not read.
  void add_step(StageWriter* writer, StageBody body, const std::function<void(const Expr* tile, Block* block)>& write) {
    body.write = [&](const Tile& tile, Block* block) {
      write(tile.x, block);
      drop_unread({}, block);
    };
    stage_.steps.push_back(add_kernel(writer, body, &stage_));
  }

  // A value an element, and its store.
  Work operand_work() const {
    const auto elements = static_cast<double>(demand_.rows * demand_.columns);
    const Work one = graph_work(*demand_.operand);
    Work work = {.memory = elements, .chain = one.chain + kArithmeticCycles};
    add(&work, one, elements);
    return work;
  }

  void write_operand(StageWriter& writer, const Expr* tile, Block* block) const {
    const Place at = place(writer, tile, "row", demand_.rows, "kRows", block);
    block->push_back({.kind = StatementKind::kBlank});
    Expressions expressions = expressions_of(writer, *demand_.operand, at, demand_.row, demand_.rows);
    const Expr* first = writer.results_of(*demand_.operand, expressions, block)[0];
    const Expr* target = result_at(writer, at.element);
    block->push_back(writer.assign(target, first));
  }

  // A thread an element of the updates.
  void bring_updates() {
    StageWriter writer(input_, "", index_);
    writer.constexpr_int("kRows", demand_.rows);
    writer.constexpr_int("kUpdates", demand_.updates);
    writer.add_values(*demand_.update, input_.values.outputs);
    writer.add_counter(*demand_.update);
    touches_rows(scatter_, demand_.updates, &writer.kernel);
    const std::string how =
        is_atomic()      ? "An element of an update a thread; updates of one element come in any order."
        : writes_alike() ? "An element of an update a thread; updates of one element write the same."
        : !demand_.sorted
            ? "An element of an update a thread; no two updates have a row in common."
            : "An element of an update a thread; the " + decides() + " The result holds its operand before.";
    StageBody body = body_of(demand_.updates, "kUpdates", demand_.update.get(), how);
    add_step(&writer, std::move(body), [&](const Expr* tile, Block* block) { write_updates(writer, tile, *block); });
  }

  bool writes_alike() const { return writes_same(scatter_) || deciding_update(scatter_); }
  bool is_atomic() const {
    return !demand_.sorted && !scatter_.attributes->unique_indices.value_or(false) && !writes_alike();
  }

  // Which of a row's updates.
  std::string decides() const {
    return overwrites() ? "last of a row overwrites it." : "first of a row takes those that follow into it.";
  }

  void write_updates(StageWriter& writer, const Expr* tile, Block& body) {
    Kernel& kernel = writer.kernel;
    const Place at = place(writer, tile, "update", demand_.updates, "kUpdates", &body);
    Expressions expressions = expressions_of(writer, *demand_.update, at, demand_.number, demand_.updates);
    const bool takes = demand_.sorted && !overwrites();
    if (takes) expressions = expressions_of(writer, *rows_only(), at, demand_.number, demand_.updates);
    const std::vector<const Expr*> results = writer.results_of(takes ? *rows_ : *demand_.update, expressions, &body);
    const Expr* row = kernel.reference(writer.let("row", row_, results[0], &body));
    leave_outside(writer, row, &body);
    if (demand_.sorted) {
      // Whether a neighbour is of the row, and decides.
      const Variable* rows = writer.inputs.at(demand_.row_of);
      const Expr* number = index_ == DType::kS32 ? at.outer : kernel.cast(kInteger, at.outer);
      const Expr* next = kernel.infix(number, overwrites() ? "+" : "-", kernel.integer(1), kInteger);
      const Expr* exists = overwrites() ? kernel.infix(next, "<", writer.constant("kUpdates"), kPred)
                                        : kernel.infix(number, ">", kernel.integer(0), kPred);
      const Expr* same = kernel.infix(kernel.subscript(kernel.reference(rows), next, row_), "==", row, kPred);
      Statement leave = {.kind = StatementKind::kIf, .value = kernel.infix(exists, "&&", same, kPred)};
      leave.body.push_back({.kind = StatementKind::kReturn});
      body.push_back(std::move(leave));
    }
    body.push_back({.kind = StatementKind::kBlank});
    const Expr* target = element_of(writer, row, at.column);
    if (takes) {
      Statement loop = counted_updates(writer, index_ == DType::kS32 ? at.outer : kernel.cast(kInteger, at.outer));
      const Expr* k = kernel.reference(loop.variable);
      const Expr* other = kernel.subscript(kernel.reference(writer.inputs.at(demand_.row_of)), k, row_);
      Statement leave = {.kind = StatementKind::kIf, .value = kernel.infix(other, "!=", row, kPred)};
      leave.body.push_back({.kind = StatementKind::kBreak});
      loop.body.push_back(std::move(leave));
      take_all(writer, target, k, at.column, std::move(loop), &body);
    } else if (is_atomic()) {
      kernel.headers.insert("device/atomic_combine.cuh");
      const CType pointer = {.kind = CType::Kind::kPointer, .dtype = dtype_};
      const Expr* functor = kernel.call(combine_functor(*simple_), {}, CType::value(dtype_));
      body.push_back(writer.call("atomic_combine", {kernel.prefix("&", target, pointer), results[1], functor}));
    } else if (overwrites()) {
      body.push_back(writer.assign(target, results[1]));
    } else if (const std::optional<bool> deciding = deciding_update(scatter_)) {
      const Expr* decides = *deciding ? results[1] : kernel.prefix("!", results[1], kPred);
      Statement decide = {.kind = StatementKind::kIf, .value = decides};
      decide.body.push_back(writer.assign(target, kernel.name_expr(*deciding ? "true" : "false", kPred)));
      if (splat_integer(*scatter_.operand(2)) == (*deciding ? 1 : 0)) {
        body.push_back(std::move(decide.body.front()));
      } else {
        body.push_back(std::move(decide));
      }
    } else {
      const bool widened = simple_ && accumulator_type(dtype_) != dtype_;
      const Expr* present = widened ? expressions.widen(dtype_, target) : target;
      const Expr* value = simple_
                              ? expressions.combine(*simple_, dtype_, present, expressions.widen(dtype_, results[1]))
                              : combined(writer, target, results[1], &body);
      body.push_back(writer.assign(target, widened ? expressions.narrow(dtype_, value) : value));
    }
  }

  const Expr* element_of(StageWriter& writer, const Expr* row, const Expr* column) const {
    if (demand_.columns == 1) return result_at(writer, row);
    const Expr* wide = row_ == kInteger ? writer.wide(row) : row;
    return result_at(writer, writer.infix(writer.infix(wide, "*", writer.constant("kColumns")), "+", column));
  }

  static void leave_outside(StageWriter& writer, const Expr* row, Block* block) {
    Kernel& kernel = writer.kernel;
    const Expr* outside = kernel.infix(kernel.infix(row, "<", kernel.integer(0), kPred), "||",
                                       kernel.infix(row, ">=", writer.constant("kRows"), kPred), kPred);
    Statement leave = {.kind = StatementKind::kIf, .value = outside};
    leave.body.push_back({.kind = StatementKind::kReturn});
    block->push_back(std::move(leave));
  }

  // for (int k = begin; k < kUpdates; ++k)
  static Statement counted_updates(StageWriter& writer, const Expr* begin) {
    Statement loop = {.kind = StatementKind::kFor};
    loop.variable = writer.kernel.variable("k", kInteger);
    loop.begin = begin;
    loop.value = writer.constant("kUpdates");
    return loop;
  }

  // The result's element takes, one after the other, the updates `k` of a loop that passes over those of other rows.
  void take_all(StageWriter& writer, const Expr* target, const Expr* k, const Expr* column, Statement loop,
                Block* block) {
    Kernel& kernel = writer.kernel;
    const bool widened = simple_ && accumulator_type(dtype_) != dtype_;
    const DType type = widened ? accumulator_type(dtype_) : dtype_;
    Expressions update = writer.expressions_of(*update_only(), {{demand_.number, k}, {demand_.column, column}});
    if (demand_.columns > 1) update.constants[demand_.columns] = "kColumns";
    Variable* value = kernel.variable(simple_ ? accumulator_name(*simple_) : "value", CType::value(type));
    block->push_back(
        {.kind = StatementKind::kDeclare, .variable = value, .value = widened ? update.widen(dtype_, target) : target});
    const Expr* term = writer.results_of(*update_, update, &loop.body)[0];
    take(writer, update, kernel.reference(value), term, &loop.body);
    block->push_back(std::move(loop));
    const Expr* result = kernel.reference(value);
    block->push_back(writer.assign(target, widened ? update.narrow(dtype_, result) : result));
  }

  // A block an update, or a tile of its columns.
  void bring_few() {
    const FewForm& form = *demand_.few_form;
    StageWriter writer(input_, "", index_);
    Kernel& kernel = writer.kernel;
    writer.constexpr_int("kRows", demand_.rows);
    writer.constexpr_int("kUpdates", demand_.updates);
    if (demand_.columns > 1) writer.constexpr_int("kColumns", demand_.columns);
    if (form.tiles > 1) {
      writer.constexpr_int("kTile", form.tile, "", "columns of a block");
      writer.constexpr_int("kTiles", form.tiles, "(kColumns + kTile - 1) / kTile", std::to_string(form.tiles));
    }
    writer.constexpr_int("kThreads", form.threads);
    writer.add_values(*demand_.update, input_.values.outputs);
    writer.add_counter(*demand_.update);
    touches_rows(scatter_, demand_.updates, &kernel);
    StageBody body;
    body.graph = demand_.update.get();
    body.elements = demand_.updates * demand_.columns;
    body.spread = (form.tiles > 1 ? "A tile of an update a block of " : "An update a block of ") +
                  std::to_string(form.threads) + " threads; the " + decides() + " The result holds its operand before.";
    body.set_tiles(form.threads, demand_.updates * form.tiles, form.tiles > 1 ? "kUpdates * kTiles" : "kUpdates");
    add_step(&writer, std::move(body), [&](const Expr* tile, Block* block) { write_few(writer, tile, block); });
  }

  const Expr* row_at(StageWriter& writer, const Expr* number, Block* block) {
    Expressions expressions = writer.expressions_of(*rows_only(), {{demand_.number, number}});
    return writer.results_of(*rows_, expressions, block)[0];
  }

  void write_few(StageWriter& writer, const Expr* tile, Block* block) {
    Kernel& kernel = writer.kernel;
    const FewForm& form = *demand_.few_form;
    const Expr* thread = kernel.name_expr("threadIdx.x");
    const Expr* number =
        form.tiles > 1 ? kernel.infix(tile, "/", kernel.name_expr("kTiles", kInteger), kInteger) : tile;
    const Expr* update = kernel.reference(writer.let("update", kInteger, number, block));
    const Expr* row = kernel.reference(writer.let("row", row_, row_at(writer, update, block), block));
    leave_outside(writer, row, block);

    block->push_back({.kind = StatementKind::kBlank});
    block->push_back({.kind = StatementKind::kNote,
                      .text = overwrites() ? "A later update of the row overwrites this one."
                                           : "An earlier update of the row takes this one."});
    Variable* others = kernel.variable("others", kPred);
    block->push_back({.kind = StatementKind::kDeclare, .variable = others, .value = kernel.name_expr("false", kPred)});
    Statement search = {.kind = StatementKind::kFor, .step = form.threads, .text = "kThreads"};
    search.variable = kernel.variable("k", kInteger);
    const Expr* next = kernel.infix(update, "+", kernel.integer(1), kInteger);
    search.begin = overwrites() ? kernel.infix(next, "+", thread, kInteger) : thread;
    search.value = overwrites() ? writer.constant("kUpdates") : update;
    const Expr* other = row_at(writer, kernel.reference(search.variable), &search.body);
    search.body.push_back({.kind = StatementKind::kAssign,
                           .target = kernel.reference(others),
                           .value = kernel.infix(other, "==", row, kPred),
                           .text = "|="});
    block->push_back(std::move(search));
    Statement leave = {.kind = StatementKind::kIf,
                       .value = kernel.call("__syncthreads_or", {kernel.reference(others)}, kPred)};
    leave.body.push_back({.kind = StatementKind::kReturn});
    block->push_back(std::move(leave));
    block->push_back({.kind = StatementKind::kBlank});

    if (demand_.columns == 1) {
      Statement one = {.kind = StatementKind::kIf, .value = kernel.infix(thread, "==", kernel.integer(0), kPred)};
      bring_element(writer, update, row, kernel.integer(0), &one.body);
      block->push_back(std::move(one));
      return;
    }
    Statement columns = {.kind = StatementKind::kFor, .step = form.threads, .text = "kThreads"};
    columns.variable = kernel.variable("column", writer.index);
    columns.begin = thread;
    columns.value = writer.constant("kColumns");
    if (form.tiles > 1) {
      const Expr* within = kernel.infix(tile, "%", kernel.name_expr("kTiles", kInteger), kInteger);
      const Expr* first = kernel.infix(within, "*", kernel.name_expr("kTile", kInteger), kInteger);
      const Expr* begin = kernel.reference(writer.let("tile", writer.index, first, block));
      columns.begin = writer.infix(begin, "+", thread);
      columns.value = writer.limited("minimum", writer.infix(begin, "+", writer.constant("kTile")), columns.value);
    }
    bring_element(writer, update, row, kernel.reference(columns.variable), &columns.body);
    block->push_back(std::move(columns));
  }

  // At a column, the update that decides.
  void bring_element(StageWriter& writer, const Expr* update, const Expr* row, const Expr* column, Block* block) {
    Kernel& kernel = writer.kernel;
    const Expr* target = element_of(writer, row, column);
    if (overwrites()) {
      Expressions expressions =
          writer.expressions_of(*update_only(), {{demand_.number, update}, {demand_.column, column}});
      if (demand_.columns > 1) expressions.constants[demand_.columns] = "kColumns";
      const Expr* value = writer.results_of(*update_, expressions, block)[0];
      block->push_back(writer.assign(target, value));
      return;
    }
    Statement loop = counted_updates(writer, update);
    loop.unroll = kRunBatch;
    const Expr* k = kernel.reference(loop.variable);
    const Expr* other = row_at(writer, k, &loop.body);
    Statement pass = {.kind = StatementKind::kIf, .value = kernel.infix(other, "!=", row, kPred)};
    pass.body.push_back({.kind = StatementKind::kContinue});
    loop.body.push_back(std::move(pass));
    take_all(writer, target, k, column, std::move(loop), block);
  }

  // An element a thread.
  StageBody body_of(int64_t outers, const std::string& count, const DemandGraph* graph, const std::string& how) const {
    StageBody body;
    body.graph = graph;
    body.elements = outers * demand_.columns;
    body.spread = how + " " + std::to_string(kScatterThreads) + " threads a block.";
    const std::string elements = demand_.columns == 1 ? count : "kElements";
    body.set_tiles(kScatterThreads, ceil_div(body.elements, kScatterThreads),
                   body.elements % kScatterThreads == 0 ? elements + " / kThreads"
                                                        : "(" + elements + " + kThreads - 1) / kThreads");
    return body;
  }

  const StageInput& input_;
  const ScatterDemand& demand_;
  const Instruction& scatter_;
  const Computation& combiner_;
  const std::optional<Opcode> simple_;
  const DType dtype_;
  const CType row_;
  DType index_ = DType::kS32;
  std::unique_ptr<DemandGraph> update_, rows_;
  LoweredStage stage_;
};

}  // namespace

LoweredStage lower_scatter(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<ScatterDemand> demand = demand_scatter(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the scatter has no form");
  return ScatterLowering(input, *demand).run();
}

}  // namespace sinter
