// A bins stage's text:
//
//   clear_bins<kThreads>(shared.counts, 0);
//   __syncthreads();
//   for (int update = begin + threadIdx.x; update < end; update += kThreads) {
//     const int row = rows[update];
//     if (row >= 0 && row < kBins) {
//       atomic_combine(&shared.counts[row], 1, Add());
//     }
//   }
//   __syncthreads();
//   store_bins<kThreads>(shared.counts, counts_of_blocks + blockIdx.x * kBins);
//   (the blocks combine theirs in a tree)
//
// Where values have an order:
//
//   clear_bins<kLanes>(shared.sums[warp], 0.0f);
//   for (int first = begin; first < end; first += kThreads) {
//     const int row = rows[first + threadIdx.x];
//     auto turns = LaneTurns(row, row >= 0 && row < kBins);
//     while (turns.advance()) {
//       if (turns.is_own()) {
//         shared.sums[warp][row] += weights[update];
//       }
//     }
//   }
//   __syncthreads();
//   combine_bins<kLanes>(shared.sums, sums_of_blocks + blockIdx.x * kBins, Add());
//
// Where updates are rows, a thread of a group has a column of its bins to itself:
//
//   for (int update = begin + group; update < end; update += kGroups) {
//     const int row = rows[update];
//     const float value = updates[update * kColumns + column];
//     if (row >= 0 && row < kRows) {
//       shared.sums[group][row * kColumns + column] += value;
//     }
//   }
//
// Rows of few columns are taken apart into elements, as if each were an update. Of a batch each has kBlocks blocks:
//
//   const int batch = blockIdx.x / kBlocks;
//   const int block = blockIdx.x % kBlocks;
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/own/own_lowerings.h"

#include <algorithm>

#include "ir/support/diagnostics.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/latencies.h"
#include "passes/lower/arrange/names.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/text/assignment.h"
#include "passes/lower/text/combiners.h"
#include "passes/lower/write/write_stacked.h"
#include "passes/schedule/cost/graph_work.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/own/bins_stage.h"

namespace sinter {
namespace {

using StatementKind = Statement::Kind;

// One result: its bins, those of all blocks, and the result itself.
struct Bins {
  Opcode operation = Opcode::kAdd;
  DType dtype = DType::kF32;
  Literal nothing, initial;
  std::string name;
  Variable* of_blocks = nullptr;
  Variable* result = nullptr;
};

class BinsLowering {
 public:
  BinsLowering(const StageInput& input, const BinsDemand& demand)
      : demand_(demand), writer_(input, "", index_type_of(*demand.graph)), kernel_(writer_.kernel) {}

  LoweredStage run() {
    kernel_.headers.insert({"device/bins.cuh", "device/block_tree.cuh", "device/combine.cuh"});
    declare_constants();
    declare();
    const BinsForm& form = demand_.form;
    kernel_.work = work();
    StageBody body;
    body.set_tiles(form.threads(), form.batches * form.blocks, is_batch() ? "kBatches * kBlocks" : "kBlocks");
    body.write = [this](const Tile& tile, Block* block) { write(tile.x, block); };
    const std::string what = form.own_columns || form.columns == 1 ? " updates" : " elements of updates";
    const std::string who = form.any_order     ? " threads."
                            : form.own_columns ? " threads, a column a thread."
                                               : " threads, each of whose warps has bins of its own.";
    body.graph = demand_.graph.get();
    body.elements = form.batches * form.elements();
    body.spread =
        "A slice of " + std::to_string(form.slice) + what + " a block of " + std::to_string(form.threads()) + who;
    stage_.steps.push_back(add_kernel(&writer_, body, &stage_));
    return std::move(stage_);
  }

 private:
  // Rounds wait for the loops of their updates; what else these take is short beside a load.
  Work work() const {
    const BinsForm& form = demand_.form;
    const Work of_element = graph_work(*demand_.graph);
    Work work = bins_work(form, demand_.operations.size());
    add(&work, of_element, static_cast<double>(form.batches * form.elements()));
    const auto rounds = static_cast<double>(form.slice) / static_cast<double>(form.round());
    if (!demand_.graph->loops.empty()) work.chain += rounds * std::max(0.0, of_element.chain - kLoadCycles);
    return work;
  }

