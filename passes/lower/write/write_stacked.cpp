// Reductions over all threads that a loop stacks up: a block reduces what its threads have of some steps at a time, the
// blocks of the launch reduce what each has come to after the loop.
#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/lower/arrange/names.h"
#include "passes/lower/text/combiners.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/write_stacked.h"
#include "passes/lower/write/writer.h"
#include "passes/stages/domain/launch_shape.h"

namespace sinter {

using StatementKind = Statement::Kind;

namespace {

constexpr const char* kBatch = "kBatch";

// `name`, numbered where a variable of the kernel goes by it.
std::string unused_name(const Kernel& kernel, const std::string& name) {
  std::string result = name;
  const auto has_it = [&](const Variable& variable) { return variable.name == result; };
  for (int number = 1; std::ranges::any_of(kernel.variables(), has_it); ++number)
    result = name + "_" + std::to_string(number);
  return result;
}

// Of a loop: those of its stacks that are reductions.
std::vector<int> reducing_stacks(const DemandLoop& loop) {
  std::vector<int> result;
  for (size_t stack = 0; stack < loop.stacks.size(); ++stack) {
    if (loop.stacks[stack].reduce != nullptr) result.push_back(static_cast<int>(stack));
  }
  return result;
}

const Expr* combine_with(const DemandLoop::Stack& stack, Kernel* kernel) {
  kernel->headers.insert("device/combine.cuh");
  const Opcode opcode = *simple_combiner(**stack.reduce->attributes->to_apply);
  return kernel->call(combine_functor(opcode), {}, CType::value(stack.reduce->shape.dtype));
}

}  // namespace

int64_t tree_counts(int64_t blocks) {
  int64_t counts = 0;
  do {
    blocks = ceil_div(blocks, kBlocksAGroup);
    counts += blocks;
  } while (blocks > 1);
  return counts;
}

ScratchShapes declare_stacked(const DemandGraph& graph, LoweredKernel* lowered, Expressions* expressions) {
  Kernel& kernel = lowered->kernel;
  ScratchShapes shapes;
  const int64_t bytes = stacked_bytes(graph);
  if (bytes == 0) return shapes;
  const int64_t batch = steps_at_once(kernel.launch.block, bytes);
  kernel.constants.push_back({kBatch, "int", std::to_string(batch), "steps whose values a block reduces at a time"});
  // Other blocks write what these point to while this one runs: no __restrict__.
  const auto pointer = [&](const std::string& name, DType dtype) {
    const CType type = {.kind = CType::Kind::kPointer, .dtype = dtype, .is_restrict = false};
    Variable* variable = kernel.variable(unused_name(kernel, name), type);
    kernel.parameters.push_back({variable, true, std::nullopt});
    return variable;
  };
  for (size_t number = 0; number < graph.loops.size(); ++number) {
    const DemandLoop& loop = graph.loops[number];
    for (const int stack : reducing_stacks(loop)) {
      const DType dtype = loop.stacks[stack].reduce->shape.dtype;
      const std::string name = without_direction(expressions->output_buffers.at(loop.stacks[stack].output)->name);
      kernel.shared.members.push_back({.name = name, .dtype = dtype, .dims = {kBatch, "kThreads"}});
      kernel.shared.bytes += batch * kernel.launch.block * dtype_bytes(dtype);
      lowered->arguments.push_back(StageArgument::scratch(lowered->scratch.size()));
      const int64_t steps = graph.coordinates[loop.counter].extent;
      const Shape shape = Shape::array(dtype, {kernel.launch.grid[0], steps});
      lowered->scratch.push_back({name + "_of_blocks", shape});
      Variable* of_blocks = pointer(name + "_of_blocks", dtype);
      kernel.parameters.back().scratch = true;
      shapes[of_blocks] = shape;
      expressions->stacked[{static_cast<int>(number), stack}] = {name, of_blocks};
    }
  }
  lowered->arguments.push_back(StageArgument::finished(tree_counts(kernel.launch.grid[0])));
  expressions->finished = pointer("finished", DType::kU32);
  kernel.parameters.back().bytes = 0;  // counts are no data
  return shapes;
}

// shared.sum[t % kBatch][threadIdx.x] = x; of a thread without an element what changes nothing.
Statement Writer::put_in_batch(int number, int stack) {
  const DemandLoop& loop = graph_.loops[number];
  const NodeId own = loop.stacks[stack].stores[0].second;
  const CType type = CType::value(graph_.nodes[own].dtype);
  const Expr* values =
      kernel_.member(kernel_.reference(expressions_.shared), expressions_.stacked.at({number, stack}).member, type);
  const Expr* of_step = kernel_.subscript(values, step_in_batch(number), type);
  const Expr* value = expressions_.value(own);
  if (expressions_.owns_element != nullptr) {
    const Instruction& reduce = *loop.stacks[stack].reduce;
    const Opcode combiner = *simple_combiner(**reduce.attributes->to_apply);
    const Literal nothing = *part_beginning(combiner, type.dtype, *reduce.operand(1));
    value = kernel_.conditional(expressions_.owns_element, value, kernel_.literal(nothing));
  }
  return assign(kernel_.subscript(of_step, kernel_.name_expr("threadIdx.x"), type), "=", value);
}

const Expr* Writer::step_in_batch(int number) {
  const Expr* step = expressions_.coordinates.at(graph_.loops[number].counter);
  return kernel_.infix(step, "%", kernel_.name_expr(kBatch), CType::value(DType::kS32));
}

// Once a batch is there, or the last step, the block reduces it.
void Writer::reduce_batches(int number, Block* body) {
  const DemandLoop& loop = graph_.loops[number];
  const std::vector<int> stacks = reducing_stacks(loop);
  if (stacks.empty()) return;
  const CType index = CType::value(DType::kS32), condition = CType::value(DType::kPred);
  const Expr* step = expressions_.coordinates.at(loop.counter);
  const Expr* steps = expressions_.trip_count(loop.counter);
  const auto before = [&](const Expr* count) { return kernel_.infix(count, "-", kernel_.integer(1), index); };
  const Expr* full = kernel_.infix(step_in_batch(number), "==", before(kernel_.name_expr(kBatch)), condition);
  const Expr* last = kernel_.infix(step, "==", before(steps), condition);
  const int64_t batch = steps_at_once(kernel_.launch.block, stacked_bytes(graph_));
  const bool whole = graph_.coordinates[loop.counter].extent % batch == 0;  // no step is left over
  Statement reduce = {.kind = StatementKind::kIf, .value = whole ? full : kernel_.infix(full, "||", last, condition)};
  const Statement barrier = block_barrier(&kernel_);
  reduce.body.push_back(barrier);
  kernel_.headers.insert("device/reduce_batch.cuh");
  for (const int stack : stacks) {
    const Expressions::StackedReduction& place = expressions_.stacked.at({number, stack});
    const CType type = CType::value(loop.stacks[stack].reduce->shape.dtype);
    const Expr* values = kernel_.member(kernel_.reference(expressions_.shared), place.member, type);
    const Expr* number = expressions_.block;
    const int64_t values_of_blocks = kernel_.launch.grid[0] * graph_.coordinates[loop.counter].extent;
    if (counter_type(values_of_blocks) == DType::kS64) number = kernel_.cast(CType::value(DType::kS64), number);
    const Expr* row = kernel_.infix(number, "*", steps, index);
    const Expr* of_block = kernel_.infix(kernel_.reference(place.of_blocks), "+", row,
                                         {.kind = CType::Kind::kPointer, .dtype = type.dtype});
    const std::vector<const Expr*> arguments = {values, step, of_block, combine_with(loop.stacks[stack], &kernel_)};
    reduce.body.push_back({.kind = StatementKind::kExpression,
                           .value = kernel_.call("reduce_batch", arguments, {.kind = CType::Kind::kVoid})});
  }
  reduce.body.push_back(barrier);
  body->push_back({.kind = StatementKind::kNote,
                   .text = "A batch of steps is there: the block reduces what its threads have of each."});
  body->push_back(std::move(reduce));
}

Block tree_of_blocks(Kernel* kernel, const Expr* block, const std::string& blocks, const Expr* finished,
                     const std::vector<TreeReduction>& reductions) {
  kernel->headers.insert("device/block_tree.cuh");
  Variable* tree = kernel->variable(unused_name(*kernel, "tree"), CType::named("auto"));
  Statement climb = {.kind = StatementKind::kWhile};
  climb.value = kernel->call(tree->name + ".climb", {}, CType::value(DType::kPred));
  for (const TreeReduction& one : reductions) {
    const std::vector<const Expr*> arguments = {one.of_blocks, one.columns, one.initial, one.results, one.combine};
    climb.body.push_back({.kind = StatementKind::kExpression,
                          .value = kernel->call(tree->name + ".reduce", arguments, {.kind = CType::Kind::kVoid})});
  }
  const std::vector<const Expr*> place = {block, kernel->name_expr(blocks), finished};
  Block statements = {
      {.kind = StatementKind::kBlank},
      {.kind = StatementKind::kNote,
       .text = "The block that ends last of 16 reduces what they have come to, of 16 such groups the last one, "
               "and so on."},
      {.kind = StatementKind::kDeclare,
       .variable = tree,
       .value = kernel->call("BlockTree<kThreads>", place, tree->type)}};
  statements.push_back(std::move(climb));
  return statements;
}

Block reduce_blocks(const DemandGraph& graph, const std::string& blocks, Expressions* expressions) {
  if (expressions->stacked.empty()) return {};
  Kernel& kernel = *expressions->kernel;
  std::vector<TreeReduction> reductions;
  for (const auto& [key, place] : expressions->stacked) {
    const DemandLoop::Stack& stack = graph.loops[key.first].stacks[key.second];
    reductions.push_back({kernel.reference(place.of_blocks), expressions->trip_count(graph.loops[key.first].counter),
                          kernel.literal(stack.reduce->operand(1)->literal),
                          kernel.reference(expressions->output_buffers.at(stack.output)),
                          combine_with(stack, &kernel)});
  }
  return tree_of_blocks(&kernel, expressions->block, blocks, kernel.reference(expressions->finished), reductions);
}

}  // namespace sinter
