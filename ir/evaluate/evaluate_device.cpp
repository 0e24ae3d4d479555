// Evaluating what concerns other devices, as one device alone sees it: collectives over a group of one are
// identities.
#include <algorithm>
#include <string>

#include "ir/module/one_device.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace {

Literal same_as_operands(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  if (!instruction.shape.is_tuple()) return context.take(operands, 0);
  return Literal::tuple(std::vector<Literal>(operands.begin(), operands.end()));
}

// (operands, results, ...) of an op whose result is its operand.
Literal started(const Instruction& instruction, std::span<const Literal> operands, bool zeros) {
  Literal state(instruction.shape);
  const bool several = instruction.shape.elements[0].is_tuple();
  const Literal value = several ? Literal::tuple(std::vector<Literal>(operands.begin(), operands.end())) : operands[0];
  state.mutable_elements()[0] = value;
  if (!zeros) state.mutable_elements()[1] = value;
  return state;
}

}  // namespace

#define SAME_AS_OPERANDS(name)                                                               \
  Literal evaluate_##name(const Instruction& instruction, std::span<const Literal> operands, \
                          EvaluateContext& context) {                                        \
    return same_as_operands(instruction, operands, context);                                 \
  }
SAME_AS_OPERANDS(all_gather)
SAME_AS_OPERANDS(all_reduce)
SAME_AS_OPERANDS(all_reduce_start)
SAME_AS_OPERANDS(all_to_all)
SAME_AS_OPERANDS(collective_broadcast)
SAME_AS_OPERANDS(reduce_scatter)
#undef SAME_AS_OPERANDS

Literal evaluate_all_reduce_done(const Instruction&, std::span<const Literal> operands, EvaluateContext& context) {
  return context.take(operands, 0);
}

Literal evaluate_all_gather_start(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  return started(instruction, operands, false);
}

Literal evaluate_all_gather_done(const Instruction&, std::span<const Literal> operands, EvaluateContext&) {
  return operands[0].elements()[1];
}

// Who is nobody's target receives zeros.
Literal evaluate_collective_permute(const Instruction& instruction, std::span<const Literal> operands,
                                    EvaluateContext& context) {
  if (!sends_to_itself(instruction)) return Literal(instruction.shape);
  return same_as_operands(instruction, operands, context);
}

Literal evaluate_collective_permute_start(const Instruction& instruction, std::span<const Literal> operands,
                                          EvaluateContext&) {
  return started(instruction, operands, !sends_to_itself(instruction));
}

Literal evaluate_collective_permute_done(const Instruction&, std::span<const Literal> operands, EvaluateContext&) {
  return operands[0].elements()[1];
}

Literal evaluate_partition_id(const Instruction& instruction, std::span<const Literal>, EvaluateContext&) {
  return Literal(instruction.shape);
}

Literal evaluate_replica_id(const Instruction& instruction, std::span<const Literal>, EvaluateContext&) {
  return Literal(instruction.shape);
}

// What lies within the announced segment of the input goes to its place in the output; the rest of the output stays.
Literal evaluate_ragged_all_to_all(const Instruction& instruction, std::span<const Literal> operands,
                                   EvaluateContext&) {
  const Literal& input = operands[0];
  Literal result = operands[1].with_shape(instruction.shape);
  const auto number = [&](size_t operand) { return operands[operand].integer_at(0); };
  const int64_t row = result.shape().dims[0] == 0 ? 0 : result.shape().bytes() / result.shape().dims[0];
  const int64_t count = number(5);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t from = number(2) + i;
    const int64_t to = number(4) + i;
    if (from < 0 || from >= input.shape().dims[0] || to < 0 || to >= result.shape().dims[0]) continue;
    const std::span<const std::byte> source =
        input.bytes().subspan(static_cast<size_t>(from * row), static_cast<size_t>(row));
    std::copy(source.begin(), source.end(), result.mutable_bytes().begin() + to * row);
  }
  return result;
}

}  // namespace sinter
