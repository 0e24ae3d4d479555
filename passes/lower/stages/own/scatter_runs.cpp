// The text of both kernels:
//
//   const int begin = share * kShare + threadIdx.x / kLanes * kRun;
//   RowRun<float> run;
//   for (int start = begin; start < begin + kRun; start += kBatch) {
//     int row_of[kBatch];
//     float values[kBatch];
//     for (int i = 0; i < kBatch; ++i) {
//       const int k = start + i;
//       row_of[i] = rows[k];
//       values[i] = updates[k * kColumns + column];
//     }
//     for (int i = 0; i < kBatch; ++i) {
//       if (run.goes_on(row_of[i])) {
//         run.sum += values[i];
//       } else {
//         if (run.is_whole(kRows)) sums[run.row * kColumns + column] += run.sum;
//         run.begin(row_of[i], values[i]);
//       }
//     }
//   }
//   join_runs(&run, &shared.runs, Add());
//
// Rows that a share begins or ends with are parts then, which the second kernel takes as updates: two a share.
#include "passes/lower/stages/own/scatter_runs.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/text/assignment.h"
#include "passes/lower/text/combiners.h"

namespace sinter {
namespace {

using StatementKind = Statement::Kind;

// The scratch arrays between both kernels: rows that go on in other shares, and what their updates in one combine to.
struct Parts {
  const Variable* rows = nullptr;
  const Variable* sums = nullptr;
};

class RunsWriter {
 public:
  RunsWriter(const StageInput& input, const ScatterDemand& demand, const RunsForm& form, const std::string& suffix,
             DType index)
      : demand_(demand),
        form_(form),
        scatter_(*demand.scatter),
        operation_(*simple_combiner(**demand.scatter->attributes->to_apply)),
        dtype_(demand.scatter->shape.dtype),
        sum_(CType::value(accumulator_type(dtype_))),
        row_(CType::value(type_of_rows(demand.rows))),
        writer_(input, suffix, index),
        kernel_(writer_.kernel) {
    kernel_.headers.insert({"device/combine.cuh", "device/row_runs.cuh"});
  }

  // The kernel that reads the updates. Where there are several shares, what goes on is in scratch arrays 0 and 1.
  void add_updates(LoweredStage* stage) {
    const bool shares = form_.shares > 1;
    declare_constants("kUpdates", "updates");
    writer_.add_values(*demand_.update, writer_.input.values.outputs);
    touches_rows(scatter_, form_.items, &kernel_);
    if (shares) declare_parts(true);
    writer_.add_counter(*demand_.update);
    writer_.rename_parameters({"run"});
    StageBody body = body_of([this, shares](const Tile& tile, Block* block) {
      begin(tile.x, block);
      walk("kUpdates", block, [this](const Expr* k, Block* inner) { return read_update(k, inner); });
      if (shares) {
        end_share(block);
      } else {
        end_all(block);
      }
    });
    body.graph = demand_.update.get();
    body.elements = demand_.updates * demand_.columns;
    body.spread = std::to_string(form_.run) + " updates a thread, " + std::to_string(form_.share()) + " a block of " +
                  std::to_string(form_.threads()) + " threads, in their order. The result holds its operand before.";
    stage->steps.push_back(add_kernel(&writer_, body, stage));
  }

  // The kernel that reads the parts.
  void add_parts(LoweredStage* stage) {
    declare_constants("kParts", "parts");
    reads_parts_ = true;
    declare_parts(false);
    const std::string& result = writer_.input.names.at(&scatter_);
    writer_.outputs[&scatter_] = writer_.add_pointer(result, scatter_.shape, true, StageArgument::of(&scatter_));
    touches_rows(scatter_, form_.items, &kernel_);
    writer_.rename_parameters({"run"});
    StageBody body = body_of([this](const Tile& tile, Block* block) {
      begin(tile.x, block);
      walk("kParts", block, [this](const Expr* k, Block*) { return read_part(k); });
      end_all(block);
    });
    kernel_.description = {kernel_.name + ": what rows have in several shares of the updates.", "",
                           "A part is what a share has of its first row or its last; they come in the order of the "
                           "updates. " +
                               std::to_string(form_.run) + " parts a thread, all a block of " +
                               std::to_string(form_.threads()) + " threads."};
    stage->steps.push_back(add_kernel(&writer_, body, stage));
  }

