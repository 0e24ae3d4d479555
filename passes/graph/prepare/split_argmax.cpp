// split_argmax: the place of a row's largest (smallest) value, as jax.numpy.argmax has it, becomes a reduction of
// values and one of places, which the threads of a row can make together.
//
//   %r = (f32[8], s32[8]) reduce(%x, %places, -inf, 0)    =>   %m = f32[8] reduce(%x, -inf), to_apply=maximum
//   with argmax, along dimension 1                             %best = x == m, or both are NaN
//   %i = s32[8] get-tuple-element(%r), index=1                 %i = s32[8] reduce(select(%best, %places, 99), highest),
//                                                                   to_apply=minimum
//
// One element at least is the best: the others may stand for the last place, 99 of 100, which makes it plain that the
// result is a place.
//
// Only where nobody reads the value itself: of zeros of both signs the function gives the last.
//
// Other rows, a thread's own, it goes through in order: of equal values the one that it has is the earlier one, and its
// place needs no comparison. In a loop's step the largest value itself, where that is wanted too, is found with it.
#include <algorithm>
#include <optional>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/reduced_rows.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/parts/thread_rows.h"
#include "passes/graph/prepare/argmax_function.h"

namespace sinter {
namespace {

bool split_results(Instruction& reduce) {
  if (reduce.operands().size() != 4 || reduce.attributes->dimensions->size() != 1) return false;
  const int64_t dimension = reduce.attributes->dimensions->front();
  const std::optional<RowExtents> rows = reduced_rows(reduce);
  if (!rows || rows->inner != 1 || rows->columns <= kShortLoop || !is_unread(reduce, 0)) return false;
  const std::optional<Opcode> found = found_by(**reduce.attributes->to_apply);
  if (!found || !counts_places_along(*reduce.operand(1), dimension)) return false;
  Instruction *values = reduce.operand(0), *places = reduce.operand(1);
  const DType dtype = values->shape.dtype, place_type = places->shape.dtype;
  const std::optional<Literal> least = neutral_value(*found, dtype);
  const std::optional<Literal> start = splat_value(*reduce.operand(2));
  if (!least || !start || !start->same_value(*least) || splat_integer(*reduce.operand(3)) != 0) return false;

  Module& module = *reduce.parent()->parent();
  GraphBuilder build(reduce);
  const std::vector<int64_t>& dims = values->shape.dims;
  std::vector<int64_t> kept = iota_list(values->shape.rank());
  kept.erase(kept.begin() + dimension);
  const GraphBuilder::Value best = build.reduce(values, reduce.operand(2), {dimension}, *found, module);
  const GraphBuilder::Value spread = build.broadcast(best, dims, kept);
  GraphBuilder::Value is_best = build.compare({values, spread}, "EQ");
  if (is_float(dtype)) {
    const GraphBuilder::Value nan = build.compare({values, values}, "NE");
    const GraphBuilder::Value nan_wins = build.broadcast(build.compare({best, best}, "NE"), dims, kept);
    const GraphBuilder::Value both = build.make(Opcode::kAnd, {nan, nan_wins});
    is_best = build.make(Opcode::kOr, {is_best, both});
  }
  const Literal highest = *neutral_value(Opcode::kMinimum, place_type);
  const int64_t last = dims[static_cast<size_t>(dimension)] - 1;
  const GraphBuilder::Value other = build.constant(integer_literal(place_type, last));
  const GraphBuilder::Value candidates = build.select({is_best, places, build.splat(other, dims)});
  const GraphBuilder::Value place =
      build.reduce(candidates, build.constant(highest), {dimension}, Opcode::kMinimum, module);
  become(reduce, Opcode::kTuple, {best, place});
  return true;
}

// Who wants the value beside its place: nobody; what reads the result, as the function has it; or what read a maximum,
// which of zeros of both signs is the positive one.
enum class ValueFor : uint8_t { kNobody, kResult, kMaximum };

// (a, i, b, j), of which i comes before j, or is j: the value, and the place of the larger one, or of the first of two
// that are equal.
Computation* place_in_order(Module& module, const Instruction& reduce, Opcode found, ValueFor wanted) {
  const DType dtype = reduce.operand(0)->shape.dtype, place_type = reduce.operand(1)->shape.dtype;
  const bool is_most = found == Opcode::kMaximum;
  Computation* function = module.add_computation("first_best");
  GraphBuilder build(*function);
  const GraphBuilder::Value a = build.parameter(Shape::scalar(dtype), "a");
  const GraphBuilder::Value i = build.parameter(Shape::scalar(place_type), "i");
  const GraphBuilder::Value b = build.parameter(Shape::scalar(dtype), "b");
  const GraphBuilder::Value j = build.parameter(Shape::scalar(place_type), "j");
  const auto or_nan = [&](GraphBuilder::Value holds) {
    return is_float(dtype) ? build.make(Opcode::kOr, {holds, build.compare({a, a}, "NE")}) : holds;
  };
  const GraphBuilder::Value stays = or_nan(build.compare({a, b}, is_most ? "GE" : "LE"));
  const auto value_of = [&] {
    if (wanted == ValueFor::kMaximum) return build.make(found, {a, b});
    if (wanted == ValueFor::kNobody) return build.select({stays, a, b});
    return build.select({or_nan(build.compare({a, b}, is_most ? "GT" : "LT")), a, b});
  };
  const GraphBuilder::Value value = value_of();
  function->set_root(build.tuple({value, build.select({stays, i, j})}));
  return function;
}

// A reduction of the same elements to their largest (smallest), in a loop's step.
Instruction* reduction_beside(const Instruction& reduce, Opcode found) {
  if (reduce.parent() == reduce.parent()->parent()->entry()) return nullptr;
  const std::optional<Literal> start = splat_value(*reduce.operand(2));
  for (Instruction* user : reduce.operand(0)->users()) {
    if (user->opcode != Opcode::kReduce || user->operands().size() != 2 || user->operand(0) != reduce.operand(0))
      continue;
    const bool same = user->attributes->dimensions == reduce.attributes->dimensions &&
                      simple_combiner(**user->attributes->to_apply) == found;
    const std::optional<Literal> other = same ? splat_value(*user->operand(1)) : std::nullopt;
    if (start && other && start->same_value(*other)) return user;
  }
  return nullptr;
}

bool find_in_order(Instruction& reduce) {
  if (reduce.operands().size() != 4 || reduce.attributes->dimensions->size() != 1) return false;
  const std::optional<RowExtents> rows = reduced_rows(reduce);
  if (!rows || (rows->inner == 1 && rows->columns > kShortLoop)) return false;
  const std::optional<Opcode> found = found_by(**reduce.attributes->to_apply);
  if (!found || !counts_places_along(*reduce.operand(1), reduce.attributes->dimensions->front())) return false;
  if (splat_integer(*reduce.operand(3)) != 0) return false;
  const bool is_read = !is_unread(reduce, 0);
  Instruction* beside = is_read ? nullptr : reduction_beside(reduce, *found);
  const ValueFor wanted = is_read ? ValueFor::kResult : beside ? ValueFor::kMaximum : ValueFor::kNobody;
  Module& module = *reduce.parent()->parent();
  reduce.attributes.edit().to_apply = place_in_order(module, reduce, *found, wanted);
  if (beside != nullptr) {
    GraphBuilder after(reduce);
    Instruction* value = after.tuple_element(&reduce, 0);
    beside->replace_all_uses_with(value);
    reduce.parent()->sort();
  }
  return true;
}

}  // namespace

bool split_argmax(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* reduce : instructions_of(module, Opcode::kReduce)) {
    changed |= split_results(*reduce) || find_in_order(*reduce);
  }
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
