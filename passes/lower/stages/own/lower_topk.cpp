// A top-k's text. Elements are {value, index}; the results are the fields of the first k.
#include "passes/lower/stages/own/own_lowerings.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/own/sort_elements.h"
#include "passes/schedule/cost/graph_work.h"
#include "passes/stages/own/topk_stage.h"

namespace sinter {

namespace {

using TopkKind = TopkForm::Kind;
using StatementKind = Statement::Kind;

constexpr int kSampledAtOnce = 4;  // elements that a thread reads before it compares them

class TopkLowering {
 public:
  TopkLowering(const StageInput& input, const TopkDemand& demand) : input_(input), demand_(demand), form_(demand.form) {
    const bool large = demand.topk->operand(0)->shape.element_count() > INT32_MAX;
    index_ = large ? DType::kS64 : index_type_of(*demand.graph);
    fields_ = {{"value", demand.topk->operand(0)->shape.dtype, nullptr, nullptr},
               {"index", DType::kS32, nullptr, nullptr}};
  }

  LoweredStage run() {
    if (form_.slices == 1) {
      kernel_of_operand({});
      return std::move(stage_);
    }
    for (const SortElements::Field& field : fields_) {
      stage_.scratch.push_back(
          {field.name + "_best", Shape::array(field.dtype, {demand_.rows, form_.slices, demand_.k})});
    }
    kernel_of_operand({0, 1});
    kernel_of_slices();
    return std::move(stage_);
  }

 private:
  bool largest() const { return demand_.topk->attributes->largest.value_or(true); }

  // From the operand: to the results, or to the scratch buffers given.
  void kernel_of_operand(const std::vector<size_t>& scratch) {
    StageWriter writer(input_, "", index_);
    Kernel& kernel = writer.kernel;
    const bool sliced = !scratch.empty();
    if (sliced) {
      kernel.work = topk_work(demand_);
      add(&kernel.work, graph_work(*demand_.graph), static_cast<double>(demand_.rows * demand_.columns));
    }
    if (demand_.rows > 1) writer.constexpr_int("kRows", demand_.rows);
    writer.constexpr_int("kColumns", demand_.columns);
    if (sliced) writer.constexpr_int("kSlices", form_.slices, "", "of a row");
    if (sliced)
      writer.constexpr_int("kSlice", form_.slice, "(kColumns + kSlices - 1) / kSlices", std::to_string(form_.slice));
    writer.constexpr_int("kK", demand_.k, "", "elements that are kept");
    add_thread_constants(writer, form_);
    writer.add_values(*demand_.graph, sliced ? std::vector<const Instruction*>() : input_.values.outputs);
    std::vector<std::pair<Variable*, size_t>> targets;
    for (const size_t k : scratch) {
      targets.emplace_back(
          writer.add_pointer(fields_[k].name + "_best", stage_.scratch[k].shape, true, StageArgument::scratch(k)), k);
    }
    if (!sliced) targets = results(writer);
    writer.add_counter(*demand_.graph);
    SortElements elements(writer, fields_);
    elements.add_order(largest(), form_.kind == TopkKind::kSelect);

    const auto element_at = [&](const Expr* row, const Expr* column, Block* block) {
      Expressions expressions = writer.expressions_of(*demand_.graph, {{demand_.row, row}, {demand_.column, column}});
      expressions.constants[demand_.columns] = "kColumns";
      const Expr* value = writer.results_of(*demand_.graph, expressions, block)[0];
      return elements.make(
          {value, column->type.dtype == DType::kS64 ? kernel.cast(CType::value(DType::kS32), column) : column});
    };
    StageBody body;
    const std::string threads = std::to_string(form_.threads) + " threads";
    if (form_.kind == TopkKind::kThread) {
      const std::string rows = demand_.rows == 1                   ? "1"
                               : demand_.rows % form_.threads == 0 ? "kRows / kThreads"
                                                                   : "(kRows + kThreads - 1) / kThreads";
      body.set_tiles(form_.threads, ceil_div(demand_.rows, form_.threads), rows);
      body.spread = "A row a thread, " + threads + " a block.";
    } else {
      const std::string rows = demand_.rows > 1 ? "kRows" : "";
      body.set_tiles(form_.threads, demand_.rows * form_.slices,
                     !sliced        ? (rows.empty() ? "1" : rows)
                     : rows.empty() ? "kSlices"
                                    : "kRows * kSlices");
      body.spread = (sliced ? "A slice of a row a block of " : "A row a block of ") + threads + ".";
    }
    body.write = [&](const Tile& tile, Block* block) {
      if (form_.kind == TopkKind::kThread) thread_body(writer, elements, element_at, targets, tile.x, *block);
      if (form_.kind == TopkKind::kBlock)
        block_body(writer, elements, element_at, targets, tile.x, *block, demand_.columns);
      if (form_.kind == TopkKind::kSelect)
        select_body(writer, elements, element_at, sliced, targets, tile.x, *block, form_);
    };
    body.graph = demand_.graph.get();
    body.elements = demand_.rows * demand_.columns;
    stage_.steps.push_back(add_kernel(&writer, body, &stage_));
  }

