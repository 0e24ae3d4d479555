// split_folds: long reductions whose function is no single operation, the place of a largest value, a sum of
// exponentials by their logarithms, are made of parts of a few dozen elements, in order, a thread each; what those come
// to again, until a few are left.
//
//   %r = (f32[8], s32[8]) reduce(%x, %i, -inf, 0)    =>   %p = (f32[3125,8], s32[3125,8]) reduce(...), dimensions={1}
//   x f32[100000,8], dimensions={0}                       %q = (f32[125,8], s32[125,8]) reduce(%p...), dimensions={1}
//                                                         ...
//
// Only where the function gives the same in parts (try_combiner.h). Any other is applied by a thread, in order.
#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/prepare/partial_reduction.h"

namespace sinter {
namespace {

// How many elements of a row a part has. Elements of a row that are neighbours are a line of memory then, which a
// thread reads on its own.
std::optional<int64_t> part_of(const RowExtents& rows, bool in_body) {
  // That a thread goes through; in a loop's body, all of which it may run, many.
  constexpr int64_t kFew = 64, kFewInBody = 1024;
  constexpr int64_t kPart = 32;
  constexpr int64_t kManyRows = 65536, kNeighbours = 32, kFewOfMany = 1024;
  if (rows.columns <= (in_body ? kFewInBody : kFew)) return std::nullopt;
  // Threads that are many, and read what neighbours read beside it, lose little.
  if (rows.rows >= kManyRows && rows.inner >= kNeighbours && rows.columns <= kFewOfMany) return std::nullopt;
  return near_divisor(rows.columns, kPart);
}

bool split(Instruction& reduce) {
  const std::optional<RowExtents> rows = reduced_rows(reduce);
  const bool in_body = reduce.parent() != reduce.parent()->parent()->entry();
  if (!rows || simple_combiner(**reduce.attributes->to_apply) || !part_of(*rows, in_body)) return false;
  std::optional<PartialReduction> parts = PartialReduction::of(reduce);
  if (!parts) return false;
  std::optional<RowExtents> left = rows;
  while (const std::optional<int64_t> part = left ? part_of(*left, in_body) : std::nullopt) {
    parts->in_parts(*left, *part);
    left = reduced_rows(reduce);
  }
  return true;
}

}  // namespace

bool split_folds(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* reduce : reductions_to_split(module)) changed |= split(*reduce);
  return changed;
}

}  // namespace sinter
