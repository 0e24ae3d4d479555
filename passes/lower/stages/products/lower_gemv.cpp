// A skinny product's text:
//
//   const auto copy_step = [&](int step) { a thread's chunks of the matrix into slots of its own };
//   for (int step = 0; step < kStages - 1; ++step) copy_step(step);
//   (the vectors into shared memory, and a barrier)
//   float sums[kVectors][kSums] = {};
//   for (int step = 0; step < kSteps; ++step) {
//     copy_step(step + kStages - 1);
//     wait_copies<kStages - 1>();
//     float elements[kRows][kChunk];  what the copies hold, or what is computed from it
//     (products with the vectors, added to sums)
//   }
//   (sums of the threads of a warp, then of warps, then of blocks; what follows the product)
#include "passes/lower/stages/products/lower_gemv.h"

#include <algorithm>
#include <functional>
#include <set>

#include "ir/values/dtype.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/lower/stages/base/stage_writer.h"
#include "passes/lower/stages/products/gemv_products.h"
#include "passes/lower/stages/products/gemv_text.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"
#include "passes/schedule/cost/contract_work.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

const CType kInteger = CType::value(DType::kS32);
const CType kPred = CType::value(DType::kPred);

Statement text(std::string lines) { return {.kind = StatementKind::kText, .text = std::move(lines)}; }
Statement note(std::string words) { return {.kind = StatementKind::kComment, .text = std::move(words)}; }

class GemvWriter {
 public:
  GemvWriter(const StageInput& input, const ContractDemand& demand, const GemvForm& form)
      : w_(input, "", index_type_of(*demand.graph)),
        kernel_(w_.kernel),
        demand_(demand),
        form_(form),
        operands_(*gemv_operands(demand)),
        threads_(input.node.block[0]),
        shape_(*gemv_threads(demand, operands_, form, threads_)),
        matrix_(demand.operands[operands_.matrix]),
        vectors_(demand.operands[1 - operands_.matrix]),
        matrix_graph_(*matrix_.graph),
        x_type_(operands_.vector_type(demand)),
        sum_type_(accumulator_type(demand.dot->shape.dtype)),
        text_({.form = form,
               .operands = operands_,
               .threads = shape_,
               .block = threads_,
               .copy_bytes = operands_.chunk_bytes(demand),
               .piece = std::min<int64_t>(operands_.chunk, 16 / dtype_bytes(x_type_)),
               .copied = operands_.copied == kNoNode ? "" : cuda(copied_type()),
               .x = cuda(x_type_),
               .sum = cuda(sum_type_)}) {
    if (!copies()) return;
    // What copies bring is there, whatever is computed from it.
    DemandNode& load = matrix_graph_.nodes[operands_.copied];
    load.kind = DemandNode::Kind::kParameter;
    load.expr = IndexExpr();
    matrix_graph_.set_scopes();
  }

  LoweredStage run() {
    kernel_.work = GemvWork(demand_, operands_).of(form_, threads_);
    kernel_.constants = text_.constants();
    kernel_.assertions = text_.assertions();
    w_.add_values(*demand_.graph, w_.input.values.outputs);
    add_split_parameters();
    w_.add_counter(*demand_.graph);
    w_.rename_parameters(gemv_names());
    for (const char* header : {"device/vector_access.cuh", "device/warp_reduce.cuh", "device/combine.cuh"})
      kernel_.headers.insert(header);
    if (copies()) kernel_.headers.insert("device/async_copy.cuh");
    kernel_.shared.bytes = shape_.shared_bytes;
    kernel_.declarations = {text_.shared()};
    if (text_.pieces() > 1) kernel_.declarations.push_back(text_.x_at());

    Block& body = kernel_.body;
    add_coordinates(&body);
    if (copies()) {
      blank(&body);
      add_copies(&body);
    }
    blank(&body);
    body.push_back(text(cuda(sum_type_) + " sums[kVectors][kSums] = {};\n"));
    if (text_.panels() == 1) {
      add_panel(&body);
    } else {
      Statement panels = loop("panel", "kPanels");
      add_panel(&panels.body);
      body.push_back(std::move(panels));
    }
    blank(&body);
    body.push_back(text(text_.sums_to_shared()));
    blank(&body);
    add_results(&body);
    drop_unread_indices(&body, body);

    kernel_.launch.block = threads_;
    kernel_.launch.grid[0] = text_.blocks();
    kernel_.launch.grid[1] = form_.splits;
    kernel_.launch.grid[2] = operands_.batch;
    kernel_.launch.grid_spelling[0] = "kBlocks";
    kernel_.launch.grid_spelling[1] = form_.splits > 1 ? "kSplits" : "1";
    if (operands_.batch > 1) kernel_.launch.grid_spelling[2] = "kBatch";
    w_.describe(*demand_.graph, demand_.dot->shape.element_count(), text_.launch());
    stage_.steps.push_back(w_.finish(&stage_));
    return std::move(stage_);
  }

