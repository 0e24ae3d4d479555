// What split_select_and_scatter makes of windows that move by several elements, as those of pools do. The elements of
// the result are cells of as many as windows move by, and each place in a cell is a phase of its own: which of a
// window's elements may be there is known, so that a window's choice is a small number.
//
//   %g = f32[8,8] select-and-scatter(%x, %source, %zero), window={size=3x3 stride=2x2}, select=%ge, scatter=%add
//                                                         =>
//   %best = f32[3,3] slice(%x), slice={[0:5:2], [0:5:2]}  the first element of each window
//   %tap = s8[3,3] broadcast(0)
//   %stays = %best >= slice(%x), slice={[0:5:2], [1:6:2]}
//   %best, %tap = select(%stays, ...)                     and so on, eight times
//   %phase = f32[4,4] what windows give that begin here and have chosen tap 0, and those before them with taps 2, 6, 8
//   %g = f32[8,8] reshape(concatenate(concatenate(%phase, ...), ...))
//
// All phases look at the same few windows: a thread that has a cell makes the choices of these once, and nothing that
// is chosen goes through memory. Where a slice alone reads the result, cells begin where that does.
#include "passes/graph/prepare/select_in_cells.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = std::vector<int64_t>;

constexpr int64_t kMostTaps = 16;               // elements of a window
constexpr int64_t kMostOverlappingWindows = 4;  // that that lie over an element
constexpr int64_t kMostPhases = 16;             // elements of a cell
constexpr int64_t kNoTap = -1;

// Counts through all numbers below `sizes`, the last one fastest; false after the last.
bool next_of(const Dims& sizes, Dims* number) {
  for (size_t d = sizes.size(); d-- > 0;) {
    if (++(*number)[d] < sizes[d]) return true;
    (*number)[d] = 0;
  }
  return false;
}

bool adds_any(const std::vector<PadBounds>& padding) {
  return std::ranges::any_of(padding, [](const PadBounds& along) { return along != PadBounds{}; });
}

class Cells {
 public:
  Cells(Instruction& instruction, const std::vector<WindowDimension>& window)
      : instruction_(instruction), window_(window), build_(instruction) {}

  // Whether windows have such a form.
  bool find() {
    const Dims& dims = instruction_.shape.dims;
    int64_t taps = 1, over = 1, phases = 1;
    for (size_t d = 0; d < dims.size(); ++d) {
      const WindowDimension& along = window_[d];
      if (along.lhs_dilate != 1 || along.rhs_dilate != 1 || along.reversal || along.size < 1) return false;
      if (along.pad_low < 0 || along.pad_high < 0) return false;
      taps *= along.size;
      over *= ceil_div(along.size, along.stride);
      phases *= along.stride;
      if (std::max({taps, over, phases}) > kMostTaps) return false;
      sizes_.push_back(along.size);
      strides_.push_back(along.stride);
      begin_.push_back(along.pad_low);
      end_.push_back(along.pad_low + dims[d]);
    }
    if (over > kMostOverlappingWindows || phases < 2 || phases > kMostPhases) return false;
    if (!is_elementwise_function(**instruction_.attributes->select)) return false;
    if (!is_elementwise_function(**instruction_.attributes->scatter)) return false;
    find_part();
    for (size_t d = 0; d < dims.size(); ++d) {
      // Cells that the array does not end with are no thread's.
      if ((end_[d] - begin_[d]) % strides_[d] != 0) return false;
      cells_.push_back((end_[d] - begin_[d]) / strides_[d]);
    }
    return true;
  }

  void write() {
    choose();
    write_out_maxima();
    Dims phase(sizes_.size(), 0);
    std::vector<Value> phases;
    do {
      phases.push_back(of_phase(phase));
    } while (next_of(strides_, &phase));
    (slice_ != nullptr ? slice_ : &instruction_)->replace_all_uses_with(put_together(std::move(phases)));
  }

 private:
  // The part of the result that is read, where one slice says so.
  void find_part() {
    if (instruction_.users().size() != 1 || instruction_.parent()->root() == &instruction_) return;
    Instruction* user = instruction_.users().front();
    if (user->opcode != Opcode::kSlice) return;
    const std::vector<SliceBounds>& bounds = *user->attributes->slice;
    if (std::ranges::any_of(bounds, [](const SliceBounds& along) { return along.stride != 1; })) return;
    slice_ = user;
    for (size_t d = 0; d < bounds.size(); ++d) {
      end_[d] = begin_[d] + bounds[d].limit;
      begin_[d] += bounds[d].start;
    }
  }

