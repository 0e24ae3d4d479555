#include "passes/stages/own/scatter_stage.h"

#include <algorithm>
#include <cmath>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/loops/index_order.h"
#include "passes/analysis/values/arrays.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/latencies.h"
#include "passes/analysis/values/replaced_array.h"
#include "passes/analysis/values/small_update.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/own/bins_stage.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

namespace {

// A fold takes so many steps for each element, at a few instructions a step that all threads of a block share the loads
// of: this is less than sorting and launching again takes.
constexpr int64_t kShortFold = 16;
constexpr int64_t kLongFold = 2048;
constexpr int64_t kFoldWork = int64_t{1} << 25;  // steps of all elements

// Updates that a block compares with its own: all threads of it together, and where an update takes others into it,
// each alone. Sorting them takes a launch, and more of them several.
constexpr int64_t kFewOverwriting = 2048, kFewTaken = 256;
constexpr int64_t kColumnsOfThread = 4;

// A thread that gathers the updates of an element waits for memory at each: this many take as long as two launches
// more.
constexpr int64_t kLeastShared = 512;
// What blocks want: a few columns of a row beside each other, threads for a GPU, and runs as long as leaves these.
constexpr int64_t kMostLanes = 64, kMostPartLanes = 8;
constexpr int64_t kMostRun = 64, kMostNarrowRun = 16;
constexpr int64_t kNarrow =
    8;  // fewer columns: neighbouring threads read neighbouring runs, which are sectors of memory
constexpr int64_t kManyThreads = int64_t{1} << 17;
constexpr int64_t kPartThreads = 1024;  // of the one block that joins parts

// The columns in tiles of up to `most`, of equal width if that is possible.
void divide_columns(int64_t columns, int64_t most, RunsForm* form) {
  form->tiles = ceil_div(columns, most);
  for (int64_t tiles = form->tiles; columns / tiles * 2 > most; ++tiles) {
    if (columns % tiles != 0) continue;
    form->tiles = tiles;
    break;
  }
  form->lanes = ceil_div(columns, form->tiles);
  form->exact = form->lanes * form->tiles == columns;
}

RunsForm updates_form(int64_t updates, int64_t columns) {
  RunsForm form = {.items = updates, .run = kRunBatch};
  divide_columns(columns, kMostLanes, &form);
  form.runs = kScatterThreads / form.lanes;
  const int64_t most = form.lanes < kNarrow ? kMostNarrowRun : kMostRun;
  while (form.run < most && updates * columns / (2 * form.run) >= kManyThreads) form.run *= 2;
  form.shares = ceil_div(updates, form.share());
  return form;
}

// One block a tile of columns. `whole`: of as many threads as those that take the updates, if it needs no more.
RunsForm parts_form(int64_t parts, int64_t columns, bool whole) {
  RunsForm form = {.items = parts};
  divide_columns(columns, kMostPartLanes, &form);
  form.run = ceil_div(ceil_div(parts, kPartThreads / form.lanes), kRunBatch) * kRunBatch;
  form.runs = ceil_div(parts, form.run);
  if (whole && form.threads() <= kScatterThreads && kScatterThreads % form.lanes == 0)
    form.runs = kScatterThreads / form.lanes;
  return form;
}

bool is_row_list(const AttributeValue<std::vector<int64_t>>& dims, int64_t count) {
  return count == 0 ? !dims || dims->empty() : dims && *dims == std::vector<int64_t>{count - 1};
}

// Steps of an element's fold: those over coordinates of the updates that its own index does not decide.
int64_t fold_steps(const Instruction& scatter) {
  DemandContext context;
  context.level = scatter.parent();
  context.computed = index_arithmetic(*scatter.operand(1));
  context.computed.insert(&scatter);
  DemandGraph graph(context);
  std::vector<IndexExpr> index;
  for (const int64_t extent : scatter.shape.dims)
    index.push_back(graph.coordinate(graph.add_coordinate(extent, CoordinateRole::kElement)));
  graph.demand(&scatter, index);
  if (graph.failure || graph.reduces.empty()) return scatter.operand(1)->shape.element_count();
  return graph.steps_in(graph.reduces[0].scope);
}

// Whether the updates alone may be written, into the array itself. Not of a loop whose lanes each update elements of
// their own: these had better run on their own.
bool is_in_place(const Instruction& scatter) {
  if (!is_small_update(scatter.shape, scatter.operand(2)->shape) || !takes_place_of_operand(scatter)) return false;
  if (scatter.parent() == scatter.parent()->parent()->entry()) return true;
  const Shape& indices = scatter.operand(1)->shape;
  const int64_t vector_dim = scatter.attributes->index_vector_dim.value_or(indices.rank());
  const int64_t vectors = vector_dim < indices.rank() ? indices.dims[vector_dim] : 1;
  return fold_steps(scatter) == indices.element_count() / std::max<int64_t>(vectors, 1);
}

// Whether one operation combines integers, which comes to the same in any order.
bool is_combined_exactly(const Instruction& scatter) {
  const DType dtype = scatter.shape.dtype;
  const bool exact = dtype == DType::kPred || (is_integer(dtype) && dtype_bits(dtype) >= 8);
  return exact && simple_combiner(**scatter.attributes->to_apply);
}

FewForm few_form(int64_t updates, int64_t columns) {
  FewForm form;
  form.threads =
      std::clamp(ceil_div(std::max(columns, updates / kColumnsOfThread), kWarp) * kWarp, kWarp, kScatterThreads);
  const int64_t most = form.threads * kColumnsOfThread;
  form.tiles = ceil_div(columns, most);
  form.tile = std::min(columns, most);
  return form;
}

}  // namespace