 private:
  bool copies() const { return text_.copies(); }
  bool splits() const { return text_.splits(); }
  bool whole_outputs() const { return text_.whole_outputs(); }
  bool whole_k() const { return text_.whole_k(); }
  DType copied_type() const { return matrix_graph_.nodes[operands_.copied].dtype; }
  static std::string cuda(DType dtype) { return std::string(dtype_cuda_name(dtype)); }

  static void blank(Block* block) { block->push_back({.kind = StatementKind::kBlank}); }
  const Expr* name(const std::string& spelling) { return kernel_.name_expr(spelling, w_.index); }
  const Expr* small(const std::string& spelling) { return kernel_.name_expr(spelling); }
  const Expr* sum(const Expr* a, const Expr* b) { return a == nullptr ? b : w_.infix(a, "+", b); }
  const Expr* below(const Variable* coordinate, const char* limit) {
    return kernel_.infix(kernel_.reference(coordinate), "<", name(limit), kPred);
  }
  const Expr* both(const Expr* a, const Expr* b) {
    return a == nullptr ? b : b == nullptr ? a : kernel_.infix(a, "&&", b, kPred);
  }
  // `array[first][second]`
  const Expr* element(const std::string& array, const std::vector<const Expr*>& indices, DType dtype) {
    return array_element(&kernel_, array, indices, dtype);
  }
  Statement loop(const std::string& counter, const std::string& end) {
    Statement statement;
    statement.kind = StatementKind::kFor;
    statement.variable = kernel_.variable(counter, kInteger);
    statement.begin = kernel_.integer(0);
    statement.value = kernel_.name_expr(end);
    return statement;
  }
  Statement unrolled(const std::string& counter, const std::string& end) {
    return unrolled_loop(&kernel_, counter, end);
  }
  // for (int i = thread; i < end; i += kThreads)
  Statement by_threads(const std::string& end) {
    Statement statement = loop("i", end);
    statement.begin = small("thread");
    statement.step = threads_;
    statement.text = "kThreads";
    return statement;
  }

  void add_split_parameters() {
    if (!splits()) return;
    const int64_t blocks = text_.blocks();
    std::vector<int64_t> dims = {form_.splits, operands_.vectors, operands_.outputs};
    if (operands_.batch > 1) dims.insert(dims.begin(), operands_.batch);
    const Shape shape = Shape::array(sum_type_, std::move(dims));
    w_.add_pointer("partial", shape, true, StageArgument::scratch(0));
    kernel_.parameters.back().scratch = true;
    stage_.scratch.push_back({"partial", shape});
    const int64_t counts = operands_.batch * blocks;
    w_.add_pointer("finished", Shape::array(DType::kU32, {counts}), true, StageArgument::finished(counts));
    kernel_.parameters.back().scratch = true;  // counters, for nobody else
    kernel_.headers.insert("device/last_block.cuh");
    partial_ = kernel_.parameters[kernel_.parameters.size() - 2].variable;
    finished_ = kernel_.parameters.back().variable;
    // Other blocks write to both while this one runs: no __restrict__.
    partial_->type.is_restrict = false;
    finished_->type.is_restrict = false;
  }

