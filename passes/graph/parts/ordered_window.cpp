#include "passes/graph/parts/ordered_window.h"

#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/graph/base/on_arrays.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {

std::optional<OrderedWindow> ordered_window(const Instruction& window) {
  const std::optional<CumulativeWindow> cumulative = cumulative_window(window);
  if (!cumulative || is_by_one_operation(window)) return std::nullopt;
  const Shape& source = window.operand(0)->shape;
  OrderedWindow result = {.along = static_cast<size_t>(cumulative->dimension), .reverse = cumulative->reverse};
  result.length = source.dims[result.along];
  if (source.element_count() == 0 || !gives_elements(**window.attributes->to_apply)) return std::nullopt;
  const size_t count = window.operands().size() / 2;
  for (size_t i = 0; i < count; ++i) {
    const std::optional<Literal> initial = splat_value(*window.operand(count + i));
    if (!initial) return std::nullopt;
    result.initials.push_back(*initial);
  }
  return result;
}

void become_results(Instruction& window, const std::vector<Instruction*>& results) {
  if (window.shape.is_tuple()) {
    become(window, Opcode::kTuple, results);
  } else {
    become(window, results[0]->opcode, results[0]->operands(), results[0]->attributes);
    if (results[0]->users().empty()) window.parent()->remove(results[0]);
  }
}

}  // namespace sinter
