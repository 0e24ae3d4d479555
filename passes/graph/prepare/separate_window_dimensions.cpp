// separate_window_dimensions: windows over several dimensions become windows over one each, one after the other, where
// that is less work: 31 + 31 elements in place of 31 * 31.
//
//   %w = f32[4096,4096] reduce-window(%x, %zero), window={size=31x31 pad=15_15x15_15}, to_apply=%add
//                                                         =>
//   %rows = f32[4096,4096] reduce-window(%x, %zero), window={size=31x1 pad=15_15x0_0}, to_apply=%add
//   %w = f32[4096,4096] reduce-window(%rows, %zero), window={size=1x31 pad=0_0x15_15}, to_apply=%add
//
// So does a sum of as many slices, a window that is written out (shifted_sums.cpp). The first to come is the one that
// leaves the fewest elements. Sums of narrow floats are made in f32 on the way, as those of one window are.
#include <algorithm>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/prepare/shifted_sums.h"

namespace sinter {
namespace {

// Of an h200, as kernels of windows have them: elements that windows look at, and bytes of an array between two
// kernels, written and read, in a microsecond; what one more kernel takes at least.
constexpr int64_t kElementsSeen = 2'500'000, kBytesKept = 2'000'000, kLaunch = 3;

// Along one dimension: how many elements of the array there are, and of the result.
struct Extent {
  size_t dimension = 0;
  int64_t before = 1, after = 1, size = 1;
};

struct Separation {
  std::vector<Extent> order;
  // Elements that all windows look at, of one over all dimensions and of those over one each; elements in between.
  int64_t together = 0, apart = 0, kept = 0;
};

Separation separation_of(const Instruction& window) {
  const std::vector<int64_t>& before = window.operand(0)->shape.dims;
  const std::vector<int64_t>& after = window.shape.dims;
  Separation result;
  for (size_t d = 0; d < before.size(); ++d) {
    const int64_t size = (*window.attributes->window)[d].size;
    if (size > 1) result.order.push_back({d, before[d], after[d], size});
  }
  const auto leaves_fewer = [](const Extent& a, const Extent& b) {
    return static_cast<double>(a.after) * static_cast<double>(b.before) <
           static_cast<double>(b.after) * static_cast<double>(a.before);
  };
  std::stable_sort(result.order.begin(), result.order.end(), leaves_fewer);
  result.together = window.shape.element_count();
  int64_t elements = window.operand(0)->shape.element_count();
  for (const Extent& extent : result.order) {
    result.together *= extent.size;
    elements = elements / extent.before * extent.after;
    result.apart += elements * extent.size;
    if (&extent != &result.order.back()) result.kept += elements;
  }
  return result;
}

bool is_less_work(const Separation& separation, int64_t bytes) {
  const int64_t kernels = static_cast<int64_t>(separation.order.size()) - 1;
  const int64_t saved = (separation.together - separation.apart) / kElementsSeen;
  return saved > kernels * kLaunch + separation.kept * bytes / kBytesKept;
}

bool separate_window(Instruction& window) {
  constexpr int64_t kMostElements = int64_t{1} << 40;  // what windows look at is counted in 64 bits
  constexpr int64_t kMostTaps = 1 << 20;
  if (window.operands().size() != 2 || !window.attributes->window) return false;
  const Shape& array = window.operand(0)->shape;
  if (!array.is_static() || array.element_count() == 0 || window.shape.element_count() == 0) return false;
  int64_t taps = 1;
  for (const WindowDimension& dimension : *window.attributes->window) {
    taps *= std::min(dimension.size, kMostTaps);
    if (taps > kMostTaps) return false;
  }
  if (window.shape.element_count() > kMostElements || array.element_count() > kMostElements) return false;
  const std::optional<Opcode> combiner = simple_combiner(**window.attributes->to_apply);
  if (!combiner) return false;
  const DType dtype = window.shape.dtype;
  const bool rounds = *combiner == Opcode::kAdd || *combiner == Opcode::kMultiply;
  const DType type = rounds ? sum_type(dtype) : dtype;
  const std::optional<Literal> nothing = part_beginning(*combiner, type, *window.operand(1));
  const Separation separation = separation_of(window);
  if (!nothing || separation.order.size() < 2 || !is_less_work(separation, dtype_bytes(type))) return false;

  GraphBuilder build(window);
  Computation* function = *window.attributes->to_apply;
  if (type != dtype) function = combine_two(*window.parent()->parent(), *combiner, type);
  GraphBuilder::Value values = build.convert(window.operand(0), type);
  for (const Extent& extent : separation.order) {
    const bool last = &extent == &separation.order.back();
    Attributes attributes;
    attributes.to_apply = function;
    attributes.window = std::vector<WindowDimension>(array.dims.size());
    for (size_t d = 0; d < array.dims.size(); ++d) {
      const WindowDimension& whole = (*window.attributes->window)[d];
      // What has one element a window, steps over an array or padding, goes with the first.
      const bool is_first = &extent == &separation.order.front() && whole.size == 1;
      if (d == extent.dimension || is_first) (*attributes.window)[d] = whole;
    }
    const GraphBuilder::Value initial = last ? build.convert(window.operand(1), type) : build.constant(*nothing);
    if (last && type == dtype) {
      become(window, Opcode::kReduceWindow, {values, initial}, std::move(attributes));
      return true;
    }
    values = build.make(Opcode::kReduceWindow, {values, initial}, std::move(attributes));
  }
  become(window, Opcode::kConvert, {values});
  return true;
}

}  // namespace

bool separate_window_dimensions(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* window : instructions_of(module, Opcode::kReduceWindow)) changed |= separate_window(*window);
  const std::vector<ShiftedSum> sums = windows_of_shifted_sums(module);
  for (const ShiftedSum& shifted : sums) {
    if (!separate_window(*shifted.window)) continue;
    shifted.sum->replace_all_uses_with(shifted.window);
    changed = true;
  }
  if (changed) module.sort_computations();
  if (!sums.empty()) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