  // The text's names are its own: variables that stand for values have others.
  static void rename_values(Block* block) {
    for (Statement& statement : *block) {
      if (statement.variable != nullptr && gemv_names().count(statement.variable->name) > 0)
        statement.variable->name += "_value";
      rename_values(&statement.body);
      rename_values(&statement.other);
    }
  }
  // Whether a float of 16 bits holds every number of the type.
  static bool fits(DType from, DType to) {
    if (to != DType::kBF16 && to != DType::kF16) return false;
    const bool small_float = from == DType::kF8E4M3FN || (from == DType::kF8E5M2 && to == DType::kF16);
    return from == DType::kS8 || from == DType::kU8 || from == DType::kS4 || from == DType::kU4 || small_float;
  }
  // The values of a graph's results, and of what they need in `block`.
  const Expr* value_of(const DemandGraph& graph, Expressions& expressions, DType to, Block* block) {
    Block before;
    const Expr* value = w_.results_of(graph, expressions, &before)[0];
    rename_values(&before);
    block->insert(block->end(), before.begin(), before.end());
    const DType dtype = graph.nodes[graph.results[0]].dtype;
    if (to == dtype) return value;
    // Bytes and small floats that are converted to 16 bits lose nothing.
    const DemandNode& node = graph.nodes[graph.results[0]];
    if (!expressions.named(graph.results[0]) && node.kind == DemandNode::Kind::kCompute &&
        node.instruction->opcode == Opcode::kConvert && fits(graph.nodes[node.operands[0]].dtype, dtype)) {
      const DType from = graph.nodes[node.operands[0]].dtype;
      value = expressions.widen(from, expressions.value(node.operands[0]));
      return expressions.convert(accumulator_type(from), to, value);
    }
    value = expressions.widen(dtype, value);
    return expressions.convert(accumulator_type(dtype), to, value);
  }

  const Expr* x_at(const Expr* k) { return place_in_vector(&kernel_, text_, k); }

  void add_coordinates(Block* body) {
    w_.shared(body);
    body->push_back(
        text("const int thread = threadIdx.x, place = thread / kLanes, along = thread % kLanes * kChunk;\n"));
    if (operands_.batch > 1) batch_ = w_.let("batch", w_.index, w_.wide(small("blockIdx.z")), body);
    first_output_ = w_.let("first_output", w_.index, w_.infix(w_.wide(small("blockIdx.x")), "*", name("kTileN")), body);
    if (splits())
      first_k_ = w_.let("first_k", w_.index, w_.infix(w_.wide(small("blockIdx.y")), "*", name("kSplitK")), body);
  }

  // Of row r of a thread in a step, of its first element or another.
  const Expr* in_place(const Expr* r) { return place_of_row(&kernel_, r); }
  const Expr* output_of(const Expr* r, const Expr* e) {
    const Expr* within = operands_.along_k ? in_place(r)
                         : e == nullptr    ? small("along")
                                           : w_.infix(small("along"), "+", e);
    return w_.infix(kernel_.reference(first_output_), "+", within);
  }
  const Expr* k_of(const Expr* step, const Expr* r, const Expr* e) {
    const Expr* first = first_k_ == nullptr ? nullptr : kernel_.reference(first_k_);
    const Expr* of_step = sum(first, w_.infix(w_.wide(step), "*", name("kTileK")));
    const Expr* within =
        operands_.along_k ? (e == nullptr ? small("along") : w_.infix(small("along"), "+", e)) : in_place(r);
    return w_.infix(of_step, "+", within);
  }

  Expressions matrix_expressions(const DemandGraph& graph, const Variable* output, const Variable* k) {
    std::map<int, const Expr*> coordinates = {{matrix_.outer, kernel_.reference(output)},
                                              {matrix_.k, kernel_.reference(k)}};
    if (batch_ != nullptr) coordinates[matrix_.batch] = kernel_.reference(batch_);
    Expressions expressions = w_.expressions_of(graph, coordinates);
    if (operands_.along_k) {
      expressions.constants[operands_.k] = "kK";
    } else {
      expressions.constants[operands_.outputs] = "kOutputs";
    }
    return expressions;
  }

  const Expr* inside(const Variable* output, const Variable* k) {
    const Expr* test = whole_outputs() ? nullptr : below(output, "kOutputs");
    return whole_k() ? test : both(test, below(k, "kK"));
  }

  const Expr* slot(const Expr* step, const Expr* r) {
    const Expr* stage = kernel_.infix(step, "%", small("kStages"), kInteger);
    return element("shared.chunk", {stage, r, small("thread")}, copied_type());
  }

