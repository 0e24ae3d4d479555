// Running computations: each is planned once (which instructions the root needs or draw, in order, and where each value
// is used last) and then run as often as it is called. A value is released, or handed over to be updated in
// place, at its last use.
#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "ir/module/effects.h"
#include "ir/ops/evaluate_ops.h"
#include "ir/ops/op_table.h"
#include "ir/support/diagnostics.h"

namespace sinter {

class ComputationPlan {
 public:
  ComputationPlan(const Computation& computation, const ComputationSet& drawing);
  Literal run(EvaluateContext& context, std::vector<Literal> arguments) const;

 private:
  struct Operand {
    size_t slot = 0;
    bool last_use = false;
  };
  struct Step {
    const Instruction* instruction = nullptr;
    size_t slot = 0;
    std::vector<Operand> operands;
    // Of a get-tuple-element: nothing else will ask this tuple for the element, so it may be moved out of it.
    bool moves_element = false;
    int64_t count = 1;
    Literal (*evaluate)(const Instruction&, std::span<const Literal>, EvaluateContext&) = nullptr;
  };

  void find_last_uses();
  void find_moved_elements();
  Literal run_step(const Step& step, std::vector<Literal>& values, std::vector<Literal>& operands,
                   EvaluateContext& context) const;

  std::vector<Step> steps_;
  std::vector<std::ptrdiff_t> argument_slots_;  // -1: the parameter is not used
  size_t slot_count_ = 0;
  size_t root_slot_ = 0;
};

namespace {

int64_t steps_of(const Shape& shape) {
  int64_t count = 1;
  if (shape.is_array()) return std::max<int64_t>(1, shape.element_count());
  for (const Shape& element : shape.elements) count += steps_of(element);
  return count;
}

// What the root and draws depend on, without recursion.
std::unordered_map<const Instruction*, size_t> needed_slots(const Computation& computation,
                                                            const ComputationSet& drawing) {
  std::unordered_map<const Instruction*, size_t> slots;
  std::vector<const Instruction*> pending = {computation.root()};
  if (drawing.contains(&computation)) {
    for (const Instruction& instruction : computation.instructions()) {
      if (draws(instruction) || calls_any(instruction, drawing)) pending.push_back(&instruction);
    }
  }
  while (!pending.empty()) {
    const Instruction* instruction = pending.back();
    pending.pop_back();
    if (!slots.emplace(instruction, 0).second) continue;
    for (const Instruction* operand : instruction->operands()) pending.push_back(operand);
  }
  return slots;
}

}  // namespace

ComputationPlan::ComputationPlan(const Computation& computation, const ComputationSet& drawing) {
  std::unordered_map<const Instruction*, size_t> slots = needed_slots(computation, drawing);
  argument_slots_.assign(computation.parameters().size(), -1);
  for (const Instruction& instruction : computation.instructions()) {
    const auto slot = slots.find(&instruction);
    if (slot == slots.end()) continue;
    slot->second = slot_count_++;
    if (instruction.opcode == Opcode::kParameter) {
      argument_slots_.at(static_cast<size_t>(instruction.parameter_number)) = static_cast<std::ptrdiff_t>(slot->second);
      continue;
    }
    Step step;
    step.instruction = &instruction;
    step.slot = slot->second;
    step.count = steps_of(instruction.shape);
    step.evaluate = op_def(instruction.opcode).evaluate;
    check(step.evaluate != nullptr, "evaluate", "cannot evaluate " + instruction.name);
    for (const Instruction* operand : instruction.operands()) step.operands.push_back({.slot = slots.at(operand)});
    steps_.push_back(std::move(step));
  }
  root_slot_ = slots.at(computation.root());
  find_last_uses();
  find_moved_elements();
}

void ComputationPlan::find_last_uses() {
  std::vector<bool> used_later(slot_count_, false);
  used_later[root_slot_] = true;
  for (size_t s = steps_.size(); s-- > 0;) {
    std::vector<Operand>& operands = steps_[s].operands;
    for (size_t i = operands.size(); i-- > 0;) {
      operands[i].last_use = !used_later[operands[i].slot];
      used_later[operands[i].slot] = true;
    }
  }
}

void ComputationPlan::find_moved_elements() {
  std::vector<bool> whole(slot_count_, false);  // read as a whole somewhere
  whole[root_slot_] = true;
  for (const Step& step : steps_) {
    if (step.instruction->opcode == Opcode::kGetTupleElement) continue;
    for (const Operand& operand : step.operands) whole[operand.slot] = true;
  }
  std::vector<std::vector<bool>> wanted_later(slot_count_);
  for (size_t s = steps_.size(); s-- > 0;) {
    Step& step = steps_[s];
    if (step.instruction->opcode != Opcode::kGetTupleElement) continue;
    const size_t slot = step.operands[0].slot;
    const auto index = static_cast<size_t>(*step.instruction->attributes->tuple_index);
    std::vector<bool>& wanted = wanted_later[slot];
    if (wanted.size() <= index) wanted.resize(index + 1, false);
    step.moves_element = !whole[slot] && !wanted[index];
    wanted[index] = true;
  }
}

Literal ComputationPlan::run_step(const Step& step, std::vector<Literal>& values, std::vector<Literal>& operands,
                                  EvaluateContext& context) const {
  context.count_steps(step.count);
  if (step.instruction->opcode == Opcode::kGetTupleElement) {
    Literal& tuple = values[step.operands[0].slot];
    Literal& element = tuple.mutable_elements()[static_cast<size_t>(*step.instruction->attributes->tuple_index)];
    Literal result = step.moves_element ? std::move(element) : element;
    if (step.operands[0].last_use) tuple = Literal();
    return result;
  }
  context.check_size(step.instruction->shape);
  operands.clear();
  for (const Operand& operand : step.operands) {
    if (operand.last_use) {
      operands.push_back(std::move(values[operand.slot]));
    } else {
      operands.push_back(values[operand.slot]);
    }
  }
  context.own_operands = operands;
  Literal result = step.evaluate(*step.instruction, operands, context);
  operands.clear();
  return result;
}

Literal ComputationPlan::run(EvaluateContext& context, std::vector<Literal> arguments) const {
  check(arguments.size() == argument_slots_.size(), "evaluate", "wrong number of arguments");
  std::vector<Literal> values(slot_count_);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (argument_slots_[i] >= 0) values[static_cast<size_t>(argument_slots_[i])] = std::move(arguments[i]);
  }
  arguments.clear();
  std::vector<Literal> operands;
  const Step* current = nullptr;
  try {
    for (const Step& step : steps_) {
      current = &step;
      values[step.slot] = run_step(step, values, operands, context);
    }
  } catch (EvaluateStop& stop) {
    if (!stop.loc.known() && current != nullptr) stop.loc = current->instruction->loc;
    throw;
  }
  return std::move(values[root_slot_]);
}