  void write(const Expr* tile, Block* block) {
    body_ = block;
    const Expr* number = find_batch(tile);
    Variable* shared = writer_.shared(body_);
    clear(shared);
    body_->push_back({.kind = StatementKind::kBlank});
    begin_slice(number);
    const BinsForm& form = demand_.form;
    if (form.own_columns)
      updates_by_columns(shared);
    else
      body_->push_back(form.any_order ? updates_in_any_order(shared) : updates_in_turns(shared));
    body_->push_back({.kind = StatementKind::kBlank});
    body_->push_back(writer_.barrier());
    for (const Bins& bins : bins_) {
      const Expr* row = kernel_.infix(tile, "*", writer_.constant("kBins"), kInteger);
      const Expr* place = kernel_.infix(kernel_.reference(bins.of_blocks), "+", row,
                                        {.kind = CType::Kind::kPointer, .dtype = bins.dtype});
      const Expr* of_block = member(shared, bins);
      body_->push_back(form.any_order ? writer_.call("store_bins<kThreads>", {of_block, place})
                                      : writer_.call("combine_bins<kLanes>", {of_block, place, functor(bins)}));
    }
    combine_blocks(number);
  }

  bool is_batch() const { return demand_.form.batches > 1; }

  // Which of a batch the block is of; its number among the blocks of that.
  const Expr* find_batch(const Expr* tile) {
    if (!is_batch()) return tile;
    const Expr* blocks = kernel_.name_expr("kBlocks");
    const Expr* batch = writer_.infix(writer_.wide(tile), "/", blocks);
    batch_ = kernel_.reference(writer_.let("batch", writer_.index, batch, body_));
    return kernel_.reference(writer_.let("block", kInteger, kernel_.infix(tile, "%", blocks, kInteger), body_));
  }

  // Where in an array, of which each of the batch has so many elements, those of this one begin.
  const Expr* of_batch(const Variable* array, const Expr* elements) {
    const Expr* all = kernel_.reference(array);
    if (!is_batch()) return all;
    return kernel_.infix(all, "+", writer_.infix(batch_, "*", elements), array->type);
  }

  void declare_constants() {
    const BinsForm& form = demand_.form;
    if (is_batch()) writer_.constexpr_int("kBatches", form.batches);
    if (form.columns > 1) {
      writer_.constexpr_int("kRows", form.rows);
      writer_.constexpr_int("kColumns", form.columns);
      writer_.constexpr_int("kBins", form.bins(), "kRows * kColumns", std::to_string(form.bins()));
    } else {
      writer_.constexpr_int("kBins", form.bins());
    }
    writer_.constexpr_int("kUpdates", form.updates);
    if (form.columns > 1 && !form.own_columns) {
      writer_.constexpr_int("kElements", form.elements(), "kUpdates * kColumns", std::to_string(form.elements()));
      all_ = "kElements";
    }
    writer_.constexpr_int("kThreads", form.threads());
    if (!form.any_order) {
      writer_.constexpr_int("kLanes", form.lanes, "", form.own_columns ? "of a group" : "of a warp");
      groups_ = form.own_columns ? "kGroups" : "kWarps";
      writer_.constexpr_int(groups_, form.groups, "kThreads / kLanes", std::to_string(form.groups));
    }
    writer_.constexpr_int("kSlice", form.slice, "", all_ == "kElements" ? "elements of a block" : "updates of a block");
    writer_.constexpr_int("kBlocks", form.blocks, "(" + all_ + " + kSlice - 1) / kSlice", std::to_string(form.blocks));
    if (is_batch()) writer_.constexpr_int("kCounts", tree_counts(form.blocks), "", "of blocks that have finished");
  }