  void add_copies(Block* body) {
    body->push_back(note("a step's chunks of the matrix, into slots that their own thread reads"));
    Statement lambda = {.kind = StatementKind::kScope, .text = "const auto copy_step = [&](int step)"};
    Statement guard = {.kind = StatementKind::kIf};
    guard.value = kernel_.infix(small("step"), "<", small("kSteps"), kPred);
    Statement rows = unrolled("r", "kRows");
    const Expr* r = kernel_.reference(rows.variable);
    const Variable* output = w_.let("output", w_.index, output_of(r, nullptr), &rows.body);
    const Variable* k = w_.let("k", w_.index, k_of(small("step"), r, nullptr), &rows.body);
    Expressions expressions = matrix_expressions(*matrix_.graph, output, k);
    const DemandNode& load = matrix_.graph->nodes[operands_.copied];
    const Variable* pointer = expressions.buffers.at(load.instruction);
    const Expr* from = kernel_.prefix("&", expressions.element(pointer, load.expr, load.dtype), pointer->type);
    const Expr* to =
        kernel_.prefix("&", slot(small("step"), r), {.kind = CType::Kind::kPointer, .dtype = copied_type()});
    std::vector<const Expr*> arguments = {to, from};
    if (const Expr* test = inside(output, k)) arguments.push_back(test);
    const int64_t bytes = operands_.chunk_bytes(demand_);
    rows.body.push_back(w_.call(bytes == 16 ? "copy_async" : "copy_async<" + std::to_string(bytes) + ">", arguments));
    guard.body.push_back(std::move(rows));
    lambda.body.push_back(std::move(guard));
    lambda.body.push_back(text("commit_copies();\n"));
    body->push_back(std::move(lambda));
    body->push_back(text("for (int step = 0; step < kStages - 1; ++step) copy_step(step);\n"));
  }

  // The vectors, or as much of them as fits, and the steps that need that.
  void add_panel(Block* body) {
    blank(body);
    body->push_back(note(value_name(*demand_.dot) + ": the vectors in shared memory"));
    if (text_.panels() > 1) body->push_back(w_.barrier());
    Statement all = by_threads("kVectors * kPanelK");
    const Expr* i = kernel_.reference(all.variable);
    const Expr* vector =
        kernel_.reference(w_.let("vector", kInteger, kernel_.infix(i, "/", small("kPanelK"), kInteger), &all.body));
    const Expr* of_panel =
        kernel_.reference(w_.let("k_of_panel", kInteger, kernel_.infix(i, "%", small("kPanelK"), kInteger), &all.body));
    const Expr* first = first_k_ == nullptr ? nullptr : kernel_.reference(first_k_);
    if (text_.panels() > 1) first = sum(first, w_.infix(w_.wide(small("panel")), "*", name("kPanelK")));
    const Variable* k = w_.let("k", w_.index, sum(first, of_panel), &all.body);
    std::map<int, const Expr*> coordinates = {{vectors_.outer, vector}, {vectors_.k, kernel_.reference(k)}};
    if (batch_ != nullptr) coordinates[vectors_.batch] = kernel_.reference(batch_);
    Expressions expressions = w_.expressions_of(*vectors_.graph, coordinates);
    expressions.constants[operands_.k] = "kK";
    Block store;
    const Expr* value = value_of(*vectors_.graph, expressions, x_type_, &store);
    const Expr* target = element("shared.x", {vector, x_at(of_panel)}, x_type_);
    store.push_back(w_.assign(target, value));
    // Part of a step, or, of the last panel, of a panel.
    const bool guarded = operands_.k != shape_.panel_k * text_.panels() * form_.splits;
    if (guarded) {
      Statement test = {.kind = StatementKind::kIf, .value = below(k, "kK"), .body = std::move(store)};
      test.other.push_back(w_.assign(target, kernel_.literal(Literal(Shape::scalar(x_type_)))));
      all.body.push_back(std::move(test));
    } else {
      all.body.insert(all.body.end(), store.begin(), store.end());
    }
    body->push_back(std::move(all));
    body->push_back(w_.barrier());
    blank(body);
    add_steps(body);
  }

  void add_steps(Block* body) {
    Statement steps = loop("step", "kSteps");
    if (text_.panels() > 1) {
      steps.begin = kernel_.infix(small("panel"), "*", small("kPanelSteps"), kInteger);
      steps.value = kernel_.infix(kernel_.infix(small("panel"), "+", kernel_.integer(1), kInteger), "*",
                                  small("kPanelSteps"), kInteger);
      if (shape_.split_k % shape_.panel_k != 0) {
        const Expr* is_full = kernel_.infix(steps.value, "<", small("kSteps"), kPred);
        const Expr* end = kernel_.conditional(is_full, steps.value, small("kSteps"));
        steps.value = kernel_.reference(w_.let("end", kInteger, end, body));
      }
    }
    if (copies()) {
      steps.body.push_back(
          text("copy_step(step + kStages - 1);\n"
               "wait_copies<kStages - 1>();\n"));
    }
    add_elements(kernel_.reference(steps.variable), &steps.body);
    add_gemv_products(&w_, text_, *vectors_.graph, {x_type_, sum_type_}, kernel_.reference(steps.variable),
                      &steps.body);
    body->push_back(std::move(steps));
  }

