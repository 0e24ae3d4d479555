// Rule of simplify: a sum along a dimension of which one element at most is not zero.
//
//   reduce(select(compare(iota over d, broadcast(%at), EQ), %x, 0), 0), dimensions={d}, to_apply=add
//                                                         =>
//   select(0 <= %at < n, %x, 0)
#include <algorithm>
#include <cmath>
#include <optional>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = std::vector<int64_t>;

bool is_zero(const Instruction& value, bool positive) {
  const std::optional<Literal> splat = splat_value(value);
  if (!splat) return false;
  if (!is_float(splat->shape().dtype)) return !is_complex(splat->shape().dtype) && splat->integer_at(0) == 0;
  const double number = splat->real_at(0);
  return number == 0 && !(positive && std::signbit(number));
}

// A value that is the same all along dimension `d`, without that; nullptr for another.
Value without_dimension(GraphBuilder& build, Instruction* value, int64_t d) {
  Dims dims = value->shape.dims;
  dims.erase(dims.begin() + d);
  if (const std::optional<Literal> splat = splat_value(*value)) return build.splat(build.constant(*splat), dims);
  if (value->opcode != Opcode::kBroadcast) return nullptr;
  Dims where = *value->attributes->dimensions;
  if (std::ranges::count(where, d) > 0) return nullptr;
  for (int64_t& dimension : where) dimension -= dimension > d ? 1 : 0;
  return build.broadcast(value->operand(0), dims, where);
}

}  // namespace

Instruction* simplify_sum_of_one(Instruction& reduce) {
  if (reduce.operands().size() != 2 || reduce.attributes->dimensions->size() != 1) return nullptr;
  if (simple_combiner(**reduce.attributes->to_apply) != Opcode::kAdd || !is_zero(*reduce.operand(1), true))
    return nullptr;
  const int64_t d = reduce.attributes->dimensions->front();
  Instruction* row = reduce.operand(0);
  const bool negated = row->opcode == Opcode::kNegate;
  if (negated) row = row->operand(0);
  if (row->opcode != Opcode::kSelect || !row->shape.is_static() || !is_zero(*row->operand(2), false)) return nullptr;
  const Instruction& test = *row->operand(0);
  if (test.opcode != Opcode::kCompare || test.shape.rank() != row->shape.rank() || test.attributes->direction != "EQ")
    return nullptr;
  for (const size_t side : {0, 1}) {
    const Instruction& places = *test.operand(side);
    if (places.opcode != Opcode::kIota || *places.attributes->iota_dimension != d || !is_integer(places.shape.dtype))
      continue;
    const DType dtype = places.shape.dtype;
    const int64_t last = row->shape.dims[static_cast<size_t>(d)] - 1;
    if (last < 0 || last > integer_max(dtype)) return nullptr;
    GraphBuilder build(reduce);
    const Value at = without_dimension(build, test.operand(1 - side), d);
    Value value = at == nullptr ? nullptr : without_dimension(build, row->operand(1), d);
    if (value == nullptr) return nullptr;
    if (negated) value = build.make(Opcode::kNegate, {value});
    // The sum of zeros and -0 is 0.
    const Value zero = build.splat(build.constant(Literal(Shape::scalar(value->shape.dtype))), value->shape.dims);
    if (is_float(value->shape.dtype)) value = build.add({zero, value});
    const Dims& dims = at->shape.dims;
    const Value low = build.compare({at, build.integer(dtype, 0, dims)}, "GE");
    const Value high = build.compare({at, build.integer(dtype, last, dims)}, "LE");
    become(reduce, Opcode::kSelect, {build.make(Opcode::kAnd, {low, high}), value, zero});
    return &reduce;
  }
  return nullptr;
}

}  // namespace sinter