  // Parameters, shared and scratch memory.
  void declare() {
    const std::vector<const Instruction*>& outputs = writer_.input.values.outputs;
    writer_.add_values(*demand_.graph, outputs);
    for (const Instruction* output : outputs) {
      const size_t i = *result_of_bins(*demand_.scatter, *output);
      const Instruction& operand = *demand_.scatter->operand(i);
      Bins bins;
      bins.operation = demand_.operations[i];
      bins.dtype = operand.shape.dtype;
      bins.initial = *splat_value(operand);
      bins.nothing = *part_beginning(bins.operation, bins.dtype, operand);
      bins.result = writer_.outputs.at(output);
      bins.name = without_direction(bins.result->name);
      const int64_t blocks = demand_.form.batches * demand_.form.blocks;
      const Shape of_blocks = Shape::array(bins.dtype, {blocks, demand_.form.bins()});
      std::vector<std::string> dims = {"kBins"};
      if (!demand_.form.any_order) dims.insert(dims.begin(), groups_);
      kernel_.shared.members.push_back({.name = bins.name, .dtype = bins.dtype, .dims = dims});
      kernel_.shared.bytes += demand_.form.bins() * demand_.form.copies() * dtype_bytes(bins.dtype);
      bins.of_blocks =
          writer_.add_pointer(bins.name + "_of_blocks", of_blocks, true, StageArgument::scratch(stage_.scratch.size()));
      bins.of_blocks->type.is_restrict = false;  // other blocks write to it while this one runs
      kernel_.parameters.back().scratch = true;
      stage_.scratch.push_back({bins.name + "_of_blocks", of_blocks});
      bins_.push_back(std::move(bins));
      update_of_.push_back(i + 1);
    }
    const int64_t counts = demand_.form.batches * tree_counts(demand_.form.blocks);
    finished_ =
        writer_.add_pointer("finished", Shape::array(DType::kU32, {counts}), true, StageArgument::finished(counts));
    finished_->type.is_restrict = false;
    kernel_.parameters.back().scratch = true;
    writer_.add_counter(*demand_.graph);
  }

  const Expr* member(const Variable* shared, const Bins& bins) const {
    return kernel_.member(kernel_.reference(shared), bins.name, CType::value(bins.dtype));
  }
  const Expr* functor(const Bins& bins) const {
    return kernel_.call(combine_functor(bins.operation), {}, CType::value(bins.dtype));
  }

  void clear(const Variable* shared) {
    if (!demand_.form.any_order) {
      const auto part = [&](const char* name, const char* op) {
        const Expr* value = kernel_.infix(kernel_.name_expr("threadIdx.x"), op, kernel_.name_expr("kLanes"), kInteger);
        return kernel_.reference(writer_.let(name, kInteger, value, body_));
      };
      group_ = part(demand_.form.own_columns ? "group" : "warp", "/");
      if (demand_.form.own_columns) column_ = part("column", "%");
    }
    for (const Bins& bins : bins_) {
      const Expr* own = member(shared, bins);
      if (group_ != nullptr) own = kernel_.subscript(own, group_, CType::value(bins.dtype));
      const char* function = group_ != nullptr ? "clear_bins<kLanes>" : "clear_bins<kThreads>";
      body_->push_back(writer_.call(function, {own, kernel_.literal(bins.nothing)}));
    }
    // A warp's own bins are its lanes' to clear: they wait for each other in their turns.
    if (group_ == nullptr || demand_.form.own_columns) body_->push_back(writer_.barrier());
  }

  // The block's updates are those from begin_ to end_.
  void begin_slice(const Expr* tile) {
    const Expr* slice = kernel_.name_expr("kSlice");
    const Expr* begin = kernel_.infix(tile, "*", slice, kInteger);
    begin_ = kernel_.reference(writer_.let("begin", kInteger, begin, body_));
    const Expr* end = kernel_.infix(begin_, "+", slice, kInteger);
    if (!exact()) end = least(end, kernel_.name_expr(all_));
    end_ = kernel_.reference(writer_.let("end", kInteger, end, body_));
  }
  bool exact() const { return demand_.form.all() % demand_.form.slice == 0; }