  // Which of its elements each window chooses: of padding none.
  void choose() {
    Instruction* array = instruction_.operand(0);
    const Dims& windows = instruction_.operand(1)->shape.dims;
    const Shape value_shape = Shape::array(array->shape.dtype, windows);
    Attributes padding;
    padding.padding.emplace();
    for (const WindowDimension& along : window_) padding.padding->push_back({along.pad_low, along.pad_high, 0});
    Value values = array;
    if (adds_any(*padding.padding))
      values = build_.make(Opcode::kPad, {array, build_.constant(Literal(Shape::scalar(array->shape.dtype)))}, padding);
    Dims tap(sizes_.size(), 0);
    const Value no_tap = build_.integer(DType::kS8, kNoTap, windows);
    Value best = nullptr;
    bool has_any = false;  // whether each window has a tap so far
    int64_t number = 0;
    do {
      Attributes attributes;
      attributes.slice = bounds_of(tap);
      const Value value = build_.make(Opcode::kSlice, {values}, std::move(attributes));
      const Value here = build_.integer(DType::kS8, number++, windows);
      const Value is_outside = outside(tap);
      if (best == nullptr) {
        best = value;
        chosen_ = is_outside == nullptr ? here : build_.select({is_outside, no_tap, here});
        has_any = is_outside == nullptr;
        continue;
      }
      Value stays = inline_elementwise(instruction_, **instruction_.attributes->select, {best, value}, value_shape);
      if (!has_any) stays = build_.make(Opcode::kAnd, {build_.compare({chosen_, no_tap}, "NE"), stays});
      if (is_outside != nullptr) stays = build_.make(Opcode::kOr, {is_outside, stays});
      has_any |= is_outside == nullptr;
      best = build_.select({stays, best, value});
      chosen_ = build_.select({stays, chosen_, here});
    } while (next_of(sizes_, &tap));
    chosen_->metadata.edit().op_name = "chosen";  // what emitted code calls it
  }

  // Of which windows the tap stands in padding; nullptr: of none.
  Value outside(const Dims& tap) {
    const Dims& windows = instruction_.operand(1)->shape.dims;
    Value result = nullptr;
    const auto add = [&](size_t d, int64_t number, const char* direction) {
      const Value window = build_.iota(DType::kS32, windows, static_cast<int64_t>(d));
      const Value test = build_.compare({window, build_.integer(DType::kS32, number, windows)}, direction);
      result = result == nullptr ? test : build_.make(Opcode::kOr, {result, test});
    };
    for (size_t d = 0; d < tap.size(); ++d) {
      const int64_t first = tap[d] - window_[d].pad_low, length = instruction_.shape.dims[d];
      if (first < 0) add(d, ceil_div(-first, strides_[d]), "LT");
      if (first + (windows[d] - 1) * strides_[d] >= length)
        add(d, std::max<int64_t>(0, ceil_div(length - first, strides_[d])), "GE");
    }
    return result;
  }

  // The largest or smallest elements of the same windows, which a pool's own result is: a thread has them, written out.
  void write_out_maxima() {
    Instruction* array = instruction_.operand(0);
    std::vector<PadBounds> padding(sizes_.size());
    for (size_t d = 0; d < padding.size(); ++d) padding[d] = {window_[d].pad_low, window_[d].pad_high, 0};
    write_out_maxima_of(array, padding, nullptr);
    if (array->opcode != Opcode::kPad) return;
    for (size_t d = 0; d < padding.size(); ++d) {
      const PadBounds& own = (*array->attributes->padding)[d];
      if (own.interior != 0 || own.low < 0 || own.high < 0 || padding[d].low != 0 || padding[d].high != 0) return;
      padding[d] = own;
    }
    write_out_maxima_of(array->operand(0), padding, array);
  }

  // `padded`: the array with this padding, or nullptr.
  void write_out_maxima_of(Instruction* array, const std::vector<PadBounds>& padding, Instruction* padded) {
    const std::vector<Instruction*> users(array->users().begin(), array->users().end());
    for (Instruction* user : users) {
      if (user->opcode != Opcode::kReduceWindow || user->operands().size() != 2 || user->operand(0) != array) continue;
      const std::optional<Opcode> combiner = simple_combiner(**user->attributes->to_apply);
      if (combiner != Opcode::kMaximum && combiner != Opcode::kMinimum) continue;
      if (!neutral_beginning(*combiner, array->shape.dtype, *user->operand(1))) continue;
      std::vector<WindowDimension> own = user->attributes->window.value_or(std::vector<WindowDimension>{});
      own.resize(sizes_.size());
      bool is_same = true;
      for (size_t d = 0; d < own.size(); ++d) {
        is_same &= own[d].size == sizes_[d] && own[d].stride == strides_[d] && own[d].lhs_dilate == 1 &&
                   own[d].rhs_dilate == 1 && !own[d].reversal && own[d].pad_low == padding[d].low &&
                   own[d].pad_high == padding[d].high;
      }
      if (!is_same) continue;
      GraphBuilder build(*user);
      Value values = array;
      if (padded != nullptr && padded->operand(1) == user->operand(1) && padded->position() < user->position()) {
        values = padded;
      } else if (adds_any(padding)) {
        Attributes attributes;
        attributes.padding = padding;
        values = build.make(Opcode::kPad, {array, user->operand(1)}, std::move(attributes));
      }
      Dims tap(sizes_.size(), 0);
      Value best = nullptr;
      do {
        Attributes attributes;
        attributes.slice = bounds_of(tap);
        const Value value = build.make(Opcode::kSlice, {values}, std::move(attributes));
        best = best == nullptr ? value : build.make(*combiner, {best, value});
      } while (next_of(sizes_, &tap));
      user->replace_all_uses_with(best);
    }
  }

