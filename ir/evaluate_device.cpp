// Evaluating what concerns other devices, as one device alone sees it: collectives over a group of one are
// identities. Also custom calls: those that annotate, and the Cholesky factorisation that JAX emits.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "ir/evaluate_linalg.h"
#include "ir/evaluate_ops.h"

namespace sinter {
namespace {

constexpr std::string_view kCholeskyTarget = "cusolver_potrf_ffi";

bool is_annotation(std::string_view target) {
  constexpr std::array<std::string_view, 4> kTargets = {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
                                                        "annotate_device_placement"};
  return target.starts_with("xla.sdy.") || std::find(kTargets.begin(), kTargets.end(), target) != kTargets.end();
}

// The numbers of a text such as {{0,1},{1,0}}.
std::vector<int64_t> numbers_in(std::string_view text) {
  std::vector<int64_t> numbers;
  bool in_number = false;
  for (const char c : text) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (is_digit && !in_number) numbers.push_back(0);
    if (is_digit && numbers.back() < INT32_MAX) numbers.back() = numbers.back() * 10 + (c - '0');
    in_number = is_digit;
  }
  return numbers;
}

bool sends_to_itself(const Instruction& instruction) {
  const std::vector<int64_t> pairs = numbers_in(instruction.attributes.source_target_pairs.value_or(""));
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (pairs[i] == 0 && pairs[i + 1] == 0) return true;
  }
  return false;
}

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

bool operands_are_results(const Instruction& instruction, const Shape& result) {
  if (!result.is_tuple()) return instruction.operands().size() == 1 && result.same_type(instruction.operand(0)->shape);
  if (result.elements.size() != instruction.operands().size()) return false;
  for (size_t i = 0; i < result.elements.size(); ++i) {
    if (!result.elements[i].same_type(instruction.operand(i)->shape)) return false;
  }
  return true;
}

std::string why_not_custom_call(const Instruction& instruction) {
  const std::string target = instruction.attributes.custom_call_target.value_or("");
  if (is_annotation(target) && operands_are_results(instruction, instruction.shape)) return "";
  if (target == kCholeskyTarget && instruction.operands().size() == 1 && instruction.shape.is_tuple() &&
      instruction.shape.elements.size() == 2 &&
      instruction.shape.elements[0].same_type(instruction.operand(0)->shape)) {
    return "";
  }
  return "custom call \"" + target + "\" cannot be evaluated";
}

}  // namespace

// Empty if the evaluator can run the instruction as far as other devices and custom calls are concerned.
std::string why_not_on_one_device(const Instruction& instruction) {
  const auto same = [&](const Shape& result) -> std::string {
    if (operands_are_results(instruction, result)) return "";
    return std::string(opcode_name(instruction.opcode)) + " among several devices cannot be evaluated";
  };
  const auto started_shape = [&]() -> const Shape& {
    const Shape& shape = instruction.shape;
    return shape.is_tuple() && shape.elements.size() >= 2 ? shape.elements[1] : shape;
  };
  switch (instruction.opcode) {
    case Opcode::kCustomCall:
      return why_not_custom_call(instruction);
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kAllGather:
    case Opcode::kAllToAll:
    case Opcode::kReduceScatter:
    case Opcode::kCollectiveBroadcast:
    case Opcode::kCollectivePermute:
      return same(instruction.shape);
    case Opcode::kAllGatherStart:
    case Opcode::kCollectivePermuteStart:
      return same(started_shape());
    default:
      return "";
  }
}

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

Literal evaluate_custom_call(const Instruction& instruction, std::span<const Literal> operands,
                             EvaluateContext& context) {
  if (*instruction.attributes.custom_call_target != kCholeskyTarget) {
    return same_as_operands(instruction, operands, context);
  }
  // (factor, status by batch entry)
  const bool lower = instruction.backend_config.find("lower = true") != std::string::npos;
  const CholeskyResult result = cholesky(operands[0], lower);
  Literal value(instruction.shape);
  value.mutable_elements()[0] = result.factor;
  Literal& status = value.mutable_elements()[1];
  for (size_t b = 0; b < result.failed.size(); ++b) status.set_integer(static_cast<int64_t>(b), result.failed[b]);
  return value;
}

}  // namespace sinter
