// split_select_and_scatter: each window's choice is made once, by itself; an element then takes the values of those
// windows over it that chose it, of which there are few.
//
//   %g = f32[8,8] select-and-scatter(%x, %source, %zero), window={size=2x2 stride=2x2}, select=%ge, scatter=%add
//                                                         =>
//   %place = s32[8,8] reshape(iota)
//   %choice = (f32[4,4], s32[4,4]) reduce-window(%x, %place, %zero, -1), window={size=2x2 stride=2x2}, to_apply=%choose
//   %chosen = s32[8,8] get-tuple-element(%choice), index=1, each element of it spread over its window
//   %g = f32[8,8] select(%chosen == %place, add(spread %source, %zero), %zero)
//
// %choose takes the later of two values and its place, unless select says that the earlier one stays: elements come in
// the order in which select-and-scatter has them. Where windows overlap, an element asks those over it one after the
// other, in their order. What windows read none of stays as it was.
//
// Where many overlap, the choice is made along one dimension after the other, the last one first, and so is the
// way back, the first one first: 13 + 13 elements in place of 13 * 13.
//
//   %g = f32[32,32] select-and-scatter(%x, %source, %zero), window={size=13x13}, select=%ge, scatter=%add
//                                                         =>
//   %rows = (f32[32,20], s8[32,20], pred[32,20]) reduce-window(%x, %column, %x != %x), window={size=1x13}
//   %choice = (f32[20,20], s8[20,20], pred[20,20]) reduce-window(%rows, %row), window={size=13x1}
//   %taken = f32[32,20]   for each element of %rows the sum of %source over the windows of 13x1 that chose it
//   %g = f32[32,32]       for each element of %x the sum of %taken over the windows of 1x13 that chose it
//
// That is the same choice where select compares two numbers: the first, or the last, of the largest or smallest. A NaN
// is neither: what comes after it in a window is chosen whatever came before it, so rows say whether they have one.
// Sums of floats are made in another order so, of narrow ones in f32.
#include <algorithm>
#include <functional>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/prepare/select_in_cells.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = std::vector<int64_t>;

// Windows over an element, whose sum is written out: of more the choice is made along one dimension after the other,
// where it can be; of very many it has to be, and so many of them lie over it along one.
constexpr int64_t kManyOverlapping = 4, kMostOverlapping = 9, kMostAlong = 32;
// Where each element makes the choices of its windows, which then look at more than so many elements in all: 20 us of
// an h200, several times what one more kernel takes.
constexpr int64_t kManyLooks = 4'000'000;

constexpr int64_t kNoPlace = -1;

// How many windows lie over an element along each dimension; empty where they are dilated or reversed.
Dims overlaps(const std::vector<WindowDimension>& window) {
  Dims result;
  for (const WindowDimension& along : window) {
    if (along.lhs_dilate != 1 || along.rhs_dilate != 1 || along.reversal || along.size < 1) return {};
    result.push_back(ceil_div(along.size, along.stride));
  }
  return result;
}

int64_t product(const Dims& sizes, int64_t most) {
  int64_t result = 1;
  for (const int64_t size : sizes) result = std::min(result, most) * std::min(size, most);
  return result;
}

// (value a, place i, value b, place j) -> (a, i) where there is such a place and select(a, b), else (b, j).
Computation* choose(Module& module, Computation& select, DType dtype, DType place_type) {
  Computation* computation = module.add_computation("choose");
  GraphBuilder build(*computation);
  const Value a = build.parameter(Shape::scalar(dtype), "a");
  const Value i = build.parameter(Shape::scalar(place_type), "i");
  const Value b = build.parameter(Shape::scalar(dtype), "b");
  const Value j = build.parameter(Shape::scalar(place_type), "j");
  const Value is_place = build.compare({i, build.integer(place_type, 0)}, "GE");
  const Value stays = build.make(Opcode::kAnd, {is_place, is_place});
  stays->set_operand(1, inline_before(*stays, select, {a, b}, false));
  computation->set_root(build.tuple({build.select({stays, a, b}), build.select({stays, i, j})}));
  return computation;
}

// Of an array with an element for each window: that of the window `back` windows before the last one that begins at or
// before each element, along each dimension; `nothing` where there is no such window.
Value spread(GraphBuilder& build, Value values, Value nothing, const Dims& dims,
             const std::vector<WindowDimension>& window, const Dims& back) {
  Dims apart, whole, where;
  std::vector<PadBounds> padding;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t count = values->shape.dims[d], stride = window[d].stride;
    where.push_back(static_cast<int64_t>(apart.size()));
    apart.push_back(count);
    if (stride > 1) apart.push_back(stride);
    whole.push_back(count * stride);
    const int64_t low = back[d] * stride - window[d].pad_low;
    padding.push_back({low, dims[d] - count * stride - low, 0});
  }
  values = build.reshape(build.broadcast(values, apart, where), whole);
  Attributes attributes;
  attributes.padding = padding;
  return build.make(Opcode::kPad, {values, nothing}, std::move(attributes));
}

