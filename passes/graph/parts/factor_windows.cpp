// factor_windows: long windows that move by one are made of shorter ones, of which each is shared by many: 10 + 10 + 10
// elements in place of 1000.
//
//   %w = f32[64,131072] reduce-window(%x, %zero), window={size=1x1000 pad=0_0x0_999}, to_apply=%add
//                                                  =>
//   %tens = f32[64,132062] reduce-window(%x, %zero), window={size=1x10 pad=0_0x0_999}, to_apply=%add
//   %hundreds = f32[64,131972] reduce-window(%tens, %zero), window={size=1x10 rhs_dilate=1x10}, to_apply=%add
//   %w = f32[64,131072] reduce-window(%hundreds, %zero), window={size=1x10 rhs_dilate=1x100}, to_apply=%add
//
// What is left of a window whose size is no such product is one more part of it: of sums a short window of what is
// left, of minima and maxima the last of the shorter windows, which may overlap the one before it. Sums of narrow
// floats are made in f32 on the way, as those of one window are.
#include <algorithm>
#include <map>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

constexpr int64_t kLongWindow = 32, kLongestFactor = 32;
// An array has so many times the elements that a window spans: others are reductions, or cumulative, or nearly so.
constexpr int64_t kLeastSpans = 2;
// Of an h200, as kernels of windows have them: elements that windows look at, and bytes of an array between two
// kernels, written and read, in a microsecond; what one more kernel takes at least, in microseconds. Fewer elements
// than it has threads take as long as so many.
constexpr double kElementsLookedAt = 6e6, kBytesBetween = 2e6, kOneMoreLaunch = 3, kThreads = 270'336;

// How windows are made of windows of `first` elements, so that elements looked at, and kernels, take the least time.
class Factors {
 public:
  // `kernel`: what one more kernel takes, counted in elements that each window looks at; `overlaps`: parts of a window
  // may.
  Factors(double kernel, bool overlaps) : kernel_(kernel), overlaps_(overlaps) {}

  // The first factor of a window of so many elements; all of it where it stays.
  int64_t first(int64_t size) { return best(size).first; }
  bool splits(int64_t size) { return first(size) != size; }

 private:
  struct Best {
    int64_t first = 0;
    double cost = 0;
  };

  Best best(int64_t size) {
    if (const auto known = known_.find(size); known != known_.end()) return known->second;
    Best result{size, static_cast<double>(size)};
    for (int64_t first = 2; first <= std::min(kLongestFactor, size / 2); ++first) {
      const int64_t left = size % first, looks = first + (overlaps_ ? std::min<int64_t>(left, 1) : left);
      const double cost = static_cast<double>(looks) + kernel_ + best(size / first).cost;
      if (cost < result.cost) result = {first, cost};
    }
    known_[size] = result;
    return result;
  }

  double kernel_;
  bool overlaps_;
  std::map<int64_t, Best> known_;
};

// An array with what changes nothing before and after it, along the dimension.
struct Padded {
  Value values = nullptr;
  int64_t low = 0, high = 0;
};

// One window along one dimension, and what takes its place.
class Factored {
 public:
  Factored(Instruction& window, size_t along, Opcode combiner, Value nothing, Factors factors)
      : build_(window),
        along_(along),
        combiner_(combiner),
        type_(nothing->shape.dtype),
        nothing_(nothing),
        factors_(std::move(factors)),
        length_(window.shape.dims[along]) {
    function_ = type_ == window.shape.dtype ? *window.attributes->to_apply
                                            : combine_two(*window.parent()->parent(), combiner, type_);
  }

  // Of windows of `size` elements, `apart` from each other.
  Value make(const Padded& array, int64_t size, int64_t apart, Value initial) {
    const int64_t first = factors_.first(size);
    if (first == size) return short_windows(array, 0, size, apart, length_, initial);
    const int64_t count = size / first, left = size % first, whole = count * first;
    // The last of the windows that those of a result reach begins here.
    const int64_t last = left == 0 || !overlaps() ? (count - 1) * first : size - first;
    const Value shorter = short_windows(array, 0, first, apart, length_ + last * apart, nothing_);
    Value result = make({shorter}, count, first * apart, initial);
    if (left == 0) return result;
    const Value rest = overlaps() ? part_of({shorter}, last * apart, length_).values
                                  : short_windows(array, whole * apart, left, apart, length_, nothing_);
    return build_.make(combiner_, {result, rest});
  }

  bool overlaps() const {
    return combiner_ != Opcode::kAdd && combiner_ != Opcode::kMultiply && combiner_ != Opcode::kXor;
  }