 private:
  // What a thread takes at a time.
  struct Item {
    const Expr* row = nullptr;
    const Expr* value = nullptr;
  };
  using Read = std::function<Item(const Expr* k, Block* block)>;

  bool flat() const { return demand_.columns == 1; }
  bool item_exact() const { return form_.items % form_.share() == 0; }

  void declare_constants(const std::string& count, const std::string& items) {
    writer_.constexpr_int("kRows", demand_.rows);
    if (!flat()) writer_.constexpr_int("kColumns", demand_.columns);
    writer_.constexpr_int(count, form_.items);
    writer_.constexpr_int("kRun", form_.run, "", items + " of a thread");
    writer_.constexpr_int("kRuns", form_.runs, "", "of a block");
    if (!flat()) writer_.constexpr_int("kLanes", form_.lanes, "", "columns of a block");
    if (form_.tiles > 1) {
      writer_.constexpr_int("kTiles", form_.tiles,
                            form_.exact ? "kColumns / kLanes" : "(kColumns + kLanes - 1) / kLanes",
                            std::to_string(form_.tiles));
    }
    if (flat()) {
      writer_.constexpr_int("kThreads", form_.threads(), "kRuns", "a run a thread");
    } else {
      writer_.constexpr_int("kThreads", form_.threads(), "kRuns * kLanes", std::to_string(form_.threads()));
    }
    if (form_.shares > 1) {
      writer_.constexpr_int("kShare", form_.share(), "kRuns * kRun", std::to_string(form_.share()));
      writer_.constexpr_int("kShares", form_.shares, "(" + count + " + kShare - 1) / kShare",
                            std::to_string(form_.shares));
    }
    if (form_.run > kRunBatch) writer_.constexpr_int("kBatch", kRunBatch, "", "whose loads are under way together");
  }

  void declare_parts(bool written) {
    const int64_t count = 2 * demand_.updates_form->shares;
    const Shape sums =
        Shape::array(sum_.dtype, flat() ? std::vector<int64_t>{count} : std::vector<int64_t>{count, demand_.columns});
    parts_.rows =
        writer_.add_pointer("part_rows", Shape::array(row_.dtype, {count}), written, StageArgument::scratch(0));
    parts_.sums = writer_.add_pointer("parts", sums, written, StageArgument::scratch(1));
  }

  StageBody body_of(std::function<void(const Tile&, Block*)> write) {
    StageBody body;
    const std::string tiles = form_.tiles > 1 ? "kTiles" : "";
    const std::string shares = form_.shares > 1 ? "kShares" : "";
    body.set_tiles(form_.threads(), form_.shares * form_.tiles,
                   shares.empty() && tiles.empty() ? "1"
                   : shares.empty()                ? tiles
                   : tiles.empty()                 ? shares
                                                   : shares + " * " + tiles);
    body.write = std::move(write);
    kernel_.work = runs_work(form_, demand_.columns);
    return body;
  }

  const Expr* thread() const { return kernel_.name_expr("threadIdx.x"); }
  const Expr* name(const std::string& text) const { return kernel_.name_expr(text); }
  const Expr* integer_infix(const Expr* a, const char* op, const Expr* b) const {
    return kernel_.infix(a, op, b, kInteger);
  }
  const Expr* let_integer(const std::string& called, const Expr* value, Block* block) {
    return kernel_.reference(writer_.let(called, kInteger, value, block));
  }
  const Expr* let_row(const std::string& called, const Expr* value, Block* block) {
    return kernel_.reference(writer_.let(called, row_, value, block));
  }