// `sum`, and what the windows over each element hold that chose it, in the order of the windows: `chosen` is the place
// that each window chose, `place` each element's own, `source` what each window holds, `nothing` what it would hold.
Value add_chosen(GraphBuilder& build, Value chosen, Value place, Value source, Value nothing, Value sum,
                 const std::vector<WindowDimension>& window, const std::function<Value(Value, Value)>& combine) {
  const Dims& dims = place->shape.dims;
  const Dims over = overlaps(window);
  const Value no_place = build.integer(place->shape.dtype, kNoPlace);
  // Windows in their order: those that begin first are the most windows back.
  Dims back;
  for (const int64_t count : over) back.push_back(count - 1);
  while (true) {
    const Value is_own = build.compare({spread(build, chosen, no_place, dims, window, back), place}, "EQ");
    const Value value = spread(build, source, nothing, dims, window, back);
    sum = build.select({is_own, combine(value, sum), sum});
    size_t d = back.size();
    while (d > 0 && back[d - 1] == 0) {
      back[d - 1] = over[d - 1] - 1;
      --d;
    }
    if (d == 0) break;
    --back[d - 1];
  }
  return sum;
}

// Whether it compares its two parameters, so that one of several numbers wins whichever are compared first.
bool is_order(const Computation& select) {
  const Instruction& root = *select.root();
  if (root.opcode != Opcode::kCompare || root.attributes->comparison_type == "TOTALORDER") return false;
  const std::string& direction = *root.attributes->direction;
  if (direction == "EQ" || direction == "NE") return false;
  const Instruction *a = root.operand(0), *b = root.operand(1);
  return a->opcode == Opcode::kParameter && b->opcode == Opcode::kParameter && a != b && !is_complex(a->shape.dtype);
}

// (value a, place i, reset p, value b, place j, reset q) -> the one that choose takes of (a, i) and (b, j), but the
// second where q; p or q.
Computation* choose_or_reset(Module& module, Computation& select, DType dtype, DType place_type) {
  Computation* computation = module.add_computation("choose");
  GraphBuilder build(*computation);
  const Value a = build.parameter(Shape::scalar(dtype), "a");
  const Value i = build.parameter(Shape::scalar(place_type), "i");
  const Value p = build.parameter(Shape::scalar(DType::kPred), "p");
  const Value b = build.parameter(Shape::scalar(dtype), "b");
  const Value j = build.parameter(Shape::scalar(place_type), "j");
  const Value q = build.parameter(Shape::scalar(DType::kPred), "q");
  const Value is_place = build.compare({i, build.integer(place_type, 0)}, "GE");
  const Value is_kept = build.make(Opcode::kAnd, {is_place, build.make(Opcode::kNot, {q})});
  const Value stays = build.make(Opcode::kAnd, {is_kept, is_kept});
  stays->set_operand(1, inline_before(*stays, select, {a, b}, false));
  computation->set_root(
      build.tuple({build.select({stays, a, b}), build.select({stays, i, j}), build.make(Opcode::kOr, {p, q})}));
  return computation;
}

// The narrowest type that has the places along a dimension, and none.
DType place_type_of(int64_t length) {
  if (length <= INT8_MAX) return DType::kS8;
  return length <= INT16_MAX ? DType::kS16 : DType::kS32;
}

// Dimensions that windows reach along; empty where windows of one element step over an array or its padding.
std::vector<size_t> dimensions_of(const std::vector<WindowDimension>& window) {
  std::vector<size_t> result;
  for (size_t d = 0; d < window.size(); ++d) {
    const WindowDimension& along = window[d];
    if (along.size > 1) result.push_back(d);
    if (along.pad_low < 0 || along.pad_high < 0) return {};
    if (along.size == 1 && (along.stride != 1 || along.pad_low != 0 || along.pad_high != 0)) return {};
  }
  return result;
}

// The choice along one dimension of many.
struct Along {
  std::vector<WindowDimension> window;
  Value place = nullptr, chosen = nullptr;  // of elements, along the dimension; of windows
};