std::set<const Instruction*> index_arithmetic(const Instruction& indices) {
  constexpr size_t kNearest = 64;
  std::set<const Instruction*> seen = {&indices};
  std::vector<const Instruction*> queue = {&indices};
  for (size_t next = 0; next < queue.size() && queue.size() < kNearest; ++next) {
    for (const Instruction* operand : queue[next]->operands()) {
      const Family family = family_of(*operand);
      if (family != Family::kElementwise && family != Family::kIndexMap) continue;
      if (seen.insert(operand).second) queue.push_back(operand);
    }
  }
  std::erase_if(seen, [](const Instruction* value) {
    const Family family = family_of(*value);
    return family != Family::kElementwise && family != Family::kIndexMap;
  });
  return seen;
}

bool overwrites(const Computation& combiner) {
  return combiner.root()->opcode == Opcode::kParameter && combiner.root()->parameter_number == 1;
}

bool are_few(const Instruction& scatter, int64_t updates) {
  const int64_t most = overwrites(**scatter.attributes->to_apply) ? kFewOverwriting : kFewTaken;
  return needs_order(scatter) && updates <= most && is_small_update(scatter.shape, scatter.operand(2)->shape) &&
         !scatter.attributes->indices_are_sorted.value_or(false);
}

bool folds(const Instruction& scatter) {
  if (scatter.operands().size() != 3) return true;
  const int64_t elements = scatter.shape.element_count();
  const int64_t updates = scatter.operand(2)->shape.element_count();
  if (elements == 0 || updates == 0) return true;
  if (is_in_place(scatter)) return false;
  if (updates <= kShortFold) return true;
  const int64_t steps = fold_steps(scatter);
  return steps <= kShortFold || (steps <= kLongFold && steps * elements <= kFoldWork);
}

bool writes_same(const Instruction& scatter) {
  if (!overwrites(**scatter.attributes->to_apply)) return false;
  const Instruction& updates = *scatter.operand(2);
  if (splat_value(updates)) return true;
  if (updates.opcode != Opcode::kBroadcast) return false;
  const std::vector<int64_t> window = scatter.attributes->update_window_dims.value_or(std::vector<int64_t>{});
  const std::vector<int64_t>& from = *updates.attributes->dimensions;
  return std::all_of(from.begin(), from.end(), [&](int64_t dimension) {
    return std::find(window.begin(), window.end(), dimension) != window.end();
  });
}

std::optional<bool> deciding_update(const Instruction& scatter) {
  if (scatter.shape.dtype != DType::kPred) return std::nullopt;
  const std::optional<Opcode> combiner = simple_combiner(**scatter.attributes->to_apply);
  if (combiner == Opcode::kMaximum || combiner == Opcode::kOr) return true;
  if (combiner == Opcode::kMinimum || combiner == Opcode::kAnd) return false;
  return std::nullopt;
}

bool lacks_pair(const Instruction& scatter) {
  return dtype_bytes(scatter.shape.dtype) == 1 && scatter.shape.element_count() % 2 != 0 &&
         is_combined_exactly(scatter);
}

