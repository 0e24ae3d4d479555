#include "passes/graph/by_element.h"

#include <algorithm>

#include "ir/op_table.h"
#include "passes/graph/rewrite.h"

namespace sinter {

namespace {

// Every thread may hold so many elements of an array.
constexpr int64_t kFewElements = 64;

// A step writes a part of the array and nothing reads it.
bool is_filled(const CarriedLoop& loop, size_t i) {
  const Instruction* next = loop.next(i);
  const Instruction* read = only_read(loop, i);
  return next != nullptr && read != nullptr && next->opcode == Opcode::kDynamicUpdateSlice &&
         next->operand(0) == read && is_read_once(*read, *next) && is_read_once(*next, *loop.body().root());
}

// Whether each element of results depends on few elements of what an operation other than an index map reads.
bool is_short(const Instruction& instruction) {
  switch (opcode_family(instruction.opcode)) {
    case Family::kElementwise:
    case Family::kIndexMap:
      return true;
    case Family::kStructured: {
      if (instruction.opcode != Opcode::kReduce || instruction.shape.is_tuple()) return false;
      return instruction.operand(0)->shape.element_count() <= kFewReduced * instruction.shape.element_count();
    }
    case Family::kControl:
      if (instruction.opcode == Opcode::kCustomCall) return false;
      break;
    default:
      return false;
  }
  for (const Computation* called : instruction.called_computations()) {
    for (const Instruction& inside : called->instructions()) {
      if (!is_short(inside)) return false;
    }
  }
  return true;
}

// Whether an operation on what a large carry holds leaves each element at its index.
bool stays_at_its_index(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kGetTupleElement:
    case Opcode::kTuple:
    case Opcode::kReduce:  // a short one
      return true;
    case Opcode::kReshape:
      return squeezed_dims(instruction.shape.dims) == squeezed_dims(instruction.operand(0)->shape.dims);
    default:
      return opcode_family(instruction.opcode) == Family::kElementwise;
  }
}

}  // namespace

bool is_read_once(const Instruction& instruction, const Instruction& user) {
  return instruction.users().size() == 1 && instruction.users()[0] == &user;
}

Instruction* only_read(const CarriedLoop& loop, size_t i) {
  if (!loop.reads(loop.condition(), i).empty()) return nullptr;
  const std::vector<Instruction*> reads = loop.reads(loop.body(), i);
  return reads.size() == 1 ? reads[0] : nullptr;
}

std::optional<InstructionSet> values_by_element(const CarriedLoop& loop, InstructionSet apart) {
  std::vector<bool> is_wide(loop.count());
  for (size_t i = 0; i < loop.count(); ++i) {
    const Instruction* next = loop.next(i);
    if (next == nullptr) return std::nullopt;
    if (is_filled(loop, i)) {
      apart.insert(next);
      continue;
    }
    const std::vector<Instruction*> reads = loop.reads(loop.body(), i);
    const bool is_invariant = std::find(reads.begin(), reads.end(), next) != reads.end();
    is_wide[i] = !is_invariant && next->shape.is_array() && next->shape.element_count() > kFewElements;
  }
  InstructionSet wide;
  for (const Instruction& instruction : loop.body().instructions()) {
    if (instruction.opcode == Opcode::kParameter || instruction.opcode == Opcode::kConstant) continue;
    bool depends = false;
    if (const std::optional<size_t> carry = carry_read(instruction)) {
      depends = is_wide[*carry];
    } else {
      for (const Instruction* operand : instruction.operands()) depends |= wide.count(operand) > 0;
    }
    if (apart.count(&instruction) > 0) continue;
    if (!is_short(instruction) || (depends && !stays_at_its_index(instruction))) return std::nullopt;
    if (depends) wide.insert(&instruction);
  }
  const std::list<Instruction>& condition = loop.condition().instructions();
  if (!std::all_of(condition.begin(), condition.end(), is_short)) return std::nullopt;
  return wide;
}

}  // namespace sinter
