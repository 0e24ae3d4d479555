#include "passes/analysis/loops/element_work.h"

#include "ir/module/device_functions.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/loops/by_element.h"

namespace sinter {
namespace {

// Elements that a reduction makes one of.
int64_t terms(const Instruction& reduce) {
  const Shape& result = reduce.shape.is_tuple() ? reduce.shape.elements[0] : reduce.shape;
  return result.element_count() == 0 ? 0 : reduce.operand(0)->shape.element_count() / result.element_count();
}

// Whether it is computed where it is read, so many times for an element: also a reduction of so few elements that a
// thread makes it, but not inside of another one, and a function of elements.
bool is_computed_in_place(const Instruction& value, int64_t times) {
  constexpr int64_t kShort = 32;
  if (value.opcode == Opcode::kReduce) return times == 1 && terms(value) <= kShort;
  const Instruction& giver = value.opcode == Opcode::kGetTupleElement ? *value.operand(0) : value;
  const Family family = family_of(value);
  return family == Family::kElementwise || family == Family::kIndexMap || giver.opcode == Opcode::kCall;
}

}  // namespace

std::vector<ElementWork> work_of_element(Instruction* value) {
  constexpr size_t kMost = 256;
  std::vector<ElementWork> work;
  if (is_computed_in_place(*value, 1)) work.push_back({value, 1});
  InstructionSet seen = {value};
  for (size_t next = 0; next < work.size() && work.size() < kMost; ++next) {
    const auto [user, times] = work[next];
    const int64_t repeated = user->opcode == Opcode::kReduce ? times * terms(*user) : times;
    for (Instruction* operand : user->operands()) {
      if (is_computed_in_place(*operand, repeated) && seen.insert(operand).second) work.push_back({operand, repeated});
    }
  }
  return work;
}

int64_t cost_of(const std::vector<ElementWork>& work) {
  int64_t cost = 0;
  for (const auto& [value, times] : work) {
    cost += times * (value->opcode == Opcode::kReduce ? terms(*value) : operation_cost(*value));
  }
  return cost;
}

}  // namespace sinter
