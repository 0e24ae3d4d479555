// overlap_windows: windows at places that follow one another at a constant distance, known while compiling, are added
// up where they lie: no update looks for its element, each element has the few windows over it.
//
//   %i = s32[8189,512] add(128 * iota along 0, iota along 1)
//   %s = f32[1048704] scatter(%x, %i, %frames), to_apply=%add          frames f32[8189,512]
//                                         =>
//   four pieces of 128 columns of all frames, f32[8189 * 128] each, padded to f32[1048704] from 128 * piece on,
//   %s = (((%x + piece 3) + piece 2) + piece 1) + piece 0
//
// That is the order in which an element takes its updates. What pads a piece changes nothing (-0 where floats are
// added), so that the bits are those of the scatter. Overlap-add after inverse Fourier transforms is such, and the
// gradient of frames that are cut out of a signal. Windows of one element are updates at a constant distance.
#include <algorithm>
#include <utility>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/loops/ranges.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/scatters/scatter_dims.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Windows over an element: more terms than an element had better read.
constexpr int64_t kMostOver = 16;

// Integers that follow from their place: first + the sum of steps times the place along each dimension.
struct AffinePlaces {
  int64_t first = 0;
  Dims steps;  // 0 along dimensions of one element

  Interval range(const Dims& dims) const {
    Interval range = {first, first};
    for (size_t d = 0; d < dims.size(); ++d)
      (steps[d] < 0 ? range.low : range.high) += steps[d] * std::max<int64_t>(dims[d] - 1, 0);
    return range;
  }
};

// Products of such numbers stay within 64 bits.
constexpr int64_t kMostPlace = int64_t{1} << 31;

std::optional<AffinePlaces> affine_places(const Instruction& value, int depth);

std::optional<AffinePlaces> combined_places(const Instruction& value, const AffinePlaces& a, const AffinePlaces& b) {
  AffinePlaces result = a;
  const auto constant = [](const AffinePlaces& places) {
    return std::all_of(places.steps.begin(), places.steps.end(), [](int64_t step) { return step == 0; });
  };
  if (value.opcode == Opcode::kMultiply) {
    if (!constant(a) && !constant(b)) return std::nullopt;
    const AffinePlaces& numbers = constant(b) ? a : b;
    const int64_t factor = constant(b) ? b.first : a.first;
    result = numbers;
    result.first *= factor;
    for (int64_t& step : result.steps) step *= factor;
    return result;
  }
  const int64_t sign = value.opcode == Opcode::kAdd ? 1 : -1;
  result.first += sign * b.first;
  for (size_t d = 0; d < result.steps.size(); ++d) result.steps[d] += sign * b.steps[d];
  return result;
}

std::optional<AffinePlaces> reshaped_places(const Instruction& value, const AffinePlaces& from) {
  const Dims& before = value.operand(0)->shape.dims;
  const Dims& dims = value.shape.dims;
  AffinePlaces result = {.first = from.first, .steps = Dims(dims.size(), 0)};
  size_t next = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1) continue;
    while (next < before.size() && before[next] == 1) ++next;
    if (next == before.size() || before[next] != dims[d]) return std::nullopt;
    result.steps[d] = from.steps[next++];
  }
  return result;
}