  // Which share, which column, and where the thread's run begins.
  void begin(const Expr* tile, Block* block) {
    const std::string sum(dtype_cuda_name(sum_.dtype));
    const std::string row = row_ == kInteger ? "" : ", " + cuda(row_.dtype);
    const std::string type = "RowRun<" + sum + row + ">";
    const std::string shared_type = "SharedRowRuns<" + sum + (flat() ? ", kRuns, 1" : ", kRuns, kLanes") + row + ">";
    kernel_.shared.members.push_back({.name = "runs", .dtype = sum_.dtype, .type = shared_type});
    kernel_.shared.bytes += form_.runs * (dtype_bytes(row_.dtype) + form_.lanes * dtype_bytes(sum_.dtype));
    shared_ = kernel_.member(kernel_.reference(writer_.shared(block)), "runs", CType::named(shared_type));
    if (form_.shares > 1) {
      share_ = let_integer("share", form_.tiles > 1 ? integer_infix(tile, "/", name("kTiles")) : tile, block);
    }
    const Expr* number = !flat() ? integer_infix(thread(), "/", name("kLanes")) : thread();
    column_ = kernel_.integer(0);
    if (!flat()) {
      const Expr* lane = integer_infix(thread(), "%", name("kLanes"));
      if (form_.tiles > 1) {
        const Expr* of_tile = form_.shares > 1 ? integer_infix(tile, "%", name("kTiles")) : tile;
        lane = integer_infix(integer_infix(of_tile, "*", name("kLanes")), "+", lane);
      }
      if (!form_.exact) {
        // Lanes beyond the columns take the last one too, and store nothing.
        lane = let_integer("lane", lane, block);
        is_column_ = kernel_.infix(lane, "<", name("kColumns"), kPred);
        lane = least(lane, integer_infix(name("kColumns"), "-", kernel_.integer(1)));
      }
      column_ = let_integer("column", lane, block);
    }
    const Expr* first = integer_infix(number, "*", name("kRun"));
    if (share_ != nullptr) first = integer_infix(integer_infix(share_, "*", name("kShare")), "+", first);
    begin_ = let_integer("begin", first, block);
    block->push_back({.kind = StatementKind::kBlank});
    run_ = kernel_.variable("run", CType::named(type));
    block->push_back({.kind = StatementKind::kDeclare, .variable = run_});
  }

  const Expr* least(const Expr* a, const Expr* b) {
    kernel_.headers.insert("device/maximum.cuh");
    return kernel_.call("minimum", {a, b}, kInteger);
  }
  const Expr* of_run(const char* member, const CType& type) const {
    return kernel_.member(kernel_.reference(run_), member, type);
  }
  const Expr* call(const char* function, std::vector<const Expr*> arguments, const CType& type) const {
    return kernel_.call(run_->name + "." + function, std::move(arguments), type);
  }

  Item read_update(const Expr* k, Block* block) {
    expressions_ = writer_.expressions_of(*demand_.update, {{demand_.number, k}, {demand_.column, column_}});
    if (!flat()) expressions_.constants[demand_.columns] = "kColumns";
    const std::vector<const Expr*> results = writer_.results_of(*demand_.update, expressions_, block);
    return {results[0], expressions_.widen(dtype_, results[1])};
  }
  Item read_part(const Expr* k) {
    expressions_ = writer_.expressions_of(*demand_.update, {});
    return {kernel_.subscript(kernel_.reference(parts_.rows), k, row_), part(k)};
  }
  const Expr* part(const Expr* k) { return kernel_.subscript(kernel_.reference(parts_.sums), place(k), sum_); }
  // Of an element in an array of rows.
  const Expr* place(const Expr* row) {
    if (flat()) return row;
    const Expr* wide = row_ == kInteger ? writer_.wide(row) : row;
    return writer_.infix(writer_.infix(wide, "*", writer_.constant("kColumns")), "+", column_);
  }

