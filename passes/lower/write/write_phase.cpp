// Statements of a row kernel's passes over its columns.
#include <algorithm>

#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/text/combiners.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/row_vectors.h"
#include "passes/lower/write/writer.h"
#include "passes/names/value_names.h"

namespace sinter {

using StatementKind = Statement::Kind;
using NodeKind = DemandNode::Kind;

// The variable that holds what a reduction comes to; nullptr if none does.
Variable* Writer::result_variable(int reduce) {
  if (result_variables_.empty()) {
    result_variables_.resize(graph_.reduces.size(), nullptr);
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      const DemandNode& node = graph_.nodes[id];
      if (node.kind != NodeKind::kReduce) continue;
      const auto named = expressions_.variables.find(static_cast<NodeId>(id));
      if (named != expressions_.variables.end()) result_variables_[node.reduce] = named->second;
    }
  }
  return result_variables_[reduce];
}

// Where a thread has one column, what it reduces begins with that. A sum of floats begins with +0: all its terms may be
// -0.
bool Writer::begins_with_term(Opcode opcode, DType type) const {
  const bool adds_floats = opcode == Opcode::kAdd && !is_integer(type);
  return declares_where_set() && !adds_floats && !is_complex(type);
}

// One pass over a row's columns: elements that stay in registers, what this pass reduces, the loop, and the
// exchange between the row's threads.
void Writer::write_phase(int number, Block* block) {
  const ColumnPhase& phase = graph_.phases[number];
  const WriteOptions::Rows& rows = *options_.rows;
  std::vector<Variable*> accumulators, results;  // the same where the type accumulates in itself
  Block declarations;
  for (const int r : phase.reduces) {
    const DemandReduce& reduce = graph_.reduces[r];
    const DType dtype = reduce.instruction->operand(0)->shape.dtype;
    Variable* result = result_variable(r);
    const DType type = accumulator_type(dtype);
    const Opcode opcode = *simple_combiner(**reduce.instruction->attributes->to_apply);
    Variable* accumulator = result;
    if (type != dtype) accumulator = kernel_.variable(accumulator_name(opcode), CType::value(type), reduce.instruction);
    accumulators.push_back(accumulator);
    results.push_back(result);
    if (begins_with_term(opcode, type)) continue;
    const Literal identity = identity_of(opcode, type);
    declarations.push_back(
        {.kind = StatementKind::kDeclare, .variable = accumulator, .value = kernel_.literal(identity)});
  }
  if (!declares_where_set()) {
    for (const auto& [slot, node] : phase.keeps) {
      declarations.push_back({.kind = StatementKind::kDeclare, .variable = expressions_.arrays[slot]});
    }
  }
  if (!block->empty()) block->push_back({.kind = StatementKind::kBlank});
  block->push_back(phase_comment(phase, results));
  block->insert(block->end(), declarations.begin(), declarations.end());

  const Block pass = over_columns(phase, accumulators);
  block->insert(block->end(), pass.begin(), pass.end());

  for (size_t i = 0; i < phase.reduces.size(); ++i) {
    const DemandReduce& reduce = graph_.reduces[phase.reduces[i]];
    const Opcode opcode = *simple_combiner(**reduce.instruction->attributes->to_apply);
    const DType dtype = reduce.instruction->operand(0)->shape.dtype;
    const DType type = accumulators[i]->type.dtype;
    const Expr* sum = kernel_.reference(accumulators[i]);
    kernel_.headers.insert("device/combine.cuh");
    kernel_.headers.insert(rows.reduce_header);
    const Expr* total = kernel_.call(rows.reduce, {sum, kernel_.call(combine_functor(opcode), {}, CType::value(type))},
                                     CType::value(type));
    block->push_back(assign(sum, "=", total));
    const DemandNode& init = graph_.nodes[reduce.init[0]];
    const bool identity = init.kind == NodeKind::kConstant && is_identity(opcode, init.literal);
    if (!identity) {
      block->push_back(update(
          sum,
          expressions_.combine(opcode, dtype, sum, expressions_.widen(dtype, expressions_.value(reduce.init[0])))));
    }
    if (type != dtype) block->push_back(let(results[i], expressions_.narrow(dtype, sum), reduce.instruction));
  }
}

