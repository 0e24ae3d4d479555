#include "passes/graph/base/known_value.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/evaluate/evaluate.h"
#include "passes/analysis/values/fold_value.h"

namespace sinter {
namespace {

bool is_wide(const Shape& shape) { return shape.is_array() && (shape.dtype == DType::kF64 || is_complex(shape.dtype)); }

bool is_given(const Instruction& value) { return value.opcode == Opcode::kConstant && !value.literal.is_elided(); }

// A value and what it is made of, constants, indices, and operations on these alone: operands before what reads them.
struct Steps {
  std::vector<const Instruction*> order;
  std::unordered_set<const Instruction*> seen;  // only looked up
  int64_t elements = 0;
};

// False: more than the limits let, or others.
bool collect_steps(const Instruction& value, const KnownLimits& limits, Steps* steps) {
  if (!steps->seen.insert(&value).second) return true;
  if (!value.shape.is_array() || !value.shape.is_static() || value.shape.element_count() > limits.most_elements)
    return false;
  const bool is_beyond = !limits.structured && opcode_family(value.opcode) == Family::kStructured;
  if (value.opcode != Opcode::kIota && !is_given(value) && (is_beyond || !may_fold(value))) return false;
  for (const Instruction* operand : value.operands()) {
    if (!collect_steps(*operand, limits, steps)) return false;
  }
  steps->elements += value.shape.element_count();
  steps->order.push_back(&value);
  return steps->order.size() <= limits.most_steps && steps->elements <= limits.most_in_all;
}

}  // namespace

bool may_fold(const Instruction& instruction) {
  const Family family = opcode_family(instruction.opcode);
  const bool is_computed =
      family == Family::kElementwise || family == Family::kIndexMap || family == Family::kStructured;
  if (!is_computed || instruction.operands().empty() || !instruction.shape.is_array()) return false;
  if (!instruction.shape.is_static() || !instruction.control_predecessors.empty()) return false;
  const bool any_wide =
      is_wide(instruction.shape) || std::any_of(instruction.operands().begin(), instruction.operands().end(),
                                                [](const Instruction* operand) { return is_wide(operand->shape); });
  return !any_wide || is_portable(instruction);
}

std::optional<Literal> known_value(const Instruction& value, const KnownLimits& limits) {
  Steps steps;
  if (!collect_steps(value, limits, &steps)) return {};
  std::unordered_map<const Instruction*, size_t> readers;  // only looked up
  for (const Instruction* step : steps.order) {
    for (const Instruction* operand : step->operands()) ++readers[operand];
  }
  std::unordered_map<const Instruction*, Literal> known;  // likewise: those that are still to be read
  for (const Instruction* step : steps.order) {
    std::vector<Literal> operands;
    for (const Instruction* operand : step->operands()) operands.push_back(known.at(operand));
    std::optional<Literal> result =
        step->opcode == Opcode::kConstant ? std::optional(step->literal) : evaluate_instruction(*step, operands);
    if (!result || result->is_elided()) return {};
    known.emplace(step, std::move(*result));
    for (const Instruction* operand : step->operands()) {
      if (--readers[operand] == 0) known.erase(operand);
    }
  }
  return known.at(&value);
}

std::optional<Literal> known_value(const Instruction& value, int64_t most) {
  return is_given(value) ? std::optional(value.literal) : known_value(value, KnownLimits{.most_elements = most});
}

}  // namespace sinter
