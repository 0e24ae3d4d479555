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
// other, in their order. What windows read none of stays as it was, and so do gradients of windows of which very many
// overlap.
#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = std::vector<int64_t>;

constexpr int64_t kMostOverlapping = 9;
// Where each element makes the choices of its windows, which then look at more than so many elements in all: 20 us of
// an h200, several times what one more kernel takes.
constexpr int64_t kManyLooks = 4'000'000;

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

bool split_selection(Instruction& instruction) {
  Instruction *array = instruction.operand(0), *source = instruction.operand(1), *initial = instruction.operand(2);
  const Dims& dims = instruction.shape.dims;
  Computation &select = **instruction.attributes->select, &scatter = **instruction.attributes->scatter;
  if (!array->shape.is_static() || instruction.shape.element_count() == 0 || source->shape.element_count() == 0)
    return false;
  std::vector<WindowDimension> window = instruction.attributes->window.value_or(std::vector<WindowDimension>{});
  window.resize(dims.size());
  const Dims over = overlaps(window);
  if (over.empty() || product(over, kMostOverlapping + 1) > kMostOverlapping) return false;
  Dims looks = over;
  for (const WindowDimension& along : window) looks.push_back(along.size);
  looks.insert(looks.end(), dims.begin(), dims.end());
  if (product(looks, kManyLooks) < kManyLooks) return false;
  if (!is_elementwise_function(select) || !is_elementwise_function(scatter)) return false;

  Module& module = *instruction.parent()->parent();
  GraphBuilder build(instruction);
  const DType dtype = array->shape.dtype;
  const int64_t elements = array->shape.element_count();
  const DType place_type = elements > INT32_MAX ? DType::kS64 : DType::kS32;
  const Value place = build.reshape(build.iota(place_type, {elements}, 0), dims);
  const Value no_place = build.integer(place_type, -1);
  Attributes attributes;
  attributes.window = window;
  attributes.to_apply = choose(module, select, dtype, place_type);
  const Value nothing = build.constant(Literal(Shape::scalar(dtype)));
  const Value choice = build.make(Opcode::kReduceWindow, {array, place, nothing, no_place}, std::move(attributes));
  const Value chosen = build.tuple_element(choice, 1);
  chosen->metadata.edit().op_name = "chosen";  // what emitted code calls it

  Value sum = build.splat(initial, dims);
  // Windows in their order: those that begin first are the most windows back.
  Dims back;
  for (const int64_t count : over) back.push_back(count - 1);
  while (true) {
    const Value is_own = build.compare({spread(build, chosen, no_place, dims, window, back), place}, "EQ");
    const Value value = spread(build, source, initial, dims, window, back);
    Instruction* taken = inline_elementwise(instruction, scatter, {value, sum}, instruction.shape);
    sum = build.select({is_own, taken, sum});
    size_t d = back.size();
    while (d > 0 && back[d - 1] == 0) {
      back[d - 1] = over[d - 1] - 1;
      --d;
    }
    if (d == 0) break;
    --back[d - 1];
  }
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
