// Small edits and questions that several graph passes share.
#include "passes/graph/base/rewrite.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/module/device_functions.h"
#include "ir/module/variable.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/graph/base/on_arrays.h"

namespace sinter {

void become(Instruction& instruction, Opcode opcode, const std::vector<Instruction*>& operands,
            Rare<Attributes> attributes) {
  instruction.set_operands(operands);
  instruction.opcode = opcode;
  instruction.attributes = std::move(attributes);
  instruction.literal = Literal();
  if (!instruction.annotations.has_value()) return;
  instruction.annotations.edit().backend_config.clear();
  instruction.annotations.edit().frontend_attributes.clear();
}

void become_constant(Instruction& instruction, Literal literal) {
  become(instruction, Opcode::kConstant, {});
  literal.set_layout(instruction.shape.layout);
  instruction.literal = std::move(literal);
}

void become_splat(Instruction& instruction, Literal scalar) {
  check(scalar.shape().is_scalar() && scalar.shape().dtype == instruction.shape.dtype, "become_splat",
        instruction.name + " gets a value of another type");
  if (instruction.shape.is_scalar()) {
    become_constant(instruction, std::move(scalar));
    return;
  }
  Attributes attributes;
  attributes.dimensions.emplace();
  become(instruction, Opcode::kBroadcast, {insert_scalar(instruction, std::move(scalar))}, std::move(attributes));
}

Instruction* insert_like(Instruction& position, Opcode opcode, Shape shape, const std::vector<Instruction*>& operands,
                         Rare<Attributes> attributes, std::string name) {
  Instruction* inserted =
      position.parent()->insert_before(&position, opcode, std::move(shape), operands, std::move(name));
  inserted->attributes = std::move(attributes);
  inserted->metadata = position.metadata;
  inserted->loc = position.loc;
  return inserted;
}

Instruction* insert_scalar(Instruction& position, Literal scalar) {
  Instruction* inserted = position.parent()->add_constant(std::move(scalar), &position);
  inserted->loc = position.loc;
  return inserted;
}

Instruction* insert_reshape(Instruction& position, Instruction* operand, const std::vector<int64_t>& dims) {
  if (operand->shape.dims == dims) return operand;
  return insert_like(position, Opcode::kReshape, Shape::array(operand->shape.dtype, dims), {operand});
}

Instruction* insert_tuple_element(Instruction& position, Instruction* tuple, int64_t index) {
  Attributes attributes;
  attributes.tuple_index = index;
  return insert_like(position, Opcode::kGetTupleElement, tuple->shape.elements[static_cast<size_t>(index)], {tuple},
                     std::move(attributes));
}

Instruction* insert_broadcast_like(Instruction& position, Instruction* scalar, const Shape& like) {
  if (like.dims.empty()) return scalar;
  Attributes attributes;
  attributes.dimensions.emplace();
  return insert_like(position, Opcode::kBroadcast, Shape::array(scalar->shape.dtype, like.dims), {scalar},
                     std::move(attributes));
}

std::vector<Instruction*> instructions_of(Module& module, Opcode opcode) {
  std::vector<Instruction*> found;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == opcode) found.push_back(&instruction);
    }
  }
  return found;
}

void remove_instructions(Computation& computation, const std::vector<Instruction*>& instructions) {
  if (instructions.empty()) return;
  std::vector<Instruction*> ordered;
  for (Instruction& instruction : computation.instructions()) {
    if (!instruction.control_predecessors.empty()) ordered.push_back(&instruction);
  }
  if (!ordered.empty()) {
    const std::unordered_set<const Instruction*> removed(instructions.begin(), instructions.end());
    for (Instruction* instruction : ordered) {
      std::erase_if(instruction->control_predecessors,
                    [&](const Instruction* predecessor) { return removed.contains(predecessor); });
    }
  }
  for (Instruction* instruction : instructions) computation.remove(instruction);
}

bool remove_dead_instructions(Computation& computation, const ComputationSet& computations_with_effects) {
  std::vector<Instruction*> backwards;
  backwards.reserve(computation.instructions().size());
  for (Instruction& instruction : computation.instructions()) backwards.push_back(&instruction);
  std::reverse(backwards.begin(), backwards.end());

  // Users come before what they use, so one sweep sees every use that is going to stay.
  std::vector<Instruction*> dead;
  for (Instruction* instruction : backwards) {
    const bool used = !instruction->users().empty() || instruction == computation.root();
    if (used || instruction->opcode == Opcode::kParameter) continue;
    if (has_effect(*instruction, computations_with_effects)) continue;
    instruction->set_operands({});
    dead.push_back(instruction);
  }
  remove_instructions(computation, dead);
  return !dead.empty();
}