  // elements[r][e], of the matrix in the type of sums; zero outside.
  void add_elements(const Expr* step, Block* body) {
    body->push_back(
        text(cuda(sum_type_) + " elements[kRows][kChunk]" + (whole_k() && whole_outputs() ? "" : " = {}") + ";\n"));
    Statement rows = unrolled("r", "kRows");
    const Expr* r = kernel_.reference(rows.variable);
    Statement all = unrolled("e", "kChunk");
    const Expr* e = kernel_.reference(all.variable);
    const Variable* output = w_.let("output", w_.index, output_of(r, e), &all.body);
    const Variable* k = w_.let("k", w_.index, k_of(step, r, e), &all.body);
    Expressions expressions = matrix_expressions(matrix_graph_, output, k);
    Block value;
    if (copies()) {
      const DType dtype = copied_type();
      const Expr* copied = kernel_.subscript(slot(step, r), e, CType::value(dtype));
      const std::string base = value_name(*matrix_graph_.nodes[operands_.copied].instruction);
      Variable* variable = w_.let(base + "_value", CType::value(dtype), copied, &value);
      expressions.variables[operands_.copied] = variable;
    }
    const Expr* result = value_of(matrix_graph_, expressions, sum_type_, &value);
    value.push_back(w_.assign(element("elements", {r, e}, sum_type_), result));
    if (const Expr* test = inside(output, k)) {
      all.body.push_back({.kind = StatementKind::kIf, .value = test, .body = std::move(value)});
    } else {
      all.body.insert(all.body.end(), value.begin(), value.end());
    }
    drop_unread_indices(&all.body, all.body);
    rows.body.push_back(std::move(all));
    body->push_back(std::move(rows));
  }

  // for each output of the block and vector: what `make` does at (vector, place in the tile, output).
  Statement each_result(const std::function<void(const Variable*, const Variable*, const Variable*, Block*)>& make) {
    Statement all = by_threads("kVectors * kTileN");
    const Expr* i = kernel_.reference(all.variable);
    const Variable* vector = w_.let("vector", w_.index, kernel_.infix(i, "/", small("kTileN"), kInteger), &all.body);
    const Variable* place = w_.let("of_tile", kInteger, kernel_.infix(i, "%", small("kTileN"), kInteger), &all.body);
    const Variable* output = w_.let(
        "output", w_.index, w_.infix(kernel_.reference(first_output_), "+", kernel_.reference(place)), &all.body);
    if (!whole_outputs()) {
      Statement guard = {.kind = StatementKind::kIf};
      guard.value = kernel_.infix(kernel_.reference(output), ">=", name("kOutputs"), kPred);
      guard.body.push_back({.kind = StatementKind::kContinue});
      all.body.push_back(std::move(guard));
    }
    make(vector, place, output, &all.body);
    return all;
  }

  // T name = first; for (int counter = 1; counter < end; ++counter) name += more;
  // `value`: what the total is; nullptr: a part of it.
  Variable* total(const std::string& name, const Instruction* value, const std::string& counter, const std::string& end,
                  const std::function<const Expr*(const Expr*)>& part, Block* block) {
    Variable* result = kernel_.variable(name, CType::value(sum_type_), value);
    const StatementKind kind = end.empty() ? StatementKind::kLet : StatementKind::kDeclare;
    block->push_back({.kind = kind, .variable = result, .value = part(nullptr)});
    if (end.empty()) return result;
    Statement others = loop(counter, end);
    others.begin = kernel_.integer(1);
    Statement statement = {.kind = StatementKind::kAssign,
                           .target = kernel_.reference(result),
                           .value = part(kernel_.reference(others.variable)),
                           .text = "+="};
    others.body.push_back(std::move(statement));
    block->push_back(std::move(others));
    return result;
  }

