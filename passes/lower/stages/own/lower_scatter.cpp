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
// brings one element of an update to it: atomically, or plainly where no two updates have a row in common.
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/own/own_lowerings.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/lower/rewrite/mentions.h"
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
    } else if (demand_.sorted) {
      gather_updates();
    } else {
      bring_operand();
      bring_updates();
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

  bool overwrites() const {
    return combiner_.root()->opcode == Opcode::kParameter && combiner_.root()->parameter_number == 1;
  }

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
    body.write = [&](const Tile& tile, Block* block) { write_gather(writer, tile.x, block); };
    stage_.steps.push_back(add_kernel(&writer, body, &stage_));
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
    if (value.kind == DemandNode::Kind::kLoad && value.expr == element && value.dtype == dtype_) {
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
    body.write = [&](const Tile& tile, Block* block) { write_operand(writer, tile.x, block); };
    kernel.description = {kernel.name + ": the elements that " + input_.node.name + " updates."};
    kernel.work = operand_work();
    stage_.steps.push_back(add_kernel(&writer, body, &stage_));
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
    drop_unread_indices(block, *block);  // of elements that are all the same
  }

  // A thread an element of the updates.
  void bring_updates() {
    StageWriter writer(input_, "", index_);
    writer.constexpr_int("kRows", demand_.rows);
    writer.constexpr_int("kUpdates", demand_.updates);
    writer.add_values(*demand_.update, input_.values.outputs);
    writer.add_counter(*demand_.update);
    StageBody body = body_of(demand_.updates, "kUpdates", demand_.update.get(),
                             is_atomic() ? "An element of an update a thread; updates of one element come in any order."
                                         : "An element of an update a thread; no two updates have a row in common.");
    body.write = [&](const Tile& tile, Block* block) { write_updates(writer, tile.x, *block); };
    stage_.steps.push_back(add_kernel(&writer, body, &stage_));
  }

  bool is_atomic() const { return !scatter_.attributes->unique_indices.value_or(false); }

  void write_updates(StageWriter& writer, const Expr* tile, Block& body) const {
    Kernel& kernel = writer.kernel;
    const Place at = place(writer, tile, "update", demand_.updates, "kUpdates", &body);
    Expressions expressions = expressions_of(writer, *demand_.update, at, demand_.number, demand_.updates);
    const std::vector<const Expr*> results = writer.results_of(*demand_.update, expressions, &body);
    const Expr* row = kernel.reference(writer.let("row", row_, results[0], &body));
    const Expr* outside = kernel.infix(kernel.infix(row, "<", kernel.integer(0), kPred), "||",
                                       kernel.infix(row, ">=", writer.constant("kRows"), kPred), kPred);
    Statement leave = {.kind = StatementKind::kIf, .value = outside};
    leave.body.push_back({.kind = StatementKind::kReturn});
    body.push_back(std::move(leave));
    body.push_back({.kind = StatementKind::kBlank});
    const Expr* offset =
        demand_.columns == 1
            ? row
            : writer.infix(writer.infix(row_ == kInteger ? writer.wide(row) : row, "*", writer.constant("kColumns")),
                           "+", at.column);
    const Expr* target = result_at(writer, offset);
    if (is_atomic()) {
      kernel.headers.insert("device/atomic_combine.cuh");
      const CType pointer = {.kind = CType::Kind::kPointer, .dtype = dtype_};
      const Expr* functor = kernel.call(combine_functor(*simple_), {}, CType::value(dtype_));
      body.push_back(writer.call("atomic_combine", {kernel.prefix("&", target, pointer), results[1], functor}));
    } else if (overwrites()) {
      body.push_back(writer.assign(target, results[1]));
    } else {
      const bool widened = simple_ && accumulator_type(dtype_) != dtype_;
      const Expr* present = widened ? expressions.widen(dtype_, target) : target;
      const Expr* value = simple_
                              ? expressions.combine(*simple_, dtype_, present, expressions.widen(dtype_, results[1]))
                              : combined(writer, target, results[1], &body);
      body.push_back(writer.assign(target, widened ? expressions.narrow(dtype_, value) : value));
    }
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
  std::unique_ptr<DemandGraph> update_;
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