bool remove_dead_code(Module& module) {
  bool changed = false;
  const ComputationSet effects = computations_with_effects(module);
  for (const auto& computation : module.computations()) changed |= remove_dead_instructions(*computation, effects);

  std::unordered_set<const Computation*> reached{module.entry()};
  std::vector<const Computation*> open{module.entry()};
  while (!open.empty()) {
    const Computation* computation = open.back();
    open.pop_back();
    for (const Instruction& instruction : computation->instructions()) {
      for (Computation* callee : instruction.called_computations()) {
        if (reached.insert(callee).second) open.push_back(callee);
      }
    }
  }
  // Callers first, so that nothing removed is called by something that still stands.
  std::vector<Computation*> unreached;
  for (const auto& computation : module.computations()) {
    if (!reached.contains(computation.get())) unreached.push_back(computation.get());
  }
  for (auto it = unreached.rbegin(); it != unreached.rend(); ++it) module.remove_computation(*it);
  return changed || !unreached.empty();
}

Computation* clone_computation(const Computation& original) {
  Computation* copy = original.parent()->add_computation(original.name);
  copy->execution_thread = original.execution_thread;
  copy->signature_in_text = original.signature_in_text;
  copy->loc = original.loc;
  std::unordered_map<const Instruction*, Instruction*> copies;
  for (const Instruction& instruction : original.instructions()) {
    std::vector<Instruction*> operands;
    for (const Instruction* operand : instruction.operands()) operands.push_back(copies.at(operand));
    copies[&instruction] = copy->add_copy(instruction, operands);
  }
  copy->set_root(copies.at(original.root()));
  return copy;
}

Instruction* inline_before(Instruction& position, Computation& callee, const std::vector<Instruction*>& arguments,
                           bool take_names) {
  std::unordered_map<const Instruction*, Instruction*> copies;
  for (Instruction& instruction : callee.instructions()) {
    if (instruction.opcode == Opcode::kParameter) {
      copies[&instruction] = arguments[static_cast<size_t>(instruction.parameter_number)];
      continue;
    }
    std::vector<Instruction*> operands;
    for (const Instruction* operand : instruction.operands()) operands.push_back(copies.at(operand));
    Instruction* copy = position.parent()->add_copy(instruction, operands, &position);
    if (take_names) std::swap(copy->name, instruction.name);
    const Metadata& around = *position.metadata;
    if (copy->metadata->stack_frame_id == 0 && copy->metadata->source_file.empty()) {
      Metadata& origin = copy->metadata.edit();
      origin.stack_frame_id = around.stack_frame_id;
      origin.source_file = around.source_file;
      origin.source_line = around.source_line;
    }
    // A call that stays is known by the innermost Python function around it.
    const auto names_function = [](const std::string& op_name) { return op_name.ends_with(")"); };
    if (copy->opcode == Opcode::kCall && !names_function(copy->metadata->op_name) && names_function(around.op_name)) {
      copy->metadata.edit().op_name = around.op_name;
    }
    if (&instruction == callee.root()) hand_on_variable(position, *copy);
    copies[&instruction] = copy;
  }
  return copies.at(callee.root());
}

bool is_elementwise_function(const Computation& computation) {
  const std::list<Instruction>& instructions = computation.instructions();
  return std::all_of(instructions.begin(), instructions.end(), [](const Instruction& instruction) {
    const bool known = instruction.opcode == Opcode::kParameter || instruction.opcode == Opcode::kConstant ||
                       family_of(instruction) == Family::kElementwise;
    return known && instruction.shape.is_scalar();
  });
}

Instruction* inline_elementwise(Instruction& position, const Computation& callee,
                                const std::vector<Instruction*>& arguments, const Shape& shape) {
  if (!is_elementwise_function(callee)) return nullptr;
  return on_arrays(position, callee, arguments, shape.dims)[0];
}

bool depends_on(const Instruction& instruction, const std::vector<Instruction*>& values) {
  size_t first = SIZE_MAX;
  for (const Instruction* value : values) first = std::min(first, value->position());
  std::vector<const Instruction*> open = {&instruction};
  std::unordered_set<const Instruction*> seen;
  while (!open.empty()) {
    const Instruction* value = open.back();
    open.pop_back();
    if (std::find(values.begin(), values.end(), value) != values.end()) return true;
    if (value->position() < first || !seen.insert(value).second) continue;
    open.insert(open.end(), value->operands().begin(), value->operands().end());
  }
  return false;
}

}  // namespace sinter