bool needs_order(const Instruction& scatter) {
  if (scatter.attributes->unique_indices.value_or(false)) return false;
  if (writes_same(scatter) || deciding_update(scatter)) return false;
  return lacks_pair(scatter) || !is_combined_exactly(scatter);
}

bool shares_updates(const Instruction& scatter, int64_t updates) {
  return needs_order(scatter) && simple_combiner(**scatter.attributes->to_apply) && updates >= kLeastShared;
}

DType type_of_rows(int64_t rows) { return rows < INT32_MAX ? DType::kS32 : DType::kS64; }

bool is_row_scatter(const Instruction& scatter) {
  if (scatter.opcode != Opcode::kScatter || scatter.operands().size() != 3) return false;
  const Attributes& attributes = scatter.attributes;
  const Shape& rows = scatter.operand(1)->shape;
  const Shape& updates = scatter.operand(2)->shape;
  const int64_t rank = scatter.shape.rank();
  return (rank == 1 || rank == 2) && updates.rank() == rank && rows.rank() == 1 && rank > 0 &&
         rows.dtype == type_of_rows(scatter.shape.dims[0]) && attributes.index_vector_dim.value_or(1) == 1 &&
         is_row_list(attributes.scatter_dims_to_operand_dims, 1) && is_row_list(attributes.inserted_window_dims, 1) &&
         is_row_list(attributes.input_batching_dims, 0) &&
         is_row_list(attributes.update_window_dims, rank == 1 ? 0 : rank) &&
         (rank == 1 || updates.dims[1] == scatter.shape.dims[1]);
}

bool is_sorted(const Instruction& scatter) {
  if (scatter.attributes->indices_are_sorted.value_or(false)) return true;
  const Instruction& rows = *scatter.operand(1);
  if (rows.opcode == Opcode::kConstant && !rows.literal.is_elided()) {
    const auto ascend = [](const auto& values) { return std::is_sorted(values.begin(), values.end()); };
    return rows.shape.dtype == DType::kS64 ? ascend(rows.literal.values<int64_t>())
                                           : ascend(rows.literal.values<int32_t>());
  }
  const bool one_of_several = rows.opcode == Opcode::kGetTupleElement && *rows.attributes->tuple_index == 0;
  const Instruction& sort = one_of_several ? *rows.operand(0) : rows;
  return sort.opcode == Opcode::kSort && sorts_ascending(sort);
}

Work runs_work(const RunsForm& form, int64_t columns) {
  const double elements = static_cast<double>(form.items) * static_cast<double>(columns);
  Work work = {.registers = 40};
  work.memory = 3 * elements;
  work.integer = 6 * elements;
  // Loads of a batch are under way together, of an order and what it leads to one after the other; then runs are
  // joined, in as many steps as halve their number.
  constexpr double kStepCycles = 60;
  work.chain = 2 * kLoadCycles * static_cast<double>(form.run / kRunBatch) + 2 * kLoadCycles +
               kStepCycles * std::ceil(std::log2(static_cast<double>(form.runs)));
  return work;
}