  // From the best of the slices, in scratch memory, to the results.
  void kernel_of_slices() {
    StageWriter writer(input_, "join", index_);
    Kernel& kernel = writer.kernel;
    kernel.work = topk_join_work(demand_);
    if (demand_.rows > 1) writer.constexpr_int("kRows", demand_.rows);
    writer.constexpr_int("kSlices", form_.slices, "", "of a row");
    writer.constexpr_int("kK", demand_.k, "", "elements that are kept");
    writer.constexpr_int("kColumns", form_.slices * demand_.k, "kSlices * kK",
                         std::to_string(form_.slices * demand_.k));
    add_thread_constants(writer, demand_.join);
    std::vector<Variable*> from;
    for (size_t k = 0; k < fields_.size(); ++k) {
      from.push_back(
          writer.add_pointer(fields_[k].name + "_best", stage_.scratch[k].shape, false, StageArgument::scratch(k)));
    }
    std::vector<std::pair<Variable*, size_t>> targets;
    for (const Instruction* output : input_.values.outputs) {
      const size_t k = static_cast<size_t>(*output->attributes->tuple_index);
      targets.emplace_back(writer.add_pointer(input_.names.at(output), output->shape, true, StageArgument::of(output)),
                           k);
    }
    SortElements elements(writer, fields_);
    // Among equal values those of an earlier slice stand first, and in a slice the earlier ones.
    elements.add_order(largest(), demand_.join.kind == TopkKind::kSelect);
    const auto element_at = [&](const Expr* row, const Expr* column, Block* block) {
      const Expr* offset = column;
      if (demand_.rows > 1)
        offset = kernel.reference(
            writer.let("place", writer.index,
                       writer.infix(writer.infix(row, "*", writer.constant("kColumns")), "+", column), block));
      std::vector<const Expr*> values;
      for (const Variable* pointer : from)
        values.push_back(kernel.subscript(kernel.reference(pointer), offset, CType::value(pointer->type.dtype)));
      return elements.make(std::move(values));
    };
    StageBody body;
    body.set_tiles(demand_.join.threads, demand_.rows, demand_.rows > 1 ? "kRows" : "1");
    body.write = [&](const Tile& tile, Block* block) {
      if (demand_.join.kind == TopkKind::kBlock) {
        block_body(writer, elements, element_at, targets, tile.x, *block, form_.slices * demand_.k);
      } else {
        select_body(writer, elements, element_at, false, targets, tile.x, *block, demand_.join);
      }
    };
    kernel.description = {kernel.name + ": the best " + std::to_string(demand_.k) + " of each row, of those of its " +
                              std::to_string(form_.slices) + " slices.",
                          "", "A row a block of " + std::to_string(demand_.join.threads) + " threads."};
    stage_.steps.push_back(add_kernel(&writer, body, &stage_));
  }

  void add_thread_constants(StageWriter& writer, const TopkForm& form) const {
    writer.constexpr_int("kThreads", form.threads);
    const std::string items = std::to_string(form.items) + ", elements a thread sorts";
    if (form.kind == TopkKind::kBlock) writer.constexpr_int("kItems", form.items, "", "elements a thread sorts");
    if (form.kind != TopkKind::kSelect) return;
    if (form.sampled > 0) writer.constexpr_int("kSampled", form.sampled, "", "elements of a first bound");
    writer.constexpr_int("kChunk", form.chunk, "", "elements that are read before room is made");
    writer.constexpr_int("kItems", form.items, "(kK + 2 * kChunk + kThreads - 1) / kThreads | 1", items);
  }