  // The row of an update, and its values: at `element`, of rows as long as one, or at (update, column). What they need
  // goes to `block`.
  std::vector<const Expr*> read_update(const Expr* update, const Expr* column, const Expr* element, Block* block) {
    const BinsForm& form = demand_.form;
    Expressions expressions =
        writer_.expressions_of(*demand_.graph, {{demand_.number, update}, {demand_.column, column}});
    if (is_batch()) {
      expressions.coordinates[demand_.batch] = batch_;
      expressions.constants[form.updates] = "kUpdates";
    }
    if (form.columns > 1) expressions.constants[form.columns] = "kColumns";
    if (element != nullptr) {
      // Offsets of whole arrays are the element itself.
      Expressions::Flat flat;
      flat.sum = IndexExpr::coordinate(demand_.number, {0, form.updates - 1}) * form.columns +
                 IndexExpr::coordinate(demand_.column, {0, form.columns - 1});
      flat.last = demand_.column;
      const int whole = static_cast<int>(demand_.graph->coordinates.size());
      flat.whole = IndexExpr::coordinate(whole, {0, form.elements() - 1});
      expressions.coordinates[whole] = element;
      expressions.flat = flat;
    }
    std::vector<const Expr*> values = writer_.results_of(*demand_.graph, expressions, block);
    values[0] = kernel_.reference(writer_.let("row", kInteger, values[0], block));
    return values;
  }
  // The same of an element of an update. Of rows, values[0] is the bin, or -1 where there is none.
  std::vector<const Expr*> read_element(const Expr* element, Block* block) {
    if (demand_.form.columns == 1) return read_update(element, kernel_.integer(0), nullptr, block);
    const auto part = [&](const char* name, const char* op) {
      const Expr* value = kernel_.infix(element, op, kernel_.name_expr("kColumns"), kInteger);
      return kernel_.reference(writer_.let(name, kInteger, value, block));
    };
    const Expr* update = part("update", "/");
    const Expr* column = part("column", "%");
    std::vector<const Expr*> values = read_update(update, column, element, block);
    const Expr* bin =
        kernel_.conditional(is_inside(values[0], "kRows"), bin_of(values[0], column), kernel_.integer(-1));
    values[0] = kernel_.reference(writer_.let("bin", kInteger, bin, block));
    return values;
  }
  const Expr* bin_of(const Expr* row, const Expr* column) const {
    const Expr* begin = kernel_.infix(row, "*", kernel_.name_expr("kColumns"), kInteger);
    return kernel_.infix(begin, "+", column, kInteger);
  }
  const Expr* both(const Expr* a, const Expr* b) const { return kernel_.infix(a, "&&", b, kPred); }
  const Expr* is_inside(const Expr* row, const char* rows) const {
    return both(kernel_.infix(row, ">=", kernel_.integer(0), kPred),
                kernel_.infix(row, "<", kernel_.name_expr(rows), kPred));
  }
  const Expr* has_bin(const Expr* bin) const {
    return demand_.form.columns == 1 ? is_inside(bin, "kBins") : kernel_.infix(bin, ">=", kernel_.integer(0), kPred);
  }

  Statement updates_in_any_order(const Variable* shared) {
    kernel_.headers.insert("device/atomic_combine.cuh");
    Statement loop = writer_.strided_loop(demand_.form.columns == 1 ? "update" : "element", end_);
    loop.begin = kernel_.infix(begin_, "+", kernel_.name_expr("threadIdx.x"), kInteger);
    const std::vector<const Expr*> values = read_element(kernel_.reference(loop.variable), &loop.body);
    Statement take = {.kind = StatementKind::kIf, .value = has_bin(values[0])};
    for (size_t i = 0; i < bins_.size(); ++i) {
      const CType type = CType::value(bins_[i].dtype);
      const Expr* bin = kernel_.subscript(member(shared, bins_[i]), values[0], type);
      const Expr* place = kernel_.prefix("&", bin, {.kind = CType::Kind::kPointer, .dtype = bins_[i].dtype});
      take.body.push_back(writer_.call("atomic_combine", {place, values[update_of_[i]], functor(bins_[i])}));
    }
    loop.body.push_back(std::move(take));
    return loop;
  }

  // All lanes take part in each round: those beyond the last update look at that once more.
  Statement updates_in_turns(const Variable* shared) {
    Statement loop = writer_.strided_loop("first", end_);
    loop.begin = begin_;
    const Expr* place =
        kernel_.infix(kernel_.reference(loop.variable), "+", kernel_.name_expr("threadIdx.x"), kInteger);
    const Expr* is_one = nullptr;
    if (!exact()) {
      place = kernel_.reference(writer_.let("place", kInteger, place, &loop.body));
      is_one = kernel_.infix(place, "<", kernel_.name_expr(all_), kPred);
      place = least(place, kernel_.infix(kernel_.name_expr(all_), "-", kernel_.integer(1), kInteger));
    }
    const char* name = demand_.form.columns == 1 ? "update" : "element";
    const Expr* element = kernel_.reference(writer_.let(name, kInteger, place, &loop.body));
    const std::vector<const Expr*> values = read_element(element, &loop.body);
    const Expr* has_value = is_one == nullptr ? has_bin(values[0]) : both(is_one, has_bin(values[0]));
    Variable* turns = kernel_.variable("turns", CType::named("auto"));
    loop.body.push_back({.kind = StatementKind::kDeclare,
                         .variable = turns,
                         .value = kernel_.call("LaneTurns", {values[0], has_value}, turns->type)});
    Statement take = {.kind = StatementKind::kIf, .value = kernel_.call(turns->name + ".is_own", {}, kPred)};
    take_values(shared, values[0], values, &take.body);
    Statement go_on = {.kind = StatementKind::kWhile, .value = kernel_.call(turns->name + ".advance", {}, kPred)};
    go_on.body.push_back(std::move(take));
    loop.body.push_back(std::move(go_on));
    return loop;
  }

