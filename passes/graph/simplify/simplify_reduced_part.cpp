// Rules of simplify: a reduction of what another reduction reduces along fewer dimensions, and a sum of arrays that are
// zero but for a part each.
//
//   %m = f32[1024,64] reduce(%x, -inf), dimensions={2}, to_apply=maximum
//   reduce(%x, -inf), dimensions={1,2}, to_apply=maximum      =>      reduce(%m, -inf), dimensions={1}
//
//   %p = f32[65536,2] pad(%a, 0), padding=0_0x0_1             =>      %s = f32[2] pad(reshape(reduce(%a, 0)), 0)
//   %q = f32[65536,2] pad(%b, 0), padding=0_0x1_0                     %t = f32[2] pad(reshape(reduce(%b, 0)), 0)
//   reduce(add(%p, %q), 0), dimensions={0}, to_apply=add              add(%s, %t)
#include <algorithm>
#include <cmath>
#include <utility>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

// Whether the same comes out in whatever order, and however often it begins with `initial`.
bool has_no_order(Opcode combiner, DType dtype, const Instruction& initial) {
  switch (combiner) {
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kAnd:
    case Opcode::kOr:
      return !is_complex(dtype);
    case Opcode::kAdd:
      return is_integer(dtype) && neutral_beginning(combiner, dtype, initial);
    default:
      return false;
  }
}

bool contains(const Dims& dims, int64_t d) { return std::ranges::find(dims, d) != dims.end(); }

// A number that is 0 and, of floats, not -0.
bool is_unsigned_zero(const Instruction& value) {
  const std::optional<Literal> splat = splat_value(value);
  if (!splat || is_complex(splat->shape().dtype)) return false;
  if (!is_float(splat->shape().dtype)) return splat->integer_at(0) == 0;
  return splat->real_at(0) == 0 && !std::signbit(splat->real_at(0));
}

// Whether a pad fills up with zeros, in dimensions that are not reduced.
bool is_placed(const Instruction& pad, const Dims& reduced) {
  if (pad.opcode != Opcode::kPad || !pad.operand(0)->shape.is_static() || !is_unsigned_zero(*pad.operand(1)))
    return false;
  const auto is_free = [&](int64_t d) { return (*pad.attributes->padding)[static_cast<size_t>(d)] == PadBounds{}; };
  return std::ranges::all_of(reduced, is_free);
}

// The pads of which a sum is made that nothing else reads.
bool find_placed(Instruction* value, const Dims& reduced, std::vector<Instruction*>* pads) {
  if (value->users().size() != 1) return false;
  if (value->opcode == Opcode::kAdd)
    return find_placed(value->operand(0), reduced, pads) && find_placed(value->operand(1), reduced, pads);
  pads->push_back(value);
  return is_placed(*value, reduced);
}

// Whether no element has something of both.
bool are_apart(const Instruction& a, const Instruction& b) {
  const auto place = [](const Instruction& pad, size_t d) {
    const PadBounds& bounds = (*pad.attributes->padding)[d];
    const int64_t size = pad.operand(0)->shape.dims[d];
    return std::pair(bounds.low, bounds.low + size + bounds.interior * std::max<int64_t>(size - 1, 0));
  };
  for (size_t d = 0; d < a.shape.dims.size(); ++d) {
    const auto [first, end] = place(a, d);
    const auto [other_first, other_end] = place(b, d);
    if (end <= other_first || other_end <= first) return true;
  }
  return false;
}

bool have_one_place(const Instruction& a, const Instruction& b) {
  return *a.attributes->padding == *b.attributes->padding && a.operand(0)->shape.dims == b.operand(0)->shape.dims;
}

// What a sum of pads has at the place of one of them, added as it was; nullptr if nothing.
Instruction* terms_at(GraphBuilder& build, Instruction* value, const Instruction& place) {
  if (value->opcode != Opcode::kAdd) return have_one_place(*value, place) ? value->operand(0) : nullptr;
  Instruction* left = terms_at(build, value->operand(0), place);
  Instruction* right = terms_at(build, value->operand(1), place);
  return left == nullptr || right == nullptr ? (left == nullptr ? right : left) : build.add({left, right});
}

