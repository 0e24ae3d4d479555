#include "passes/lower/describe/kernel_title.h"

#include <algorithm>
#include <set>

#include "passes/lower/describe/formulas.h"
#include "passes/names/lightness.h"

namespace sinter {

namespace {

// Elements beside which one number is no computation.
constexpr int64_t kMany = 32;

// True if the operand says where in another one the instruction reads or writes.
bool is_place(const Instruction& instruction, size_t number) {
  switch (instruction.opcode) {
    case Opcode::kDynamicSlice:
      return number >= 1;
    case Opcode::kDynamicUpdateSlice:
      return number >= 2;
    case Opcode::kGather:
      return number == 1;
    case Opcode::kScatter:
      return number == (instruction.operands().size() - 1) / 2;
    default:
      return false;
  }
}

// True for what may be arithmetic of places: a reduction that finds a place is work, so is reading one, and so are
// floats of which one is made.
bool is_light(const Instruction& instruction) {
  if (lightness(instruction) <= Lightness::kPlacement || !instruction.shape.is_array()) return false;
  return !is_float(instruction.shape.dtype) && !is_complex(instruction.shape.dtype);
}

// What only places are made of.
std::set<const Instruction*> places(const std::vector<const Instruction*>& computed,
                                    const std::set<const Instruction*>& outputs) {
  const std::set<const Instruction*> all(computed.begin(), computed.end());
  std::set<const Instruction*> result;
  // Users stand behind what they read.
  for (auto at = computed.rbegin(); at != computed.rend(); ++at) {
    const Instruction& value = **at;
    if (outputs.contains(&value) || !is_light(value)) continue;
    const auto reads_place = [&](const Instruction* user) {
      if (result.contains(user)) return true;
      for (size_t i = 0; i < user->operands().size(); ++i) {
        if (user->operand(i) == &value && !is_place(*user, i)) return false;
      }
      return true;
    };
    std::vector<const Instruction*> users;
    for (const Instruction* user : value.users()) {
      if (all.contains(user)) users.push_back(user);
    }
    if (!users.empty() && std::ranges::all_of(users, reads_place)) result.insert(&value);
  }
  return result;
}

}  // namespace

std::vector<std::string> operations_of_title(const std::vector<const Instruction*>& computed,
                                             const std::vector<const Instruction*>& outputs) {
  const std::set<const Instruction*> given(outputs.begin(), outputs.end());
  const std::set<const Instruction*> of_places = places(computed, given);
  const bool has_many = std::ranges::any_of(outputs, [](const Instruction* output) {
    return output->shape.is_array() && output->shape.element_count() >= kMany;
  });
  std::vector<const Instruction*> by_weight;
  for (const Instruction* value : computed) {
    const bool is_result = given.contains(value);
    const bool is_number = has_many && is_light(*value) && value->shape.element_count() == 1;
    if (is_result || (!of_places.contains(value) && !is_number)) by_weight.push_back(value);
  }
  std::stable_sort(by_weight.begin(), by_weight.end(),
                   [](const Instruction* a, const Instruction* b) { return lightness(*a) < lightness(*b); });
  std::vector<std::string> ops;
  std::set<std::string> seen;
  for (const Instruction* instruction : by_weight) {
    const std::string op = operation_name(*instruction);
    const bool moves =
        opcode_family(instruction->opcode) == Family::kIndexMap && lightness(*instruction) != Lightness::kPlacement;
    if (!moves && instruction->opcode != Opcode::kWhile && seen.insert(op).second) ops.push_back(op);
  }
  if (ops.empty()) ops.push_back(by_weight.empty() ? "copy" : operation_name(*by_weight.back()));
  return ops;
}

const Shape* written_part(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kDynamicUpdateSlice) return &instruction.operand(1)->shape;
  const bool one_scatter = instruction.opcode == Opcode::kScatter && instruction.operands().size() == 3;
  return one_scatter ? &instruction.operand(2)->shape : nullptr;
}

}  // namespace sinter