std::optional<ScatterDemand> demand_scatter(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  ScatterDemand result;
  result.scatter = only_taken(kernel, takes_scatter);
  if (result.scatter == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  const Instruction& scatter = *result.scatter;
  for (const Instruction* output : kernel.outputs) {
    if (output != &scatter) return fail(output, "own-stage");
  }
  const Instruction& rows = *scatter.operand(1);
  const Shape& shape = scatter.shape;
  result.rows = shape.dims[0];
  result.columns = shape.rank() == 1 ? 1 : shape.dims[1];
  result.updates = rows.shape.dims[0];
  result.sorted = needs_order(scatter);
  if (result.sorted && !is_sorted(scatter)) {
    result.sorted = false;
    result.by_update = true;
    result.few_form = few_form(result.updates, result.columns);
  } else if (shares_updates(scatter, result.updates)) {
    result.updates_form = updates_form(result.updates, result.columns);
    if (result.updates_form->shares > 1) {
      // Blocks of one size may be parts of one launch of all steps.
      const bool in_loop = scatter.parent() != scatter.parent()->parent()->entry();
      result.parts_form = parts_form(2 * result.updates_form->shares, result.columns, in_loop);
    }
  } else {
    result.by_update = !result.sorted || is_small_update(shape, scatter.operand(2)->shape);
  }

  enum { kOperand = 1, kUpdate = 2 };
  const auto build = [&](int parts) -> std::unique_ptr<DemandGraph> {
    auto graph = std::make_unique<DemandGraph>(kernel.context);
    result.row = graph->add_coordinate(result.rows, CoordinateRole::kRow);
    result.column = graph->add_coordinate(result.columns, CoordinateRole::kColumn);
    result.number = graph->add_coordinate(result.updates, CoordinateRole::kTerm);
    const auto demand = [&](const Instruction* value, int number) {
      std::vector<IndexExpr> index = {graph->coordinate(number)};
      if (value->shape.rank() == 2) index.push_back(graph->coordinate(result.column));
      const NodeId node = graph->failure ? kNoNode : graph->demand(value, index);
      graph->results.push_back(node);
    };
    if ((parts & kOperand) != 0) demand(scatter.operand(0), result.row);
    if ((parts & kUpdate) != 0) {
      demand(&rows, result.number);
      demand(scatter.operand(2), result.number);
    }
    return finish_operands(*graph, failure) ? std::move(graph) : nullptr;
  };
  result.graph = build(kOperand | kUpdate);
  result.operand = result.graph ? build(kOperand) : nullptr;
  result.update = result.operand ? build(kUpdate) : nullptr;
  if (!result.update) return std::nullopt;
  // What is updated in place has changed where another block reads it.
  const bool is_alone = kernel.context.computed.size() == 1;
  if (!is_alone && (result.by_update || result.updates_form) && is_in_place(scatter)) {
    const Instruction* array = scatter.operand(0);
    while (array->opcode == Opcode::kReshape) array = array_value(array->operand(0));
    for (const DemandNode& node : result.update->nodes) {
      if (node.kind == DemandNode::Kind::kLoad && node.instruction == array)
        return fail(scatter.operand(2), "own-stage-operand");
    }
  }
  if (result.sorted) {
    // A search needs the rows in memory.
    const DemandNode& node = result.update->nodes[result.update->results[0]];
    const bool stored = node.kind == DemandNode::Kind::kLoad && node.expr == result.update->coordinate(result.number);
    if (!stored) return fail(&rows, "own-stage-operand");
    result.row_of = node.instruction;
  }
  return result;
}

bool takes_scatter(const Instruction& instruction) {
  if (!is_row_scatter(instruction) || takes_bins(instruction) || folds(instruction)) return false;
  const Computation& combiner = **instruction.attributes->to_apply;
  if (!simple_combiner(combiner) && !can_emit_function(combiner)) return false;
  return !needs_order(instruction) || is_sorted(instruction) ||
         are_few(instruction, instruction.operand(1)->shape.dims[0]);
}

std::optional<OwnStageShape> scatter_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<ScatterDemand> demand = demand_scatter(kernel, failure);
  if (!demand) return std::nullopt;
  OwnStageShape shape;
  const std::optional<RunsForm>& form = demand->updates_form;
  const std::optional<FewForm>& few = demand->few_form;
  const int64_t threads = (demand->by_update ? demand->updates : demand->rows) * demand->columns;
  shape.grid[0] = form  ? form->shares * form->tiles
                  : few ? demand->updates * few->tiles
                        : ceil_div(threads, kScatterThreads);
  shape.block[0] = form ? form->threads() : few ? few->threads : kScatterThreads;
  shape.nodes = static_cast<int64_t>(demand->graph->nodes.size());
  const auto elements = static_cast<double>(demand->scatter->shape.element_count());
  const auto updates = static_cast<double>(demand->scatter->operand(2)->shape.element_count());
  shape.work.memory = 3 * updates;
  shape.work.integer = 6 * updates + (demand->by_update || form ? 0 : elements);
  shape.work.chain = 4 * kLoadCycles;
  if (few) {
    // All updates are compared by each block, a batch of loads at a time where its threads take others one by one.
    constexpr double kCompared = 5;
    const bool takes = !overwrites(**demand->scatter->attributes->to_apply);
    const auto count = static_cast<double>(demand->updates);
    const double each = takes ? count : std::ceil(count / static_cast<double>(few->threads));
    const double of_all = each * static_cast<double>(shape.grid[0] * shape.block[0]);
    shape.work.memory += of_all;
    shape.work.integer += kCompared * of_all;
    shape.work.chain += each / static_cast<double>(kRunBatch) * kLoadCycles;
  }
  if (form) {
    const double chain = runs_work(*form, demand->columns).chain;
    shape.work.chain = chain + (demand->parts_form ? runs_work(*demand->parts_form, demand->columns).chain : 0);
  }
  return shape;
}

}  // namespace sinter