  std::vector<std::pair<Variable*, size_t>> results(StageWriter& writer) const {
    std::vector<std::pair<Variable*, size_t>> targets;
    for (const Instruction* output : input_.values.outputs) {
      targets.emplace_back(writer.outputs.at(output), static_cast<size_t>(*output->attributes->tuple_index));
    }
    return targets;
  }

  // The tile's row and, with `sliced`, its slice.
  std::pair<const Expr*, const Expr*> place(StageWriter& writer, bool sliced, const Expr* tile, Block* body) const {
    Kernel& kernel = writer.kernel;
    const CType integer = CType::value(DType::kS32);
    const Expr* row = kernel.integer(0);
    const Expr* slice = nullptr;
    if (demand_.rows > 1) {
      const Expr* number = sliced ? kernel.infix(tile, "/", writer.constant("kSlices"), integer) : tile;
      row = kernel.reference(writer.let("row", writer.index, writer.wide(number), body));
    }
    if (sliced) {
      const Expr* number = demand_.rows > 1 ? kernel.infix(tile, "%", writer.constant("kSlices"), integer) : tile;
      slice = kernel.reference(writer.let("slice", integer, number, body));
    }
    return {row, slice};
  }

  // target[first + i] = element.field; for every target.
  void store(StageWriter& writer, const SortElements& elements, const Expr* element, const Expr* row, const Expr* slice,
             const Expr* i, const std::vector<std::pair<Variable*, size_t>>& targets, Block* block) const {
    Kernel& kernel = writer.kernel;
    const Expr* run = demand_.rows > 1 ? row : nullptr;
    if (slice != nullptr) {
      run = run == nullptr ? slice : writer.infix(writer.infix(run, "*", writer.constant("kSlices")), "+", slice);
    }
    const Expr* offset = run == nullptr ? i : writer.infix(writer.infix(run, "*", writer.constant("kK")), "+", i);
    if (targets.size() > 1 && offset != i) offset = kernel.reference(writer.let("place", writer.index, offset, block));
    for (const auto& [pointer, k] : targets) {
      const Expr* target = kernel.subscript(kernel.reference(pointer), offset, CType::value(pointer->type.dtype));
      block->push_back(writer.assign(target, elements.field(element, k)));
    }
  }

  const Expr* before(Kernel& kernel) const { return kernel.call("Before", {}, CType::named("Before")); }

  template <class ElementAt>
  void thread_body(StageWriter& writer, SortElements& elements, const ElementAt& element_at,
                   const std::vector<std::pair<Variable*, size_t>>& targets, const Expr* tile, Block& body) {
    Kernel& kernel = writer.kernel;
    kernel.headers.insert("device/block_sort.cuh");
    const Expr* row = kernel.integer(0);
    if (demand_.rows > 1) {
      const Expr* first = writer.infix(writer.wide(tile), "*", writer.constant("kThreads"));
      row = kernel.reference(
          writer.let("row", writer.index, writer.infix(first, "+", kernel.name_expr("threadIdx.x")), &body));
      if (demand_.rows % form_.threads != 0) body.push_back(writer.leave(row, ">=", writer.constant("kRows")));
    } else {
      body.push_back(writer.leave(kernel.name_expr("threadIdx.x"), ">", kernel.integer(0)));
    }
    CType array = elements.type();
    array.length = demand_.columns;
    array.extent = "kColumns";
    Variable* items = kernel.variable("elements", array);
    body.push_back({.kind = StatementKind::kDeclare, .variable = items});
    const auto loop = [&](const char* name, const char* end, const auto& write) {
      Statement statement;
      statement.kind = StatementKind::kFor;
      statement.variable = kernel.variable(name, CType::value(DType::kS32));
      statement.begin = kernel.integer(0);
      statement.value = writer.constant(end);
      statement.unroll = Statement::kUnrollFully;
      const Expr* i = kernel.reference(statement.variable);
      write(i, kernel.subscript(kernel.reference(items), i, elements.type()), &statement.body);
      body.push_back(std::move(statement));
    };
    loop("column", "kColumns", [&](const Expr* column, const Expr* element, Block* block) {
      const Expr* value = element_at(row, column, block);
      block->push_back(writer.assign(element, value));
    });
    body.push_back(writer.call("thread_sort", {kernel.reference(items), writer.constant("kColumns"), before(kernel)}));
    loop("i", "kK", [&](const Expr* i, const Expr* element, Block* block) {
      store(writer, elements, element, row, nullptr, i, targets, block);
    });
  }