  Variable* array(const std::string& called, CType type, Block* block) {
    type.kind = CType::Kind::kArray;
    type.length = kRunBatch;
    type.extent = batch();
    Variable* variable = kernel_.variable(called, std::move(type));
    block->push_back({.kind = StatementKind::kDeclare, .variable = variable});
    return variable;
  }
  std::string batch() const { return form_.run > kRunBatch ? "kBatch" : "kRun"; }
  Statement batch_loop() const {
    Statement loop = {.kind = StatementKind::kFor, .variable = kernel_.variable("i", kInteger)};
    loop.begin = kernel_.integer(0);
    loop.value = name(batch());
    loop.unroll = Statement::kUnrollFully;
    return loop;
  }

  // The thread takes the items of its run, a batch at a time.
  void walk(const std::string& count, Block* block, const Read& read) {
    if (form_.run == kRunBatch) {
      walk_batch(begin_, count, block, read);
    } else {
      Statement loop = {.kind = StatementKind::kFor, .variable = kernel_.variable("start", kInteger)};
      loop.begin = begin_;
      loop.value = integer_infix(begin_, "+", name("kRun"));
      loop.step = kRunBatch;
      loop.text = "kBatch";
      walk_batch(kernel_.reference(loop.variable), count, &loop.body, read);
      block->push_back(std::move(loop));
    }
    block->push_back({.kind = StatementKind::kBlank});
    const CType pointer = {.kind = CType::Kind::kPointer, .dtype = sum_.dtype};
    block->push_back(writer_.call(
        "join_runs", {kernel_.prefix("&", kernel_.reference(run_), pointer), kernel_.prefix("&", shared_, pointer),
                      kernel_.call(combine_functor(operation_), {}, sum_)}));
    block->push_back({.kind = StatementKind::kBlank});
  }

  void walk_batch(const Expr* start, const std::string& count, Block* block, const Read& read) {
    const Variable* rows = array("row_of", row_, block);
    const Variable* values = array("values", sum_, block);
    Statement loads = batch_loop();
    const Expr* i = kernel_.reference(loads.variable);
    const Expr* k = let_integer(item_exact() ? "k" : "place", integer_infix(start, "+", i), &loads.body);
    const Expr* is_item = nullptr;
    if (!item_exact()) {
      is_item = kernel_.infix(k, "<", name(count), kPred);
      k = let_integer("k", least(k, integer_infix(name(count), "-", kernel_.integer(1))), &loads.body);
    }
    const Item item = read(k, &loads.body);
    const Expr* row = is_item == nullptr ? item.row : kernel_.conditional(is_item, item.row, kernel_.integer(-1));
    loads.body.push_back(writer_.assign(kernel_.subscript(kernel_.reference(rows), i, row_), row));
    loads.body.push_back(writer_.assign(kernel_.subscript(kernel_.reference(values), i, sum_), item.value));
    block->push_back(std::move(loads));

    Statement taking = batch_loop();
    i = kernel_.reference(taking.variable);
    row = kernel_.subscript(kernel_.reference(rows), i, row_);
    const Expr* value = kernel_.subscript(kernel_.reference(values), i, sum_);
    if (!item_exact() || reads_parts_) {
      Statement skip = {.kind = StatementKind::kIf, .value = kernel_.infix(row, "<", kernel_.integer(0), kPred)};
      skip.body.push_back({.kind = StatementKind::kContinue});
      taking.body.push_back(std::move(skip));
    }
    Statement take = {.kind = StatementKind::kIf, .value = call("goes_on", {row}, kPred)};
    const Expr* sum = of_run("sum", sum_);
    take.body.push_back(assignment(sum, expressions_.combine(operation_, dtype_, sum, value)));
    take.other.push_back(store(both(is_column_, call("is_whole", {name("kRows")}, kPred)), of_run("row", row_), sum));
    take.other.push_back({.kind = StatementKind::kExpression, .value = call("begin", {row, value}, kVoid)});
    taking.body.push_back(std::move(take));
    block->push_back(std::move(taking));
  }

