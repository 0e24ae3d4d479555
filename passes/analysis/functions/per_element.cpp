#include "passes/analysis/functions/per_element.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "ir/text/attribute_names.h"
#include "ir/text/attribute_text.h"
#include "passes/analysis/functions/known_functions.h"

namespace sinter {
namespace {

// Operations that leave an element as it is: in a function on scalars nothing is left of them.
bool only_reshapes(const Instruction& instruction) {
  return instruction.opcode == Opcode::kBroadcast || instruction.opcode == Opcode::kReshape;
}

bool is_known(const Instruction& instruction) {
  if (!instruction.control_predecessors.empty()) return false;
  switch (instruction.opcode) {
    case Opcode::kParameter:
    case Opcode::kReshape:
      return true;
    case Opcode::kConstant:
      return !instruction.literal.is_elided() && (instruction.shape.is_scalar() || instruction.literal.is_splat());
    case Opcode::kBroadcast:
      return instruction.operand(0)->shape.element_count() == 1;
    case Opcode::kBitcastConvert:
      return dtype_bits(instruction.shape.dtype) == dtype_bits(instruction.operand(0)->shape.dtype);
    default:
      return family_of(instruction) == Family::kElementwise;
  }
}

std::vector<const Instruction*> results_of(const Computation& computation) {
  const Instruction* root = computation.root();
  if (root->opcode != Opcode::kTuple) return {root};
  return {root->operands().begin(), root->operands().end()};
}

}  // namespace

bool is_per_element(const Computation& computation) {
  int64_t elements = 1;
  for (const Instruction& instruction : computation.instructions()) {
    if (&instruction == computation.root() && instruction.opcode == Opcode::kTuple) continue;
    if (!instruction.shape.is_array() || !instruction.shape.is_static()) return false;
    const int64_t count = instruction.shape.element_count();
    if (count == 0 || (count != 1 && elements != 1 && count != elements)) return false;
    elements = std::max(elements, count);
  }
  for (const Instruction& instruction : computation.instructions()) {
    if (&instruction == computation.root() && instruction.opcode == Opcode::kTuple) continue;
    if (!is_known(instruction)) return false;
  }
  const std::vector<const Instruction*> results = results_of(computation);
  return !results.empty() && std::all_of(results.begin(), results.end(), [&](const Instruction* result) {
    return result->shape.is_array() && result->shape.element_count() == elements;
  });
}

int64_t count_operations(const Computation& computation) {
  return std::count_if(computation.instructions().begin(), computation.instructions().end(),
                       [](const Instruction& instruction) { return family_of(instruction) == Family::kElementwise; });
}

int64_t element_cost(const Computation& computation) {
  // One call gives all results.
  if (is_user_function(computation)) return op_def(Opcode::kCustomCall).cost;
  int64_t cost = 0;
  for (const Instruction& instruction : computation.instructions()) {
    if (family_of(instruction) == Family::kElementwise) cost += op_def(instruction.opcode).cost;
  }
  return cost;
}

int64_t operation_cost(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kCall) return element_cost(**instruction.attributes->to_apply);
  return family_of(instruction) == Family::kElementwise ? op_def(instruction.opcode).cost : 0;
}

std::string scalar_signature(const Computation& computation) {
  std::string text;
  for (const Instruction* parameter : computation.parameters()) {
    text += std::string(dtype_name(parameter->shape.dtype)) + (parameter->users().empty() ? " unused;" : ";");
  }
  // Values are numbered in the order in which the results reach them, which shapes and names have no part in.
  std::unordered_map<const Instruction*, size_t> numbers;
  std::unordered_map<std::string, size_t> number_of;
  const std::vector<const Instruction*> results = results_of(computation);
  std::vector<const Instruction*> stack(results.rbegin(), results.rend());
  while (!stack.empty()) {
    const Instruction* value = stack.back();
    if (numbers.contains(value)) {
      stack.pop_back();
      continue;
    }
    const size_t open = stack.size();
    for (auto it = value->operands().rbegin(); it != value->operands().rend(); ++it) {
      if (!numbers.contains(*it)) stack.push_back(*it);
    }
    if (stack.size() > open) continue;
    stack.pop_back();
    if (only_reshapes(*value)) {
      numbers[value] = numbers.at(value->operand(0));
      continue;
    }
    if (value->opcode == Opcode::kParameter) {
      numbers[value] = static_cast<size_t>(value->parameter_number);
      continue;
    }
    std::string operation = std::string(dtype_name(value->shape.dtype)) + " " + std::string(opcode_name(value->opcode));
    if (value->opcode == Opcode::kConstant) {
      Literal scalar(Shape::scalar(value->shape.dtype));
      const std::span<std::byte> target = scalar.mutable_bytes();
      std::copy_n(value->literal.bytes().begin(), target.size(), target.begin());
      for (const std::byte byte : target) operation += " " + std::to_string(std::to_integer<int>(byte));
    }
    for (const Instruction* operand : value->operands()) operation += " " + std::to_string(numbers.at(operand));
    for (const AttributeSpec& spec : op_def(value->opcode).attributes) {
      if (has_attribute(value->attributes, spec.id)) operation += " " + attribute_text(value->attributes, spec.id);
    }
    for (const auto& [key, attribute] : value->annotations->frontend_attributes)
      operation += " " + key + "=" + attribute;
    // Equal operations are one: a constant may have been written once for each array that needs it.
    const auto [known, fresh] = number_of.try_emplace(operation, computation.parameters().size() + number_of.size());
    if (fresh) text += operation + ";";
    numbers[value] = known->second;
  }
  for (const Instruction* result : results) text += " " + std::to_string(numbers.at(result));
  return text;
}

}  // namespace sinter