  template <class ElementAt>
  void block_body(StageWriter& writer, SortElements& elements, const ElementAt& element_at,
                  const std::vector<std::pair<Variable*, size_t>>& targets, const Expr* tile, Block& body,
                  int64_t columns) {
    Kernel& kernel = writer.kernel;
    kernel.headers.insert("device/block_sort.cuh");
    elements.add_shared("elements", "kColumns", columns);
    const Variable* shared = writer.shared(&body);
    const Expr* array = kernel.member(kernel.reference(shared), "elements", elements.type());
    const Expr* row = place(writer, false, tile, &body).first;
    body.push_back({.kind = StatementKind::kBlank});
    Statement load = writer.strided_loop("column", writer.constant("kColumns"));
    const Expr* column = kernel.reference(load.variable);
    const Expr* value = element_at(row, column, &load.body);
    load.body.push_back(writer.assign(kernel.subscript(array, column, elements.type()), value));
    body.push_back(std::move(load));
    body.push_back({.kind = StatementKind::kBlank});
    body.push_back(writer.call("block_sort<kThreads, kItems>", {array, writer.constant("kColumns"), before(kernel)}));
    body.push_back({.kind = StatementKind::kBlank});
    store_loop(writer, elements, array, row, nullptr, targets, &body);
  }

  void store_loop(StageWriter& writer, const SortElements& elements, const Expr* array, const Expr* row,
                  const Expr* slice, const std::vector<std::pair<Variable*, size_t>>& targets, Block* body) const {
    Kernel& kernel = writer.kernel;
    Statement loop = writer.strided_loop("i", writer.constant("kK"));
    const Expr* i = kernel.reference(loop.variable);
    store(writer, elements, kernel.subscript(array, i, elements.type()), row, slice, i, targets, &loop.body);
    body->push_back(std::move(loop));
  }