// What a pass does with one column.
Block Writer::at_column(const ColumnPhase& phase, const std::vector<Variable*>& accumulators) {
  Block body = scope(phase.scope);
  for (size_t i = 0; i < phase.reduces.size(); ++i) {
    const DemandReduce& reduce = graph_.reduces[phase.reduces[i]];
    const DType dtype = reduce.instruction->operand(0)->shape.dtype;
    const Opcode opcode = *simple_combiner(**reduce.instruction->attributes->to_apply);
    const Expr* sum = kernel_.reference(accumulators[i]);
    const Expr* term = expressions_.widen(dtype, expressions_.value(reduce.values[0]));
    if (begins_with_term(opcode, accumulators[i]->type.dtype)) {
      body.push_back({.kind = StatementKind::kDeclare, .variable = accumulators[i], .value = term});
    } else {
      body.push_back(update(sum, expressions_.combine(opcode, dtype, sum, term)));
    }
  }
  return body;
}

// What a pass does with the columns of a thread: a loop where there may be several.
Block Writer::over_columns(const ColumnPhase& phase, const std::vector<Variable*>& accumulators) {
  const WriteOptions::Rows& rows = *options_.rows;
  // Where groups of neighbours do not fill a thread's places, which of these it has depends on the column.
  if (rows.width > 1 && (uses_column(graph_, phase) || !rows.exact)) return over_vectors(phase, accumulators);
  const CType index = CType::value(counter_type(graph_.coordinates[phase.coordinate].extent));
  Variable* column = rows.column != nullptr ? rows.column : kernel_.variable(rows.name, index);
  Variable* k = rows.registers && rows.column == nullptr ? kernel_.variable("k", index) : nullptr;
  expressions_.coordinates[phase.coordinate] = kernel_.reference(column);
  const Expr* outer_slot = expressions_.slot;
  if (k != nullptr) expressions_.slot = kernel_.reference(k);
  const std::vector<RecordsRead> records = rows.width == 1 ? records_read(phase) : std::vector<RecordsRead>();
  const Block elements = at_column(phase, accumulators);
  Block body;
  add_loads(records, elements, &body);
  body.insert(body.end(), elements.begin(), elements.end());
  if (!rows.exact && (k != nullptr || rows.column != nullptr)) {
    Statement inside = {.kind = StatementKind::kIf};
    inside.value = kernel_.infix(kernel_.reference(column), "<", rows.count, CType::value(DType::kPred));
    inside.body = std::move(body);
    body = {std::move(inside)};
  }
  if (rows.column != nullptr) return body;
  Statement loop = {.kind = StatementKind::kFor, .variable = column, .value = rows.count};
  loop.begin = rows.thread;
  loop.step = rows.threads;
  loop.text = rows.threads_name;
  if (k != nullptr) {
    if (mentions(body, column)) {
      const Expr* first = kernel_.infix(expressions_.slot, "*", kernel_.name_expr(rows.threads_name), index);
      body.insert(body.begin(), let(column, kernel_.infix(first, "+", rows.thread, index), nullptr));
    }
    loop = {.kind = StatementKind::kFor, .variable = k, .value = kernel_.name_expr("kPerThread")};
    loop.begin = kernel_.integer(0);
    loop.unroll = Statement::kUnrollFully;
  }
  loop.body = std::move(body);
  expressions_.slot = outer_slot;
  return {std::move(loop)};
}

// "// exponential, sum": what this pass leaves behind. The names are final once all variables have theirs.
Statement Writer::phase_comment(const ColumnPhase& phase, const std::vector<Variable*>& results) {
  std::vector<const Expr*> left;
  for (const auto& [slot, node] : phase.keeps) {
    if (graph_.nodes[node].kind != NodeKind::kLoad) left.push_back(kernel_.reference(expressions_.arrays[slot]));
  }
  for (const Variable* result : results) left.push_back(kernel_.reference(result));
  for (const DemandStore& store : graph_.stores) {
    if (store.scope == phase.scope) left.push_back(kernel_.reference(expressions_.output_buffers.at(store.value)));
  }
  return {.kind = StatementKind::kComment, .value = kernel_.braces(std::move(left), CType::value(DType::kS32))};
}

}  // namespace sinter
