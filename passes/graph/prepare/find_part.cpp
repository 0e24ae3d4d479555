// find_part: the place of the largest (smallest) of very many elements, as jax.numpy.argmax has it, is looked for in
// the part that has that element. The elements are read once, and one part of them again.
//
//   %r = (f32[], s32[]) reduce(%x, %places, -inf, 0),   =>   %parts = f32[16384,16384] reshape(%x)
//   with argmax, x f32[268435456]                            %best = f32[16384] reduce(%parts, -inf), to_apply=maximum
//   %i = s32[] get-tuple-element(%r), index=1                %part = the place of the largest of %best
//                                                            %place = that of the largest of parts[part]
//                                                            %i = part * 16384 + place
//
// Of equal elements the first is in the first of equal parts; the largest of a part with a NaN is NaN, and the first of
// these is found likewise. The program is planned without it, too: what takes long to compute is computed twice, or
// stored.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/prepare/argmax_function.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

constexpr int64_t kVeryMany = int64_t{1} << 22;  // elements, which take longer to read than what is left takes
// Elements of a part: as many as there are parts, where a block has enough of them to keep memory busy.
constexpr int64_t kLeastOfPart = 1 << 12, kMostOfPart = 1 << 15;

int64_t elements_of_part(int64_t length) {
  const auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(length)));
  return std::clamp(static_cast<int64_t>(std::bit_ceil(root)), kLeastOfPart, kMostOfPart);
}

// The place among `values` that the reduction finds.
Value place_of(GraphBuilder& build, const Instruction& reduce, Value values) {
  const Value places = build.iota(reduce.operand(1)->shape.dtype, values->shape.dims, 0);
  Attributes attributes = reduce.attributes;
  attributes.dimensions = {0};
  return build.tuple_element(
      build.make(Opcode::kReduce, {values, places, reduce.operand(2), reduce.operand(3)}, std::move(attributes)), 1);
}

bool find_part_of(Instruction& reduce) {
  if (reduce.operands().size() != 4 || reduce.operand(0)->shape.rank() != 1) return false;
  Instruction *values = reduce.operand(0), *places = reduce.operand(1);
  const int64_t length = values->shape.dims[0];
  const std::vector<Instruction*> readers = reduce.users();
  if (length < kVeryMany || reduce.attributes->dimensions->size() != 1 || readers.empty() || !is_unread(reduce, 0))
    return false;
  const std::optional<Opcode> found = found_by(**reduce.attributes->to_apply);
  if (!found || !counts_places_along(*places, 0) || splat_integer(*reduce.operand(3)) != 0) return false;
  const std::optional<Literal> least = neutral_value(*found, values->shape.dtype);
  const std::optional<Literal> start = splat_value(*reduce.operand(2));
  if (!least || !start || !start->same_value(*least)) return false;

  const int64_t part = elements_of_part(length), count = ceil_div(length, part);
  GraphBuilder build(reduce);
  values = build.pad(values, {{.high = count * part - length}}, reduce.operand(2));
  const Value parts = build.reshape(values, {count, part});
  const Value best = build.reduce(parts, reduce.operand(2), {1}, *found, *reduce.parent()->parent());
  const Value number = place_of(build, reduce, best);
  const Value place = place_of(build, reduce, build.part_at(parts, number, 0));
  const Value before = build.multiply({number, build.integer(number->shape.dtype, part)});
  for (Instruction* reader : readers) become(*reader, Opcode::kAdd, {before, place});
  return true;
}

}  // namespace

bool find_part(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* reduce : instructions_of(module, Opcode::kReduce)) changed |= find_part_of(*reduce);
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