  // The group's bins take an update's values.
  void take_values(const Variable* shared, const Expr* bin, const std::vector<const Expr*>& values, Block* block) {
    Expressions expressions = writer_.expressions_of(*demand_.graph, {});
    for (size_t i = 0; i < bins_.size(); ++i) {
      const Bins& bins = bins_[i];
      const CType type = CType::value(bins.dtype);
      const Expr* own = kernel_.subscript(kernel_.subscript(member(shared, bins), group_, type), bin, type);
      block->push_back(assignment(own, expressions.combine(bins.operation, bins.dtype, own, values[update_of_[i]])));
    }
  }

  // Values are read before their rows are known to be rows: several updates' loads are under way at a time.
  void updates_by_columns(const Variable* shared) {
    constexpr int kUnderWay = 8;
    Statement loop = writer_.strided_loop("update", end_);
    loop.begin = kernel_.infix(begin_, "+", group_, kInteger);
    loop.step = demand_.form.groups;
    loop.text = demand_.form.groups == 1 ? "" : groups_;
    loop.unroll = kUnderWay;
    std::vector<const Expr*> values = read_update(kernel_.reference(loop.variable), column_, nullptr, &loop.body);
    for (const size_t i : update_of_) {
      const bool is_read = values[i]->kind != Expr::Kind::kLiteral && values[i]->kind != Expr::Kind::kVariable;
      if (is_read) values[i] = kernel_.reference(writer_.let("value", values[i]->type, values[i], &loop.body));
    }
    Statement take = {.kind = StatementKind::kIf, .value = is_inside(values[0], "kRows")};
    take_values(shared, bin_of(values[0], column_), values, &take.body);
    loop.body.push_back(std::move(take));
    if (demand_.form.columns == demand_.form.lanes) {
      body_->push_back(std::move(loop));
      return;
    }
    const Expr* has_column = kernel_.infix(column_, "<", kernel_.name_expr("kColumns"), kPred);
    Statement inside = {.kind = StatementKind::kIf, .value = has_column};
    inside.body.push_back(std::move(loop));
    body_->push_back(std::move(inside));
  }

  const Expr* least(const Expr* a, const Expr* b) {
    kernel_.headers.insert("device/maximum.cuh");
    return kernel_.call("minimum", {a, b}, kInteger);
  }

  void combine_blocks(const Expr* number) {
    const Expr* count = kernel_.name_expr("kBins");
    const Expr* of_blocks = kernel_.infix(kernel_.name_expr("kBlocks"), "*", count, kInteger);
    std::vector<TreeReduction> reductions;
    for (const Bins& bins : bins_) {
      reductions.push_back({of_batch(bins.of_blocks, of_blocks), count, kernel_.literal(bins.initial),
                            of_batch(bins.result, count), functor(bins)});
    }
    const Expr* finished = of_batch(finished_, kernel_.name_expr("kCounts"));
    const Block tree = tree_of_blocks(&kernel_, number, "kBlocks", finished, reductions);
    body_->insert(body_->end(), tree.begin(), tree.end());
  }

  const BinsDemand& demand_;
  StageWriter writer_;
  Kernel& kernel_;
  Block* body_ = nullptr;  // that is written
  std::vector<Bins> bins_;
  std::vector<size_t> update_of_;  // positions in the graph's results, as bins_
  Variable* finished_ = nullptr;
  std::string all_ = "kUpdates";  // or of elements, that slices are of
  std::string groups_;            // kWarps or kGroups
  const Expr* batch_ = nullptr;   // which of one, if there is one
  const Expr* group_ = nullptr;   // where each has bins of its own
  const Expr* column_ = nullptr;  // where a thread has one
  const Expr* begin_ = nullptr;
  const Expr* end_ = nullptr;
  LoweredStage stage_;
};

}  // namespace

LoweredStage lower_bins(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<BinsDemand> demand = demand_bins(input.values, &failure, input.node.block[0]);
  check(demand.has_value(), "lower", input.node.name + ": the bins have no form");
  return BinsLowering(input, *demand).run();
}

}  // namespace sinter
