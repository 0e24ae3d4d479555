#include "passes/analysis/values/replaced_array.h"

#include <algorithm>
#include <vector>

#include "passes/analysis/values/small_update.h"

namespace sinter {
namespace {

// A smaller carry is rewritten, in a loop that is one launch, in less time than launches of its own take (H200).
constexpr int64_t kSmallestCarry = 8 << 20;  // bytes

bool is_update(const Instruction& value) {
  return value.opcode == Opcode::kScatter || value.opcode == Opcode::kDynamicUpdateSlice;
}

// What the first of several updates is made of.
const Instruction& beginning_of(const Instruction& update) {
  const Instruction* value = &update;
  while (value->opcode == Opcode::kReshape || (is_update(*value) && value->shape.is_array())) value = value->operand(0);
  return *value;
}

// Where it is an element of the computation's root, or that: which.
bool is_element_of_root(const Instruction& value, int64_t number) {
  const Instruction& root = *value.parent()->root();
  if (root.opcode != Opcode::kTuple) return &root == &value && number == 0;
  return number < std::ssize(root.operands()) && root.operand(static_cast<size_t>(number)) == &value;
}

// Whether an update that is made of `value` writes a part of it alone. One window of a reshaped array has no place in
// it.
bool is_written_in_part(const Instruction& update, const Instruction& value) {
  if (!is_update(update) || !update.shape.is_array()) return false;
  if (update.opcode == Opcode::kDynamicUpdateSlice && value.opcode == Opcode::kReshape) return false;
  return is_small_update(update.shape, update_of(update).shape);
}

// Whether the value, or what later small updates make of it, is that element. What lies between them may be read.
bool ends_as(const Instruction& update, int64_t number) {
  std::vector<const Instruction*> left = {&update};
  for (size_t next = 0; next < left.size(); ++next) {
    const Instruction* value = left[next];
    if (is_element_of_root(*value, number)) return true;
    for (const Instruction* user : value->users()) {
      const bool goes_on = user->opcode == Opcode::kReshape || is_written_in_part(*user, *value);
      if (goes_on && user->operand(0) == value && std::ranges::find(left, user) == left.end()) left.push_back(user);
    }
  }
  return false;
}

}  // namespace

bool takes_place_of_operand(const Instruction& update) {
  const Instruction& array = beginning_of(update);
  const Computation& computation = *update.parent();
  const Module& module = *computation.parent();
  if (&computation == module.entry()) {
    if (array.opcode != Opcode::kParameter) return false;
    return std::any_of(module.input_output_alias.begin(), module.input_output_alias.end(), [&](const Alias& alias) {
      if (alias.parameter != array.parameter_number || alias.output_index.size() > 1) return false;
      return ends_as(update, alias.output_index.empty() ? 0 : alias.output_index[0]);
    });
  }
  const bool is_carry = array.opcode == Opcode::kGetTupleElement && array.operand(0)->opcode == Opcode::kParameter;
  if (!is_carry || array.shape.bytes() < kSmallestCarry) return false;
  const bool is_body =
      computation.root()->opcode == Opcode::kTuple && computation.root()->shape == computation.parameters()[0]->shape;
  return is_body && ends_as(update, *array.attributes->tuple_index);
}

}  // namespace sinter
