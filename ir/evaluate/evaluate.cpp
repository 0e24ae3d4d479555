// The evaluator's entry points: what can be evaluated, and evaluating it. The ops are in evaluate_*.cpp.
#include "ir/evaluate/evaluate.h"

#include <new>
#include <optional>
#include <set>
#include <string>

#include "ir/evaluate/elements/evaluate_elementwise.h"
#include "ir/module/one_device.h"
#include "ir/ops/evaluate_ops.h"
#include "ir/ops/op_table.h"

namespace sinter {

// evaluate_custom_call.cpp: empty if the custom call is one that the evaluator knows.
std::string why_not_custom_call(const Instruction& instruction);

namespace {

// The largest single value evaluated, and the work constant folding may put into one instruction.
constexpr int64_t kMaxValueBytes = int64_t{1} << 34;
constexpr int64_t kMaxFoldSteps = int64_t{1} << 28;

std::string why_not_evaluable(const Instruction& instruction) {
  const std::string name(opcode_name(instruction.opcode));
  if (!instruction.shape.is_static()) return "values of dynamic size cannot be evaluated";
  if (instruction.opcode == Opcode::kParameter) return "";
  if (op_def(instruction.opcode).evaluate == nullptr) return name + " cannot be evaluated";
  if (opcode_family(instruction.opcode) == Family::kElementwise && instruction.opcode != Opcode::kCopy &&
      elements::find_kernel(instruction).function == nullptr) {
    return name + " cannot be evaluated for these element types";
  }
  if (instruction.opcode == Opcode::kCustomCall) return why_not_custom_call(instruction);
  return why_not_on_one_device(instruction);
}

}  // namespace

bool check_evaluable(const Module& module, Diagnostics& diagnostics) {
  std::set<std::string> calls;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      const std::string reason = why_not_evaluable(instruction);
      if (reason.empty()) continue;
      // A call of a function that gives several results is one for each.
      const bool is_call = instruction.opcode == Opcode::kCustomCall;
      if (!is_call || calls.insert(reason).second) diagnostics.error(instruction.loc, "E0390", reason);
    }
  }
  return diagnostics.ok();
}

std::optional<Literal> evaluate(const Module& module, const std::vector<Literal>& arguments, Diagnostics& diagnostics,
                                const EvaluateLimits& limits) {
  const std::vector<Instruction*> parameters = module.entry()->parameters();
  check(arguments.size() == parameters.size(), "evaluate", "wrong number of arguments");
  for (size_t i = 0; i < arguments.size(); ++i) {
    check(arguments[i].shape().same_type(parameters[i]->shape), "evaluate",
          "argument " + std::to_string(i) + " is " + to_string(arguments[i].shape()) + ", not " +
              to_string(parameters[i]->shape));
  }
  EvaluateContext context(limits.max_steps, kMaxValueBytes);
  context.drawing = computations_with(module, draws);
  try {
    return context.call(*module.entry(), arguments);
  } catch (const EvaluateStop& stop) {
    diagnostics.error(stop.loc, stop.code, stop.what());
  } catch (const std::bad_alloc&) {
    diagnostics.error(Loc{}, "E0391", "out of memory while evaluating");
  }
  return std::nullopt;
}

std::optional<Literal> evaluate_instruction(const Instruction& instruction, const std::vector<Literal>& operands) {
  if (instruction.opcode == Opcode::kParameter || draws(instruction) || !why_not_evaluable(instruction).empty())
    return std::nullopt;
  // Computations that it calls, and those that they call.
  std::vector<const Computation*> pending;
  const auto add_called = [&](const Instruction& caller) {
    for (const Computation* called : caller.called_computations()) pending.push_back(called);
  };
  add_called(instruction);
  for (size_t next = 0; next < pending.size(); ++next) {
    if (pending.size() > EvaluateContext::kMaxDepth) return std::nullopt;
    for (const Instruction& inner : pending[next]->instructions()) {
      if (draws(inner) || !why_not_evaluable(inner).empty()) return std::nullopt;
      add_called(inner);
    }
  }
  EvaluateContext context(kMaxFoldSteps, kMaxValueBytes);
  try {
    context.check_size(instruction.shape);
    return op_def(instruction.opcode).evaluate(instruction, operands, context);
  } catch (const EvaluateStop&) {
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

}  // namespace sinter
