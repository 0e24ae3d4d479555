#include "passes/analysis/shapes/cumulative_window.h"

#include "passes/analysis/functions/combiner.h"

namespace sinter {

std::vector<WindowDimension> window_of(const CumulativeWindow& cumulative, const std::vector<int64_t>& dims) {
  std::vector<WindowDimension> window(dims.size());
  const auto d = static_cast<size_t>(cumulative.dimension);
  window[d].size = dims[d];
  (cumulative.reverse ? window[d].pad_high : window[d].pad_low) = dims[d] - 1;
  return window;
}

std::optional<CumulativeWindow> cumulative_window(const Instruction& window) {
  if (window.opcode != Opcode::kReduceWindow || !window.attributes->window) return std::nullopt;
  const Shape& source = window.operand(0)->shape;
  if (!source.is_static()) return std::nullopt;
  for (size_t d = 0; d < source.dims.size(); ++d) {
    if ((*window.attributes->window)[d] == WindowDimension{}) continue;
    for (const bool reverse : {false, true}) {
      const CumulativeWindow cumulative{static_cast<int64_t>(d), reverse};
      if (*window.attributes->window == window_of(cumulative, source.dims)) return cumulative;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

bool is_by_one_operation(const Instruction& window) {
  return window.operands().size() == 2 && !is_complex(window.shape.dtype) &&
         window.operand(1)->opcode == Opcode::kConstant && simple_combiner(**window.attributes->to_apply);
}

}  // namespace sinter