// Looked up by address, never walked: the order of addresses shows nowhere.
struct EvaluateContext::Plans {
  std::unordered_map<const Computation*, std::unique_ptr<ComputationPlan>> by_computation;
};

EvaluateContext::EvaluateContext(int64_t max_steps, int64_t max_value_bytes)
    : steps_left(max_steps), max_value_bytes(max_value_bytes), plans_(std::make_unique<Plans>()) {}
EvaluateContext::~EvaluateContext() = default;

const ComputationPlan& EvaluateContext::plan(const Computation& computation) {
  std::unique_ptr<ComputationPlan>& plan = plans_->by_computation[&computation];
  if (!plan) plan = std::make_unique<ComputationPlan>(computation, drawing);
  return *plan;
}

Literal EvaluateContext::call(const Computation& computation, std::vector<Literal> arguments) {
  if (depth >= kMaxDepth) {
    throw EvaluateStop("E0391", "computations call each other more than " + std::to_string(kMaxDepth) + " deep");
  }
  count_steps(1);
  ++depth;
  Literal result = plan(computation).run(*this, std::move(arguments));
  --depth;
  return result;
}

Literal EvaluateContext::take(std::span<const Literal> operands, size_t index) {
  if (operands.data() == own_operands.data()) return std::move(own_operands[index]);
  return operands[index];
}

void EvaluateContext::count_steps(int64_t count) {
  steps_left -= count;
  if (steps_left < 0) throw EvaluateStop("E0391", "evaluation takes more steps than the limit allows");
}

void EvaluateContext::count_product(const std::vector<int64_t>& factors) {
  int64_t product = 1;
  for (const int64_t factor : factors) {
    if (__builtin_mul_overflow(product, factor, &product)) product = INT64_MAX;
  }
  count_steps(product);
}

void EvaluateContext::check_size(const Shape& shape) const {
  if (shape.bytes() > max_value_bytes) {
    throw EvaluateStop("E0391", "a value of " + std::to_string(shape.bytes()) + " bytes is too large to evaluate");
  }
}

}  // namespace sinter