bool separate_selection(Instruction& instruction, const std::vector<WindowDimension>& window) {
  Instruction *array = instruction.operand(0), *source = instruction.operand(1), *initial = instruction.operand(2);
  Computation& select = **instruction.attributes->select;
  const Dims over = overlaps(window);
  const std::vector<size_t> dimensions = dimensions_of(window);
  if (dimensions.empty() || *std::max_element(over.begin(), over.end()) > kMostAlong || !is_order(select)) return false;
  const std::optional<Opcode> combiner = simple_combiner(**instruction.attributes->scatter);
  if (!combiner) return false;
  const DType dtype = array->shape.dtype, type = sum_type(source->shape.dtype);
  const std::optional<Literal> beginning = part_beginning(*combiner, type, *initial);
  if (!beginning) return false;

  Module& module = *instruction.parent()->parent();
  GraphBuilder build(instruction);
  const Value no_value = build.constant(Literal(Shape::scalar(dtype)));
  const Value is_number = build.constant(Literal(Shape::scalar(DType::kPred)));
  Value values = array;
  Value reset = is_float(dtype) ? build.compare({array, array}, "NE") : build.splat(is_number, array->shape.dims);
  std::vector<Along> choices;
  for (auto d = dimensions.rbegin(); d != dimensions.rend(); ++d) {
    Along along;
    along.window.resize(window.size());
    along.window[*d] = window[*d];
    const Dims& dims = values->shape.dims;
    const DType place_type = place_type_of(dims[*d]);
    along.place = build.iota(place_type, dims, static_cast<int64_t>(*d));
    Attributes attributes;
    attributes.window = along.window;
    attributes.to_apply = choose_or_reset(module, select, dtype, place_type);
    const Value choice = build.make(
        Opcode::kReduceWindow, {values, along.place, reset, no_value, build.integer(place_type, kNoPlace), is_number},
        std::move(attributes));
    values = build.tuple_element(choice, 0);
    along.chosen = build.tuple_element(choice, 1);
    along.chosen->metadata.edit().op_name = "chosen";  // what emitted code calls it
    reset = build.tuple_element(choice, 2);
    choices.push_back(along);
  }

  const Value nothing = build.constant(*beginning), begin = build.convert(initial, type);
  const auto combine = [&](Value value, Value sum) { return build.make(*combiner, {value, sum}); };
  Value sum = build.convert(source, type);
  for (auto along = choices.rbegin(); along != choices.rend(); ++along) {
    const bool is_last = std::next(along) == choices.rend();
    const Value so_far = build.splat(is_last ? begin : nothing, along->place->shape.dims);
    sum = add_chosen(build, along->chosen, along->place, sum, nothing, so_far, along->window, combine);
  }
  instruction.replace_all_uses_with(build.convert(sum, instruction.shape.dtype));
  return true;
}

bool split_selection(Instruction& instruction) {
  Instruction *array = instruction.operand(0), *source = instruction.operand(1), *initial = instruction.operand(2);
  const Dims& dims = instruction.shape.dims;
  Computation &select = **instruction.attributes->select, &scatter = **instruction.attributes->scatter;
  if (!array->shape.is_static() || instruction.shape.element_count() == 0 || source->shape.element_count() == 0)
    return false;
  std::vector<WindowDimension> window = instruction.attributes->window.value_or(std::vector<WindowDimension>{});
  window.resize(dims.size());
  const Dims over = overlaps(window);
  if (over.empty()) return false;
  Dims looks = over;
  for (const WindowDimension& along : window) looks.push_back(along.size);
  looks.insert(looks.end(), dims.begin(), dims.end());
  if (product(looks, kManyLooks) < kManyLooks) return false;
  if (!is_elementwise_function(select) || !is_elementwise_function(scatter)) return false;
  const int64_t overlapping = product(over, kMostOverlapping + 1);
  if (select_in_cells(instruction, window)) return true;
  if (overlapping > kManyOverlapping && separate_selection(instruction, window)) return true;
  if (overlapping > kMostOverlapping) return false;

  Module& module = *instruction.parent()->parent();
  GraphBuilder build(instruction);
  const DType dtype = array->shape.dtype;
  const int64_t elements = array->shape.element_count();
  const DType place_type = elements > INT32_MAX ? DType::kS64 : DType::kS32;
  const Value place = build.reshape(build.iota(place_type, {elements}, 0), dims);
  const Value no_place = build.integer(place_type, kNoPlace);
  Attributes attributes;
  attributes.window = window;
  attributes.to_apply = choose(module, select, dtype, place_type);
  const Value nothing = build.constant(Literal(Shape::scalar(dtype)));
  const Value choice = build.make(Opcode::kReduceWindow, {array, place, nothing, no_place}, std::move(attributes));
  const Value chosen = build.tuple_element(choice, 1);
  chosen->metadata.edit().op_name = "chosen";  // what emitted code calls it

  const auto combine = [&](Value value, Value sum) {
    return inline_elementwise(instruction, scatter, {value, sum}, instruction.shape);
  };
  const Value begin = build.splat(initial, dims);
  const Value sum = add_chosen(build, chosen, place, source, initial, begin, window, combine);
  instruction.replace_all_uses_with(sum);
  return true;
}

}  // namespace

bool split_select_and_scatter(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* instruction : instructions_of(module, Opcode::kSelectAndScatter)) {
    const bool used = !instruction->users().empty() || instruction->parent()->root() == instruction;
    if (used) changed |= split_selection(*instruction);
  }
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