 private:
  // Elements [start, start + length) of a padded array.
  Padded part_of(Padded array, int64_t start, int64_t length) {
    const int64_t before = array.values->shape.dims[along_];
    const int64_t cut_low = std::max<int64_t>(start - array.low, 0);
    const int64_t cut_high = std::max<int64_t>(array.low + before - start - length, 0);
    array.high = std::max<int64_t>(start + length - array.low - before, 0);
    array.low = std::max<int64_t>(array.low - start, 0);
    if (cut_low > 0 || cut_high > 0)
      array.values = build_.slice(array.values, static_cast<int64_t>(along_), cut_low, before - cut_high);
    return array;
  }

  // `count` windows of so many elements, `apart` from each other, of which the first begins at `start`.
  Value short_windows(const Padded& array, int64_t start, int64_t size, int64_t apart, int64_t count, Value initial) {
    const Padded part = part_of(array, start, count + (size - 1) * apart);
    if (size == 1 && initial == nothing_ && part.low == 0 && part.high == 0) return part.values;
    Attributes attributes;
    attributes.to_apply = function_;
    attributes.window = std::vector<WindowDimension>(array.values->shape.dims.size());
    WindowDimension& window = (*attributes.window)[along_];
    window.size = size;
    window.rhs_dilate = size > 1 ? apart : 1;
    window.pad_low = part.low;
    window.pad_high = part.high;
    return build_.make(Opcode::kReduceWindow, {part.values, initial}, std::move(attributes));
  }

  GraphBuilder build_;
  size_t along_;
  Opcode combiner_;
  DType type_;
  Value nothing_;
  Factors factors_;
  int64_t length_;
  Computation* function_ = nullptr;
};

// The one dimension that a window moves along, by one; nullopt for other windows, and where all of them hold most of
// the array.
std::optional<size_t> moves_along(const Instruction& window) {
  std::optional<size_t> result;
  const std::vector<int64_t>& dims = window.operand(0)->shape.dims;
  for (size_t d = 0; d < dims.size(); ++d) {
    const WindowDimension& along = (*window.attributes->window)[d];
    const bool is_plain = along.stride == 1 && along.lhs_dilate == 1 && !along.reversal;
    if (!is_plain || along.pad_low < 0 || along.pad_high < 0 || along.rhs_dilate < 1) return std::nullopt;
    if (along.size == 1 && along.pad_low == 0 && along.pad_high == 0) continue;
    const bool is_long = along.size >= kLongWindow && along.size <= dims[d] / kLeastSpans / along.rhs_dilate;
    if (!is_long || result) return std::nullopt;
    result = d;
  }
  return result;
}

bool factor_window(Instruction& window) {
  if (window.operands().size() != 2 || !window.attributes->window || !window.shape.is_static()) return false;
  const Shape& array = window.operand(0)->shape;
  if (!array.is_static() || array.element_count() == 0 || window.shape.element_count() == 0) return false;
  const std::optional<size_t> along = moves_along(window);
  const std::optional<Opcode> combiner = simple_combiner(**window.attributes->to_apply);
  if (!along || !combiner) return false;
  const DType dtype = window.shape.dtype;
  const bool rounds = *combiner == Opcode::kAdd || *combiner == Opcode::kMultiply;
  const DType type = rounds ? sum_type(dtype) : dtype;
  const std::optional<Literal> nothing = part_beginning(*combiner, type, *window.operand(1));
  if (!nothing) return false;

  const WindowDimension of = (*window.attributes->window)[*along];
  const double elements = std::max(static_cast<double>(window.shape.element_count()), kThreads);
  const double bytes = elements * static_cast<double>(dtype_bytes(type));
  const double kernel = (kOneMoreLaunch + bytes / kBytesBetween) * kElementsLookedAt / elements;
  Factors factors(kernel, !rounds && *combiner != Opcode::kXor);
  if (!factors.splits(of.size)) return false;

  GraphBuilder build(window);
  const Value begin = build.convert(window.operand(1), type);
  Factored factored(window, *along, *combiner, build.constant(*nothing), std::move(factors));
  const Padded whole{build.convert(window.operand(0), type), of.pad_low, of.pad_high};
  window.replace_all_uses_with(build.convert(factored.make(whole, of.size, of.rhs_dilate, begin), dtype));
  return true;
}

}  // namespace

bool factor_windows(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* window : instructions_of(module, Opcode::kReduceWindow)) {
    const bool used = !window->users().empty() || window->parent()->root() == window;
    if (used) changed |= factor_window(*window);
  }
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