  const Expr* both(const Expr* a, const Expr* b) const {
    return a == nullptr ? b : b == nullptr ? a : kernel_.infix(a, "&&", b, kPred);
  }
  const Expr* is_row(const Expr* row) const {
    return both(kernel_.infix(row, ">=", kernel_.integer(0), kPred), kernel_.infix(row, "<", name("kRows"), kPred));
  }

  // if (condition) result[row] ⊕= sum;
  Statement store(const Expr* condition, const Expr* row, const Expr* sum) {
    Statement statement = {.kind = StatementKind::kIf, .value = condition};
    const Expr* target =
        kernel_.subscript(kernel_.reference(writer_.outputs.at(&scatter_)), place(row), CType::value(dtype_));
    const Expr* value = expressions_.combine(operation_, dtype_, expressions_.widen(dtype_, target), sum);
    if (sum_.dtype == dtype_) {
      statement.body.push_back(assignment(target, value));
    } else {
      statement.body.push_back(writer_.assign(target, expressions_.narrow(dtype_, value)));
    }
    return statement;
  }

  // for (i of 2) { ... }, of the rows that the run is told of by join_runs
  Statement ended_loop(const std::function<void(const Expr* row, const Expr* sum, Block* block)>& write) {
    Statement loop = {.kind = StatementKind::kFor, .variable = kernel_.variable("i", kInteger)};
    loop.begin = kernel_.integer(0);
    loop.value = kernel_.integer(2);
    loop.unroll = Statement::kUnrollFully;
    const Expr* i = kernel_.reference(loop.variable);
    const Expr* row = let_row("row", kernel_.subscript(of_run("ended_row", row_), i, row_), &loop.body);
    write(row, kernel_.subscript(of_run("ended", sum_), i, sum_), &loop.body);
    return loop;
  }
  // What the whole block has of its last row.
  const Expr* last_row() const { return kernel_.subscript(kernel_.member(shared_, "rows", row_), last_run(), row_); }
  const Expr* last_sum() const {
    const Expr* sums = kernel_.subscript(kernel_.member(shared_, "sums", sum_), last_run(), sum_);
    return kernel_.subscript(sums, flat() ? kernel_.integer(0) : thread(), sum_);
  }
  const Expr* last_run() const { return integer_infix(name("kRuns"), "-", kernel_.integer(1)); }
  // The threads that have it, one a column.
  const Expr* is_first_run() const {
    return flat() ? is_first_thread() : kernel_.infix(thread(), "<", name("kLanes"), kPred);
  }
  const Expr* is_first_thread() const { return kernel_.infix(thread(), "==", kernel_.integer(0), kPred); }

  // The block has all updates: no row goes on elsewhere.
  void end_all(Block* block) {
    block->push_back(ended_loop([&](const Expr* row, const Expr* sum, Block* inner) {
      inner->push_back(store(both(is_column_, is_row(row)), row, sum));
    }));
    Statement last = {.kind = StatementKind::kIf, .value = both(is_first_run(), is_column_)};
    const Expr* row = let_row("row", last_row(), &last.body);
    last.body.push_back(store(is_row(row), row, last_sum()));
    block->push_back(std::move(last));
  }

