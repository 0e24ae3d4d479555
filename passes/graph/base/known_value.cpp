#include "passes/graph/base/known_value.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/evaluate/evaluate.h"
#include "passes/analysis/values/fold_value.h"

namespace sinter {
namespace {

bool is_wide(const Shape& shape) { return shape.is_array() && (shape.dtype == DType::kF64 || is_complex(shape.dtype)); }

// Constants, indices, and what is computed of such values element by element: a few operations on arrays of up to
// `most` elements. Operands before what reads them; false: more, or others.
bool collect_known(const Instruction& value, int64_t most, std::vector<const Instruction*>* order) {
  constexpr size_t kMostOperations = 24;
  if (std::find(order->begin(), order->end(), &value) != order->end()) return true;
  if (!value.shape.is_array() || !value.shape.is_static() || value.shape.element_count() > most) return false;
  const bool given = value.opcode == Opcode::kIota || (value.opcode == Opcode::kConstant && !value.literal.is_elided());
  if (!given && (opcode_family(value.opcode) == Family::kStructured || !may_fold(value))) return false;
  for (const Instruction* operand : value.operands()) {
    if (!collect_known(*operand, most, order)) return false;
  }
  order->push_back(&value);
  return order->size() <= kMostOperations;
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

std::optional<Literal> known_value(const Instruction& value, int64_t most) {
  if (value.opcode == Opcode::kConstant && !value.literal.is_elided()) return value.literal;
  std::vector<const Instruction*> order;
  if (!collect_known(value, most, &order)) return {};
  std::unordered_map<const Instruction*, Literal> known;  // only looked up
  for (const Instruction* step : order) {
    std::vector<Literal> operands;
    for (const Instruction* operand : step->operands()) operands.push_back(known.at(operand));
    std::optional<Literal> result =
        step->opcode == Opcode::kConstant ? std::optional(step->literal) : evaluate_instruction(*step, operands);
    if (!result) return {};
    known.emplace(step, std::move(*result));
  }
  return known.at(&value);
}

}  // namespace sinter