// The sum of a part, put where the part was.
Instruction* sum_of_placed(GraphBuilder& build, const Instruction& reduce, const Instruction& pad) {
  Attributes sum = *reduce.attributes, placed;
  Instruction* part = terms_at(build, reduce.operand(0), pad);
  Dims rows, kept;
  placed.padding.emplace();
  for (int64_t d = 0; d < part->shape.rank(); ++d) {
    const bool is_reduced = contains(*sum.dimensions, d);
    (is_reduced ? rows : kept).push_back(part->shape.dims[static_cast<size_t>(d)]);
    if (!is_reduced) placed.padding->push_back((*pad.attributes->padding)[static_cast<size_t>(d)]);
  }
  const bool is_number = std::ranges::all_of(kept, [](int64_t size) { return size == 1; });
  if (is_number) {
    part = build.reshape(part, rows);
    sum.dimensions = iota_list(std::ssize(rows));
  }
  part = build.make(Opcode::kReduce, {part, reduce.operand(1)}, sum);
  if (is_number) part = build.reshape(part, kept);
  return build.make(Opcode::kPad, {part, pad.operand(1)}, placed);
}

// The sum of each part is what the whole has there: no sum is -0, which 0 would change.
Instruction* sum_parts(Instruction& reduce) {
  const Dims& reduced = *reduce.attributes->dimensions;
  std::vector<Instruction*> pads, places;
  if (reduce.operands().size() != 2 || !reduce.operand(0)->shape.is_static() || !is_unsigned_zero(*reduce.operand(1)) ||
      simple_combiner(**reduce.attributes->to_apply) != Opcode::kAdd || !find_placed(reduce.operand(0), reduced, &pads))
    return nullptr;
  for (Instruction* pad : pads) {
    const auto is_there = [&](const Instruction* other) { return have_one_place(*pad, *other); };
    if (std::ranges::any_of(places, is_there)) continue;
    const auto is_apart = [&](const Instruction* other) { return are_apart(*pad, *other); };
    if (!std::ranges::all_of(places, is_apart)) return nullptr;
    places.push_back(pad);
  }
  GraphBuilder build(reduce);
  Instruction* result = nullptr;
  for (const Instruction* pad : places) {
    Instruction* sum = sum_of_placed(build, reduce, *pad);
    result = result == nullptr ? sum : build.add({result, sum});
  }
  return result;
}

}  // namespace

Instruction* simplify_reduced_part(Instruction& reduce) {
  if (Instruction* value = sum_parts(reduce)) return value;
  const Dims& dims = *reduce.attributes->dimensions;
  // Outside of loops a kernel of its own may as well reduce the array again.
  const bool in_loop = reduce.parent() != reduce.parent()->parent()->entry();
  if (!in_loop || reduce.operands().size() != 2 || dims.size() < 2) return nullptr;
  const std::optional<Opcode> combiner = simple_combiner(**reduce.attributes->to_apply);
  if (!combiner || !has_no_order(*combiner, reduce.shape.dtype, *reduce.operand(1))) return nullptr;
  Instruction* array = reduce.operand(0);
  Instruction* part = nullptr;
  for (Instruction* other : array->users()) {
    if (other->opcode != Opcode::kReduce || other->operands().size() != 2 || other->operand(0) != array) continue;
    const Dims& along = *other->attributes->dimensions;
    const bool is_part = along.size() < dims.size() &&
                         std::ranges::all_of(
                             along, [&](int64_t d) { return contains(dims, d); }) &&
                         other->operand(1) == reduce.operand(1) &&
                         simple_combiner(**other->attributes->to_apply) == combiner;
    const size_t most = part == nullptr ? 0 : part->attributes->dimensions->size();
    if (is_part && along.size() > most) part = other;
  }
  if (part == nullptr) return nullptr;
  const Dims along = *part->attributes->dimensions;
  Dims left;
  int64_t gone = 0;
  for (int64_t d = 0; d < array->shape.rank(); ++d) {
    if (contains(along, d)) {
      ++gone;
    } else if (contains(dims, d)) {
      left.push_back(d - gone);
    }
  }
  GraphBuilder build(reduce);
  Attributes attributes = *reduce.attributes;
  attributes.dimensions = along;
  Instruction* first = build.make(Opcode::kReduce, {array, reduce.operand(1)}, attributes);
  attributes.dimensions = left;
  return build.make(Opcode::kReduce, {first, reduce.operand(1)}, attributes);
}

}  // namespace sinter