  // The first row of the share may have begun in shares before, and its last goes on in those that follow.
  void end_share(Block* block) {
    const Variable* rows = writer_.inputs.at(demand_.row_of);
    const Expr* first_update = integer_infix(share_, "*", name("kShare"));
    const Expr* first_row = let_row("first_row", kernel_.subscript(kernel_.reference(rows), first_update, row_), block);
    const Expr* last = let_row("last_row", last_row(), block);
    const Expr* first_part = integer_infix(kernel_.integer(2), "*", share_);
    const Expr* last_part = integer_infix(first_part, "+", kernel_.integer(1));

    block->push_back({.kind = StatementKind::kNote,
                      .text = "The share's first row and its last may have updates in others: they are parts."});
    block->push_back(ended_loop([&](const Expr* row, const Expr* sum, Block* inner) {
      const Expr* is_open = kernel_.infix(row, "==", first_row, kPred);
      Statement open = {.kind = StatementKind::kIf, .value = both(is_column_, is_open)};
      open.body.push_back(writer_.assign(part(first_part), sum));
      open.other.push_back(store(both(is_column_, is_row(row)), row, sum));
      inner->push_back(std::move(open));
    }));

    const Expr* is_one = kernel_.infix(first_row, "==", last, kPred);
    Statement numbers = {.kind = StatementKind::kIf, .value = is_first_thread()};
    // Both parts have a value, where it does not count as well.
    Block sums;
    const Expr* sum = kernel_.reference(writer_.let("last", sum_, last_sum(), &sums));
    sums.push_back(writer_.assign(part(last_part), sum));
    Statement one = {.kind = StatementKind::kIf, .value = is_one};
    one.body.push_back(writer_.assign(part(first_part), sum));
    sums.push_back(std::move(one));
    if (flat()) {
      numbers.body = std::move(sums);
    } else {
      Statement columns = {.kind = StatementKind::kIf, .value = both(is_first_run(), is_column_)};
      columns.body = std::move(sums);
      block->push_back(std::move(columns));
    }
    if (form_.tiles > 1) {
      const Expr* tile = integer_infix(name("blockIdx.x"), "%", name("kTiles"));
      numbers.value = both(numbers.value, kernel_.infix(tile, "==", kernel_.integer(0), kPred));
    }
    const auto set = [&](const Expr* k, const Expr* row) {
      numbers.body.push_back(writer_.assign(kernel_.subscript(kernel_.reference(parts_.rows), k, row_), row));
    };
    set(first_part, kernel_.conditional(is_one, kernel_.integer(-1), first_row));
    set(last_part, last);
    block->push_back(std::move(numbers));
  }

  const ScatterDemand& demand_;
  const RunsForm& form_;
  const Instruction& scatter_;
  const Opcode operation_;
  const DType dtype_;
  const CType sum_;
  const CType row_;
  StageWriter writer_;
  Kernel& kernel_;
  Parts parts_;
  bool reads_parts_ = false;
  Variable* run_ = nullptr;
  const Expr* shared_ = nullptr;
  const Expr* share_ = nullptr;
  const Expr* column_ = nullptr;
  const Expr* is_column_ = nullptr;  // where lanes are beyond the columns
  const Expr* begin_ = nullptr;
  Expressions expressions_;
};

}  // namespace

void touches_rows(const Instruction& scatter, int64_t updates, Kernel* kernel) {
  // Memory comes in sectors; what is combined with an update is read first.
  constexpr int64_t kSector = 32;
  const Shape& shape = scatter.shape;
  const int64_t row = ceil_div(shape.bytes() / std::max<int64_t>(shape.dims[0], 1), kSector) * kSector;
  const int64_t bytes = updates * row * (overwrites(**scatter.attributes->to_apply) ? 1 : 2);
  for (Parameter& parameter : kernel->parameters) {
    if (parameter.output && !parameter.scratch) parameter.bytes = std::min(bytes, shape.bytes());
  }
}

void add_run_kernels(const StageInput& input, const ScatterDemand& demand, DType index, LoweredStage* stage) {
  RunsWriter(input, demand, *demand.updates_form, "", index).add_updates(stage);
  if (!demand.parts_form) return;
  const int64_t parts = 2 * demand.updates_form->shares;
  const DType sum = accumulator_type(demand.scatter->shape.dtype);
  const std::vector<int64_t> dims =
      demand.columns == 1 ? std::vector<int64_t>{parts} : std::vector<int64_t>{parts, demand.columns};
  stage->scratch.push_back({"part_rows", Shape::array(type_of_rows(demand.rows), {parts})});
  stage->scratch.push_back({"parts", Shape::array(sum, dims)});
  RunsWriter(input, demand, *demand.parts_form, "join", index).add_parts(stage);
}

}  // namespace sinter