  // A tap's elements of all windows, in the padded array.
  std::vector<SliceBounds> bounds_of(const Dims& tap) const {
    const Dims& windows = instruction_.operand(1)->shape.dims;
    std::vector<SliceBounds> bounds;
    for (size_t d = 0; d < tap.size(); ++d)
      bounds.push_back({tap[d], tap[d] + (windows[d] - 1) * strides_[d] + 1, strides_[d]});
    return bounds;
  }

  // Of an array with an element for each window: for each cell that of the window `back` windows before the one of its
  // number; `nothing` where there is no such window.
  Value of_cells(Value values, Value nothing, const Dims& back) {
    Attributes attributes;
    attributes.padding.emplace();
    for (size_t d = 0; d < back.size(); ++d)
      attributes.padding->push_back({back[d], cells_[d] - values->shape.dims[d] - back[d], 0});
    if (!adds_any(*attributes.padding)) return values;
    return build_.make(Opcode::kPad, {values, nothing}, std::move(attributes));
  }

  // What the windows over the elements at one place of each cell give those that they have chosen, in the order of the
  // windows: the last tap is of the first window.
  Value of_phase(const Dims& phase) {
    Instruction *source = instruction_.operand(1), *initial = instruction_.operand(2);
    const Shape shape = Shape::array(instruction_.shape.dtype, cells_);
    Dims first, counts;  // tap of the last window over the element, along each dimension; windows over it
    Dims cells_before;   // and how many cells that window begins before this one
    for (size_t d = 0; d < phase.size(); ++d) {
      const int64_t at = begin_[d] + phase[d];
      first.push_back(at % strides_[d]);
      cells_before.push_back(-(at / strides_[d]));
      counts.push_back(first[d] < sizes_[d] ? ceil_div(sizes_[d] - first[d], strides_[d]) : 0);
    }
    Value sum = build_.splat(initial, cells_);
    if (std::ranges::count(counts, 0) > 0) return sum;
    const Value no_tap = build_.integer(DType::kS8, kNoTap);
    Dims number(phase.size(), 0);
    do {
      Dims back;
      int64_t tap = 0;
      for (size_t d = 0; d < phase.size(); ++d) {
        const int64_t before = counts[d] - 1 - number[d];
        back.push_back(cells_before[d] + before);
        tap = tap * sizes_[d] + first[d] + before * strides_[d];
      }
      const Value here = build_.integer(DType::kS8, tap, cells_);
      const Value is_own = build_.compare({of_cells(chosen_, no_tap, back), here}, "EQ");
      const Value given = of_cells(source, initial, back);
      const Value more = inline_elementwise(instruction_, **instruction_.attributes->scatter, {given, sum}, shape);
      sum = build_.select({is_own, more, sum});
    } while (next_of(counts, &number));
    return sum;
  }

  // The phases, the last dimension's place fastest, as the array that they are of.
  Value put_together(std::vector<Value> phases) {
    Dims dims = cells_;
    for (size_t d = dims.size(); d-- > 0;) {
      if (strides_[d] == 1) continue;
      Dims piece = dims;
      piece.insert(piece.begin() + static_cast<std::ptrdiff_t>(d) + 1, 1);
      dims[d] *= strides_[d];
      std::vector<Value> joined;
      for (size_t first = 0; first < phases.size(); first += static_cast<size_t>(strides_[d])) {
        std::vector<Value> pieces;
        for (int64_t p = 0; p < strides_[d]; ++p)
          pieces.push_back(build_.reshape(phases[first + static_cast<size_t>(p)], piece));
        joined.push_back(build_.reshape(build_.concatenate(pieces, static_cast<int64_t>(d) + 1), dims));
      }
      phases = std::move(joined);
    }
    return phases.front();
  }

  Instruction& instruction_;
  const std::vector<WindowDimension>& window_;
  GraphBuilder build_;
  Dims sizes_, strides_;
  Dims begin_, end_;  // of the part that is read
  Dims cells_;
  Instruction* slice_ = nullptr;  // which reads it
  Value chosen_ = nullptr;        // of each window
};

}  // namespace

bool select_in_cells(Instruction& instruction, const std::vector<WindowDimension>& window) {
  Cells cells(instruction, window);
  if (!cells.find()) return false;
  cells.write();
  return true;
}

}  // namespace sinter