  // The row's elements, or its slice's, chunk by chunk.
  template <class ElementAt>
  void select_body(StageWriter& writer, SortElements& elements, const ElementAt& element_at, bool sliced,
                   const std::vector<std::pair<Variable*, size_t>>& targets, const Expr* tile, Block& body,
                   const TopkForm& form) {
    Kernel& kernel = writer.kernel;
    const CType integer = CType::value(DType::kS32);
    kernel.headers.insert("device/top_k.cuh");
    elements.add_shared("best", "kK + 2 * kChunk", demand_.k + 2 * form.chunk);
    kernel.shared.members.push_back({.name = "count", .dtype = DType::kS32, .dims = {}});
    kernel.shared.bytes += 4;
    const Variable* shared = writer.shared(&body);
    const Expr* best = kernel.member(kernel.reference(shared), "best", elements.type());
    const CType pointer = {.kind = CType::Kind::kPointer, .dtype = DType::kS32};
    const Expr* kept = kernel.member(kernel.reference(shared), "count", integer);
    const Expr* count = kernel.prefix("&", kept, pointer);
    const auto [row, slice] = place(writer, sliced, tile, &body);
    const Expr* begin = kernel.integer(0);
    const Expr* end = writer.constant("kColumns");
    if (slice != nullptr) {
      kernel.headers.insert("device/maximum.cuh");
      begin = kernel.reference(
          writer.let("begin", integer, kernel.infix(slice, "*", writer.constant("kSlice"), integer), &body));
      end = kernel.reference(writer.let(
          "end", integer,
          kernel.call("minimum", {kernel.infix(begin, "+", writer.constant("kSlice"), integer), end}, integer), &body));
    }
    Statement first_thread = {
        .kind = StatementKind::kIf,
        .value = kernel.infix(kernel.name_expr("threadIdx.x"), "==", kernel.integer(0), CType::value(DType::kPred))};
    first_thread.body.push_back(writer.assign(kept, kernel.integer(0)));
    body.push_back(std::move(first_thread));
    body.push_back({.kind = StatementKind::kBlank});

    // Of each thread's elements the best.
    const auto element_of = [&](const Expr* column, Block* block) {
      const Expr* value = element_at(row, column, block);
      return kernel.reference(writer.let("element", elements.type(), value, block));
    };
    const Expr* sampled = end;
    if (form.sampled > 0) {
      kernel.headers.insert("device/maximum.cuh");
      const Expr* stop = writer.constant("kSampled");
      if (slice != nullptr) stop = kernel.infix(begin, "+", stop, integer);
      sampled = kernel.reference(writer.let("sampled", integer, kernel.call("minimum", {stop, end}, integer), &body));
    }
    const Expr* thread = kernel.name_expr("threadIdx.x");
    const Expr* own_place = slice == nullptr ? thread : kernel.infix(begin, "+", thread, integer);
    const Expr* own = kernel.reference(writer.let("own", integer, own_place, &body));
    Variable* mine = kernel.variable("mine", elements.type());
    const Expr* first_element = element_at(row, own, &body);
    body.push_back({.kind = StatementKind::kDeclare, .variable = mine, .value = first_element});
    Statement sampling = writer.strided_loop("column", sampled);
    sampling.begin = kernel.infix(own, "+", writer.constant("kThreads"), integer);
    sampling.unroll = kSampledAtOnce;
    const Expr* candidate = element_of(kernel.reference(sampling.variable), &sampling.body);
    Statement better = {
        .kind = StatementKind::kIf,
        .value = kernel.call("Before()", {candidate, kernel.reference(mine)}, CType::value(DType::kPred))};
    better.body.push_back(writer.assign(kernel.reference(mine), candidate));
    sampling.body.push_back(std::move(better));
    body.push_back(std::move(sampling));
    Variable* bound = kernel.variable("bound", elements.type());
    body.push_back({.kind = StatementKind::kDeclare,
                    .variable = bound,
                    .value = kernel.call("kth_best<kThreads, kK>", {kernel.reference(mine), best, before(kernel)},
                                         elements.type())});
    body.push_back({.kind = StatementKind::kBlank});

    Statement chunks;
    chunks.kind = StatementKind::kFor;
    chunks.variable = kernel.variable("first", integer);
    chunks.begin = begin;
    chunks.value = end;
    chunks.step = form.chunk;
    chunks.text = "kChunk";
    Statement loop = writer.strided_loop("i", writer.constant("kChunk"));
    const Expr* column = kernel.reference(writer.let(
        "column", integer,
        kernel.infix(kernel.reference(chunks.variable), "+", kernel.reference(loop.variable), integer), &loop.body));
    Statement leave = {.kind = StatementKind::kIf,
                       .value = kernel.infix(column, ">=", end, CType::value(DType::kPred))};
    leave.body.push_back({.kind = StatementKind::kBreak});
    loop.body.push_back(std::move(leave));
    const Expr* element = element_of(column, &loop.body);
    loop.body.push_back(writer.call("offer", {element, kernel.reference(bound), best, count, before(kernel)}));
    chunks.body.push_back(std::move(loop));
    const Expr* bound_place = kernel.prefix("&", kernel.reference(bound), pointer);
    const Expr* next = kernel.infix(kernel.reference(chunks.variable), "+", writer.constant("kChunk"), integer);
    const Expr* is_last = kernel.infix(next, ">=", end, CType::value(DType::kPred));
    chunks.body.push_back(
        writer.call("keep_best<kThreads, kItems, kK, kChunk>", {is_last, best, count, bound_place, before(kernel)}));
    body.push_back(std::move(chunks));
    body.push_back({.kind = StatementKind::kBlank});
    store_loop(writer, elements, best, row, slice, targets, &body);
  }

  const StageInput& input_;
  const TopkDemand& demand_;
  const TopkForm& form_;
  DType index_ = DType::kS32;
  std::vector<SortElements::Field> fields_;
  LoweredStage stage_;
};

}  // namespace

LoweredStage lower_topk(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<TopkDemand> demand = demand_topk(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the top-k has no form");
  return TopkLowering(input, *demand).run();
}

}  // namespace sinter
