// split_windows: cumulative windows whose function is no single operation, of which every element would combine all
// before it, are made in pieces of a few dozen elements: within each, then of what the pieces come to, then together.
//
//   %c = f32[4,65536] reduce-window(%x, -inf), window={size=1x65536 pad=0_0x65535_0}, to_apply=logaddexp
//                                                  =>
//   %w = f32[4,2048,32] reduce-window(reshape(%x), -inf), window={size=1x1x32 pad=0_0x0_0x31_0}
//   %t = f32[4,2048] the last of each piece, cumulated likewise, one piece later, -inf first
//   %c = f32[4,65536] reshape(logaddexp(broadcast(%t), %w))
//
// Only where the function gives the same in parts (try_combiner.h).
#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/graph/base/on_arrays.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/base/try_combiner.h"
#include "passes/graph/parts/ordered_window.h"
#include "passes/graph/parts/partial_reduction.h"
#include "passes/graph/parts/thread_rows.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Values = std::vector<Value>;
using Dims = std::vector<int64_t>;

class Pieces {
 public:
  Pieces(Instruction& window, const OrderedWindow& ordered)
      : build_(window), window_(window), reverse_(ordered.reverse), along_(ordered.along) {
    for (const Literal& initial : ordered.initials) initials_.push_back(build_.constant(initial));
  }

  Values cumulate(Values arrays) {
    const int64_t length = arrays[0]->shape.dims[along_];
    if (length <= kShortOrdered) return windows(arrays, along_);
    const int64_t piece = near_divisor(length, kOrderedPart), pieces = ceil_div(length, piece);
    const Dims whole = arrays[0]->shape.dims;
    Dims apart = whole;
    apart[along_] = pieces;
    apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(along_) + 1, piece);
    arrays = padded(arrays, 0, pieces * piece - length);
    for (Value& array : arrays) array = build_.reshape(array, apart);
    const Values within = windows(arrays, along_ + 1);

    Values totals;
    Dims of_pieces = whole;
    of_pieces[along_] = pieces;
    const int64_t last = reverse_ ? 0 : piece - 1, dimension = static_cast<int64_t>(along_);
    for (const Value value : within)
      totals.push_back(build_.reshape(build_.slice(value, dimension + 1, last, last + 1), of_pieces));
    Values before = cumulate(totals);  // of each piece, what the others before it come to
    for (Value& value : before)
      value = build_.slice(value, dimension, reverse_ ? 1 : 0, reverse_ ? pieces : pieces - 1);
    before = padded(before, reverse_ ? 0 : 1, reverse_ ? 1 : 0);
    Dims where = iota_list(static_cast<int64_t>(apart.size()));
    where.erase(where.begin() + dimension + 1);
    Values arguments;
    for (const Value value : before) arguments.push_back(build_.broadcast(value, apart, where));
    arguments.insert(reverse_ ? arguments.begin() : arguments.end(), within.begin(), within.end());
    Values results = on_arrays(window_, **window_.attributes->to_apply, arguments, apart);
    Dims full = whole;
    full[along_] = pieces * piece;
    for (Value& value : results) value = build_.slice(build_.reshape(value, full), dimension, 0, length);
    return results;
  }

 private:
  // With initial values before and after, along the dimension.
  Values padded(Values arrays, int64_t low, int64_t high) {
    for (size_t i = 0; i < arrays.size(); ++i) {
      std::vector<PadBounds> bounds(arrays[i]->shape.dims.size());
      bounds[along_] = {.low = low, .high = high};
      arrays[i] = build_.pad(arrays[i], bounds, initials_[i]);
    }
    return arrays;
  }

  Values windows(const Values& arrays, size_t along) {
    Attributes attributes = window_.attributes;
    attributes.window = window_of({static_cast<int64_t>(along), reverse_}, arrays[0]->shape.dims);
    Values operands = arrays;
    operands.insert(operands.end(), initials_.begin(), initials_.end());
    const Value made = build_.make(Opcode::kReduceWindow, operands, std::move(attributes));
    if (!made->shape.is_tuple()) return {made};
    Values results;
    for (size_t i = 0; i < arrays.size(); ++i) results.push_back(build_.tuple_element(made, static_cast<int64_t>(i)));
    return results;
  }

  GraphBuilder build_;
  Instruction& window_;
  bool reverse_;
  size_t along_;
  Values initials_;
};

bool split_window(Instruction& window) {
  const std::optional<OrderedWindow> ordered = ordered_window(window);
  if (!ordered || ordered->length <= kShortOrdered) return false;
  const Computation& function = **window.attributes->to_apply;
  if (!may_be_parted(function, ordered->initials)) return false;
  const size_t count = ordered->initials.size();
  const std::vector<Instruction*> operands(window.operands().begin(),
                                           window.operands().begin() + static_cast<std::ptrdiff_t>(count));
  become_results(window, Pieces(window, *ordered).cumulate(operands));
  return true;
}

}  // namespace

bool split_windows(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* window : instructions_of(module, Opcode::kReduceWindow)) changed |= split_window(*window);
  return changed;
}

}  // namespace sinter
