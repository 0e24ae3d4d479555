// Evaluating constants, tuples, calls, loops, branches and ops that only order things.
#include <algorithm>

#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace {

std::vector<Literal> take_all(std::span<const Literal> operands, EvaluateContext& context) {
  std::vector<Literal> values;
  values.reserve(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) values.push_back(context.take(operands, i));
  return values;
}

std::vector<Literal> one_argument(Literal value) {
  std::vector<Literal> arguments;
  arguments.push_back(std::move(value));
  return arguments;
}

}  // namespace

Literal evaluate_constant(const Instruction& instruction, std::span<const Literal>, EvaluateContext&) {
  if (instruction.literal.is_elided()) {
    throw EvaluateStop("E0501", "the values of constant " + instruction.name + " are left out of the text");
  }
  return instruction.literal;
}

Literal evaluate_tuple(const Instruction&, std::span<const Literal> operands, EvaluateContext& context) {
  return Literal::tuple(take_all(operands, context));
}

Literal evaluate_get_tuple_element(const Instruction& instruction, std::span<const Literal> operands,
                                   EvaluateContext&) {
  return operands[0].elements()[static_cast<size_t>(*instruction.attributes->tuple_index)];
}

Literal evaluate_call(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  return context.call(**instruction.attributes->to_apply, take_all(operands, context));
}

Literal evaluate_fusion(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  return context.call(**instruction.attributes->calls, take_all(operands, context));
}

Literal evaluate_while(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  const Computation& condition = **instruction.attributes->condition;
  const Computation& body = **instruction.attributes->body;
  Literal state = context.take(operands, 0);
  while (context.call(condition, one_argument(state)).integer_at(0) != 0) {
    state = context.call(body, one_argument(std::move(state)));
  }
  return state;
}

// A predicate chooses branch 0 if true; an index outside the branches means the last one.
Literal evaluate_conditional(const Instruction& instruction, std::span<const Literal> operands,
                             EvaluateContext& context) {
  const std::vector<Computation*> branches = instruction.branches();
  const int64_t selector = operands[0].integer_at(0);
  const auto count = static_cast<int64_t>(branches.size());
  int64_t branch = selector < 0 || selector >= count ? count - 1 : selector;
  if (operands[0].shape().dtype == DType::kPred) branch = selector != 0 ? 0 : 1;
  const auto chosen = static_cast<size_t>(branch);
  return context.call(*branches[chosen], one_argument(context.take(operands, chosen + 1)));
}

Literal evaluate_opt_barrier(const Instruction&, std::span<const Literal> operands, EvaluateContext& context) {
  return context.take(operands, 0);
}

Literal evaluate_domain(const Instruction&, std::span<const Literal> operands, EvaluateContext& context) {
  return context.take(operands, 0);
}

Literal evaluate_add_dependency(const Instruction&, std::span<const Literal> operands, EvaluateContext& context) {
  return context.take(operands, 0);
}

Literal evaluate_after_all(const Instruction&, std::span<const Literal>, EvaluateContext&) {
  return Literal(Shape::token());
}

Literal evaluate_get_dimension_size(const Instruction& instruction, std::span<const Literal> operands,
                                    EvaluateContext&) {
  const auto dimension = static_cast<size_t>(instruction.attributes->dimensions->front());
  return integer_literal(instruction.shape.dtype, operands[0].shape().dims[dimension]);
}

// Of a static shape: the size can be only that of the shape.
Literal evaluate_set_dimension_size(const Instruction&, std::span<const Literal> operands, EvaluateContext& context) {
  return context.take(operands, 0);
}

// The state of an asynchronous op is ((operands), result, ...); the work is done at the start.
Literal evaluate_async_start(const Instruction& instruction, std::span<const Literal> operands,
                             EvaluateContext& context) {
  const std::vector<Literal> arguments(operands.begin(), operands.end());
  Literal state(instruction.shape);
  state.mutable_elements()[0] = Literal::tuple(arguments);
  state.mutable_elements()[1] = context.call(**instruction.attributes->calls, arguments);
  return state;
}

Literal evaluate_async_update(const Instruction&, std::span<const Literal> operands, EvaluateContext& context) {
  return context.take(operands, 0);
}

Literal evaluate_async_done(const Instruction&, std::span<const Literal> operands, EvaluateContext&) {
  return operands[0].elements()[1];
}

// (destination, source, context)
Literal evaluate_copy_start(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  Literal state(instruction.shape);
  state.mutable_elements()[0] = operands[0];
  state.mutable_elements()[1] = operands[0];
  return state;
}

Literal evaluate_copy_done(const Instruction&, std::span<const Literal> operands, EvaluateContext&) {
  return operands[0].elements()[0];
}

}  // namespace sinter