  // `split`: nullptr for the first.
  const Expr* partial_of(const Expr* split, const Variable* vector, const Variable* output) {
    const Expr* place = split == nullptr ? nullptr : w_.wide(split);
    if (batch_ != nullptr) {
      const Expr* first = w_.infix(kernel_.reference(batch_), "*", name("kSplits"));
      place = place == nullptr ? first : w_.infix(first, "+", place);
    }
    const Expr* before = place == nullptr ? nullptr : w_.infix(place, "*", name("kVectors"));
    place = sum(before, kernel_.reference(vector));
    place = w_.infix(w_.infix(place, "*", name("kOutputs")), "+", kernel_.reference(output));
    return kernel_.subscript(kernel_.reference(partial_), place, CType::value(sum_type_));
  }

  void add_results(Block* body) {
    const DType dtype = demand_.dot->shape.dtype;
    const bool is_product = dtype == sum_type_;  // as it is summed
    const std::string sum_name = is_product ? value_name(*demand_.dot) : "total";
    const Instruction* sum_value = is_product ? demand_.dot : nullptr;
    const auto of_groups = [&](const std::string& name, const Instruction* value, const Variable* vector,
                               const Variable* place, Block* block) {
      return total(
          name, value, "group", shape_.groups > 1 ? "kGroups" : "",
          [&](const Expr* group) {
            return element(
                "shared.sums",
                {group == nullptr ? kernel_.integer(0) : group, kernel_.reference(vector), kernel_.reference(place)},
                sum_type_);
          },
          block);
    };
    if (splits()) {
      body->push_back(note("the block's part; the last one to finish adds up all parts in order"));
      body->push_back(
          each_result([&](const Variable* vector, const Variable* place, const Variable* output, Block* block) {
            const Variable* part = of_groups("part", nullptr, vector, place, block);
            block->push_back(w_.assign(partial_of(small("blockIdx.y"), vector, output), kernel_.reference(part)));
          }));
      const std::string tile = operands_.batch > 1 ? "blockIdx.z * kBlocks + blockIdx.x" : "blockIdx.x";
      body->push_back(text("if (!is_last_of(&" + finished_->name + "[" + tile + "], kSplits - 1)) return;\n"));
      blank(body);
    }
    body->push_back(note("results"));
    body->push_back(each_result([&](const Variable* vector, const Variable* place, const Variable* output,
                                    Block* block) {
      Variable* product = splits() ? total(
                                         sum_name, sum_value, "split", "kSplits",
                                         [&](const Expr* split) { return partial_of(split, vector, output); }, block)
                                   : of_groups(sum_name, sum_value, vector, place, block);
      const Variable* rows = operands_.matrix == 1 ? vector : output;
      const Variable* columns = operands_.matrix == 1 ? output : vector;
      std::map<int, const Expr*> coordinates = {{demand_.row, kernel_.reference(rows)},
                                                {demand_.column, kernel_.reference(columns)}};
      if (batch_ != nullptr) coordinates[demand_.batch] = kernel_.reference(batch_);
      Expressions expressions = w_.expressions_of(*demand_.epilogue, coordinates);
      expressions.constants[demand_.extents.n] = operands_.matrix == 1 ? "kOutputs" : "kVectors";
      if (!is_product) {
        const Expr* narrow = expressions.narrow(dtype, kernel_.reference(product));
        product = kernel_.variable(value_name(*demand_.dot), CType::value(dtype), demand_.dot);
        block->push_back({.kind = StatementKind::kLet, .variable = product, .value = narrow});
      }
      for (const NodeId node : demand_.products) expressions.variables[node] = product;
      Block statements = write_block(w_.input.module, *demand_.epilogue, expressions, {});
      rename_values(&statements);
      block->insert(block->end(), statements.begin(), statements.end());
    }));
  }

  StageWriter w_;
  Kernel& kernel_;
  const ContractDemand& demand_;
  const GemvForm form_;
  const GemvOperands operands_;
  const int64_t threads_;
  const GemvThreads shape_;
  const ContractOperand& matrix_;
  const ContractOperand& vectors_;
  DemandGraph matrix_graph_;  // with a parameter in place of what is copied
  const DType x_type_, sum_type_;
  const GemvText text_;
  LoweredStage stage_;
  Variable* batch_ = nullptr;
  Variable* first_output_ = nullptr;
  Variable* first_k_ = nullptr;  // of the block, where several share sums
  Variable* partial_ = nullptr;  // what blocks come to, where several share sums
  Variable* finished_ = nullptr;
};

}  // namespace

LoweredStage lower_gemv(const StageInput& input, const ContractDemand& demand, const GemvForm& form) {
  return GemvWriter(input, demand, form).run();
}

}  // namespace sinter