std::optional<AffinePlaces> unchecked_places(const Instruction& value, int depth) {
  const Dims& dims = value.shape.dims;
  if (const std::optional<int64_t> splat = splat_integer(value)) return AffinePlaces{*splat, Dims(dims.size(), 0)};
  const auto of = [&](size_t operand) { return affine_places(*value.operand(operand), depth); };
  switch (value.opcode) {
    case Opcode::kIota: {
      AffinePlaces result = {.steps = Dims(dims.size(), 0)};
      const auto along = static_cast<size_t>(*value.attributes->iota_dimension);
      if (dims[along] > 1) result.steps[along] = 1;
      return result;
    }
    case Opcode::kConvert:
      return of(0);
    case Opcode::kReshape: {
      const std::optional<AffinePlaces> from = of(0);
      return from ? reshaped_places(value, *from) : std::nullopt;
    }
    case Opcode::kBroadcast: {
      const std::optional<AffinePlaces> from = of(0);
      if (!from) return std::nullopt;
      AffinePlaces result = {.first = from->first, .steps = Dims(dims.size(), 0)};
      const Dims where = list(value.attributes->dimensions);
      for (size_t d = 0; d < where.size(); ++d) result.steps[where[d]] = from->steps[d];
      return result;
    }
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply: {
      const std::optional<AffinePlaces> a = of(0), b = a ? of(1) : std::nullopt;
      return b ? combined_places(value, *a, *b) : std::nullopt;
    }
    case Opcode::kSelect: {
      // Negative indices count from the end: there are none.
      const Instruction& negative = *value.operand(0);
      if (negative.opcode != Opcode::kCompare || *negative.attributes->direction != "LT" ||
          splat_integer(*negative.operand(1)) != 0)
        return std::nullopt;
      const std::optional<AffinePlaces> tested = affine_places(*negative.operand(0), depth);
      return tested && tested->range(dims).low >= 0 ? of(2) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// nullopt of others, and of those that their type does not hold.
std::optional<AffinePlaces> affine_places(const Instruction& value, int depth) {
  constexpr int kDeepest = 24;
  const std::optional<Interval> whole = whole_range(value.shape.dtype);
  if (depth > kDeepest || !value.shape.is_array() || !is_integer(value.shape.dtype) || !whole) return std::nullopt;
  const std::optional<AffinePlaces> places = unchecked_places(value, depth + 1);
  if (!places) return std::nullopt;
  const Interval range = places->range(value.shape.dims);
  const bool is_far = range.low < -kMostPlace || range.high > kMostPlace;
  return is_far || !whole->contains(range) ? std::nullopt : places;
}

// `count` windows of `width` neighbours, the first at `first`, each `hop` behind the one before.
struct Windows {
  int64_t first = 0, hop = 1, count = 1, width = 1;
  // Of the updates: along which windows are counted, and their elements; nullopt where there is one.
  std::optional<int64_t> counted, within;
  bool last_first = false;  // an element takes the update of a later window before that of an earlier one
  int64_t over() const { return ceil_div(width, hop); }
};

std::optional<Windows> windows_of(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const Shape& indices = scatter.operand(1)->shape;
  const int64_t vector_dim = attributes.index_vector_dim.value();
  const bool one_index = vector_dim == indices.rank() || indices.dims[vector_dim] == 1;
  if (!one_index || !list(attributes.input_batching_dims).empty() ||
      list(attributes.inserted_window_dims) != list(attributes.scatter_dims_to_operand_dims))
    return std::nullopt;
  const std::optional<AffinePlaces> places = affine_places(*scatter.operand(1), 0);
  if (!places) return std::nullopt;
  Windows windows = {.first = places->first};
  const Dims window_dims = list(attributes.update_window_dims);
  const Dims& updates = scatter.operand(2)->shape.dims;
  struct Along {
    int64_t step, size, dim;
  };
  std::vector<Along> along;
  int64_t of_indices = 0;
  for (int64_t d = 0; d < std::ssize(updates); ++d) {
    if (position_in(window_dims, d)) continue;
    if (of_indices == vector_dim) ++of_indices;
    const int64_t step = places->steps[of_indices++];
    if (updates[d] == 1) continue;
    if (step <= 0) return std::nullopt;
    along.push_back({step, updates[d], d});
  }
  if (along.empty() || along.size() > 2) return std::nullopt;
  Along counted = along[0];
  if (along.size() == 2) {
    Along within = along[1];
    const bool swaps = within.step != 1 || (counted.step == 1 && counted.size < within.size);
    if (swaps) std::swap(counted, within);
    if (within.step != 1) return std::nullopt;
    windows.width = within.size;
    windows.within = within.dim;
    windows.last_first = swaps;
  }
  windows.hop = counted.step;
  windows.count = counted.size;
  windows.counted = counted.dim;
  return windows;
}

// The updates of dimensions [that of each window's elements..., count, width], then of pieces as wide as a hop.
Value updates_in_pieces(GraphBuilder& at, const Instruction& scatter, const Windows& windows, const Dims& around,
                        Value nothing) {
  const Dims window_dims = list(scatter.attributes->update_window_dims);
  const Dims& updates = scatter.operand(2)->shape.dims;
  Dims order = window_dims;
  for (int64_t d = 0; d < std::ssize(updates); ++d) {
    const bool is_one = d == windows.counted || d == windows.within || position_in(window_dims, d);
    if (!is_one) order.push_back(d);  // of one element
  }
  order.push_back(*windows.counted);
  if (windows.within) order.push_back(*windows.within);
  Value value = scatter.operand(2);
  value = at.transpose(value, order);
  Dims dims = around;
  dims.insert(dims.end(), {windows.count, windows.width});
  value = at.reshape(value, dims);
  const int64_t whole = windows.over() * windows.hop;
  std::vector<PadBounds> bounds(dims.size());
  bounds.back().high = whole - windows.width;
  value = at.pad(value, bounds, nothing);
  dims.back() = windows.over();
  dims.push_back(windows.hop);
  return at.reshape(value, dims);
}

bool overlap(Instruction& scatter) {
  if (scatter.operands().size() != 3 || !scatter.shape.is_array() || folds(scatter)) return false;
  const std::optional<Opcode> operation = simple_combiner(**scatter.attributes->to_apply);
  const std::optional<Literal> neutral =
      operation ? neutral_value(*operation, scatter.shape.dtype) : std::optional<Literal>();
  if (!neutral) return false;
  const Dims scattered = list(scatter.attributes->inserted_window_dims);
  if (scattered.size() != 1) return false;
  const std::optional<Windows> windows = windows_of(scatter);
  // Others are as long as the array is, in whichever order they come.
  if (!windows || windows->over() > kMostOver) return false;
  const int64_t dim = scattered[0], length = scatter.shape.dims[dim];
  Dims around, others = scatter.shape.dims;
  for (const int64_t d : list(scatter.attributes->update_window_dims))
    around.push_back(scatter.operand(2)->shape.dims[d]);
  others.erase(others.begin() + dim);
  if (around != others) return false;  // windows that are parts of what lies around
  GraphBuilder at(scatter);
  const Value nothing = at.constant(*neutral);
  const Value pieces = updates_in_pieces(at, scatter, *windows, around, nothing);

  // Back to where the dimension stands.
  Dims back(scatter.shape.dims.size());
  for (int64_t d = 0; d < std::ssize(back); ++d) back[d] = d < dim ? d : d == dim ? std::ssize(others) : d - 1;
  Value sum = scatter.operand(0);
  for (int64_t k = 0; k < windows->over(); ++k) {
    // Of an element the piece furthest along is of the earliest window.
    const int64_t piece = windows->last_first ? k : windows->over() - 1 - k;
    const int64_t begin = windows->first + piece * windows->hop, reach = windows->count * windows->hop;
    Dims flat = around;
    flat.push_back(reach);
    Value value = at.reshape(at.slice(pieces, std::ssize(around) + 1, piece, piece + 1), flat);
    std::vector<PadBounds> bounds(flat.size());
    bounds.back() = {.low = begin, .high = length - begin - reach};
    value = at.pad(value, bounds, nothing);
    value = at.transpose(value, back);
    sum = at.make(*operation, {sum, value});
  }
  scatter.replace_all_uses_with(sum);
  return true;
}

}  // namespace

bool overlap_windows(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* scatter : instructions_of(module, Opcode::kScatter)) {
    const bool is_read = !scatter->users().empty() || scatter->parent()->root() == scatter;
    if (is_read) changed |= overlap(*scatter);
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
