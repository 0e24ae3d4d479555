// Which instructions of a computation have equal values because they do the same to equal values.
#include "passes/analysis/functions/value_table.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <type_traits>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/values/constants.h"

namespace sinter {
namespace {

void mix(size_t& hash, size_t value) { hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2); }

template <class Value>
size_t hash_value(const Value& value) {
  return std::hash<Value>()(value);
}
size_t hash_value(const SliceBounds& bounds) {
  size_t hash = 0;
  for (int64_t number : {bounds.start, bounds.limit, bounds.stride}) mix(hash, hash_value(number));
  return hash;
}
size_t hash_value(const PadBounds& bounds) {
  size_t hash = 0;
  for (int64_t number : {bounds.low, bounds.high, bounds.interior}) mix(hash, hash_value(number));
  return hash;
}
size_t hash_value(const WindowDimension& dim) {
  size_t hash = dim.reversal;
  for (int64_t number : {dim.size, dim.stride, dim.pad_low, dim.pad_high, dim.lhs_dilate, dim.rhs_dilate}) {
    mix(hash, hash_value(number));
  }
  return hash;
}
// Rarely equal and compared in full anyway.
size_t hash_value(const ConvolutionDims& dims) { return dims.lhs_spatial.size(); }
template <class Element>
size_t hash_value(const std::vector<Element>& list) {
  size_t hash = list.size();
  for (const Element& element : list) mix(hash, hash_value(element));
  return hash;
}

size_t hash_shape(const Shape& shape) {
  size_t hash = static_cast<size_t>(shape.kind);
  mix(hash, static_cast<size_t>(shape.dtype));
  for (int64_t dim : shape.dims) mix(hash, hash_value(dim));
  mix(hash, shape.elements.size());
  return hash;
}

}  // namespace

size_t hash_attributes(const Attributes& attributes) {
  size_t hash = 0;
  size_t id = 0;
  const auto add = [&](const auto& member) {
    ++id;
    if (!member) return;
    mix(hash, id);
    mix(hash, hash_value(*member));
  };
#define ATTRIBUTE(hlo_name, member, kind) add(attributes.member);
#include "ir/module/attributes.def"
#undef ATTRIBUTE
  return hash;
}

size_t hash_literal(const Literal& literal) {
  if (!literal.shape().is_array()) return literal.elements().size();
  const std::span<const std::byte> bytes = literal.bytes();
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

size_t hash_operation(const Instruction& instruction) {
  size_t hash = static_cast<size_t>(instruction.opcode);
  mix(hash, hash_shape(instruction.shape));
  if (instruction.attributes.has_value()) mix(hash, hash_attributes(instruction.attributes));
  mix(hash, static_cast<size_t>(instruction.parameter_number));
  if (instruction.opcode == Opcode::kConstant) mix(hash, hash_literal(instruction.literal));
  return hash;
}

bool same_operation(const Instruction& a, const Instruction& b) {
  return same_meaning(a, b) && a.annotations->frontend_attributes == b.annotations->frontend_attributes;
}

bool same_meaning(const Instruction& a, const Instruction& b) {
  if (a.opcode != b.opcode || a.parameter_number != b.parameter_number || !a.shape.same_type(b.shape)) return false;
  if (a.attributes != b.attributes || a.annotations->backend_config != b.annotations->backend_config) return false;
  if (a.opcode != Opcode::kConstant) return true;
  return !a.literal.is_elided() && !b.literal.is_elided() && a.literal.same_value(b.literal);
}

ValueTable::OperandKey ValueTable::operand_key(const Instruction& instruction) const {
  OperandKey key;
  for (const Instruction* operand : instruction.operands()) {
    key.push_back(values_.at(values_.at(operand).representative).number);
  }
  if (op_def(instruction.opcode).commutative) std::sort(key.begin(), key.end());
  return key;
}

Instruction* ValueTable::add(Instruction* instruction) {
  Instruction* representative = instruction;
  if (may_be_shared(*instruction)) {
    const OperandKey key = operand_key(*instruction);
    size_t hash = hash_operation(*instruction);
    for (const size_t number : key) mix(hash, number);
    const auto is_equal = [&](const Instruction& other) {
      return &other == instruction || (same_operation(*instruction, other) && operand_key(other) == key);
    };
    // Of different values with one hash, the later takes the next one that is free. A DenseMap keeps ~0 and ~0 - 1 for
    // itself.
    hash /= 2;
    representative = by_hash_.try_emplace(hash, instruction).first->second;
    while (!is_equal(*representative)) representative = by_hash_.try_emplace(++hash, instruction).first->second;
  }
  declare(instruction, representative);
  return representative;
}

void ValueTable::declare(const Instruction* instruction, Instruction* representative) {
  const auto [value, fresh] = values_.try_emplace(instruction, Value{representative, values_.size()});
  if (!fresh) value->second.representative = representative;
}

bool may_be_shared(const Instruction& instruction) {
  if (!instruction.control_predecessors.empty()) return false;
  if (family_of(instruction) == Family::kDevice) {
    return instruction.opcode == Opcode::kPartitionId || instruction.opcode == Opcode::kReplicaId;
  }
  if (family_of(instruction) == Family::kRandom) return instruction.opcode == Opcode::kRngBitGenerator;
  if (family_of(instruction) != Family::kControl) return true;
  if (instruction.opcode == Opcode::kCall) return is_per_element(**instruction.attributes->to_apply);
  return instruction.opcode == Opcode::kConstant || instruction.opcode == Opcode::kTuple ||
         instruction.opcode == Opcode::kGetTupleElement || instruction.opcode == Opcode::kGetDimensionSize;
}

}  // namespace sinter
