#include "passes/analysis/values/arrays.h"

#include <algorithm>

namespace sinter {

bool is_plumbing(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kOptBarrier:
    case Opcode::kAfterAll:
      return true;
    default:
      return false;
  }
}

const Instruction* array_value(const Instruction* value) {
  for (;;) {
    if (value->opcode == Opcode::kOptBarrier && value->shape.is_array()) {
      value = value->operand(0);
    } else if (value->opcode == Opcode::kGetTupleElement) {
      const Instruction* source = value->operand(0);
      while (source->opcode == Opcode::kOptBarrier) source = source->operand(0);
      if (source->opcode != Opcode::kTuple) return value;
      value = source->operand(*value->attributes->tuple_index);
    } else {
      return value;
    }
  }
}

void add_array_operands(const Instruction& instruction, std::vector<const Instruction*>* arrays) {
  const auto is_plain = [](const Instruction* operand) {
    return operand->shape.is_array() && array_value(operand) == operand;
  };
  const auto& operands = instruction.operands();
  if (std::all_of(operands.begin(), operands.end(), is_plain)) {
    for (const Instruction* operand : operands) arrays->push_back(operand);
    return;
  }
  std::vector<const Instruction*> stack(operands.rbegin(), operands.rend());
  while (!stack.empty()) {
    const Instruction* value = array_value(stack.back());
    stack.pop_back();
    if (value->opcode == Opcode::kTuple || (value->opcode == Opcode::kOptBarrier && value->shape.is_tuple())) {
      stack.insert(stack.end(), value->operands().rbegin(), value->operands().rend());
    } else {
      arrays->push_back(value);
    }
  }
}

std::vector<const Instruction*> array_operands(const Instruction& instruction) {
  std::vector<const Instruction*> arrays;
  arrays.reserve(instruction.operands().size());
  add_array_operands(instruction, &arrays);
  return arrays;
}

const Instruction* maker_of(const Instruction* array) {
  return array->opcode == Opcode::kGetTupleElement ? array->operand(0) : array;
}

std::set<const Instruction*> arrays_read(const std::set<const Instruction*>& values) {
  std::set<const Instruction*> reads;
  for (const Instruction* value : values) {
    for (const Instruction* array : array_operands(*value)) {
      if (values.count(maker_of(array)) == 0 && array->opcode != Opcode::kConstant) reads.insert(array);
    }
  }
  return reads;
}

}  // namespace sinter
