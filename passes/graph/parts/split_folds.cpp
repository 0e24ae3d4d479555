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
#include "passes/graph/parts/partial_reduction.h"
#include "passes/graph/parts/thread_rows.h"

namespace sinter {
namespace {

// How many elements of a row a part has. Elements of a row that are neighbours are a line of memory then, which a
// thread reads on its own.
std::optional<int64_t> part_of(const RowExtents& rows, bool in_body) {
  // Threads that are many, and read what neighbours read beside it, lose little by going through more. No
  // measurement of these is on record: 65536 rows are some 500 threads a multiprocessor of an H200, neighbours a warp.
  constexpr int64_t kManyRows = 65536;  // results
  constexpr int64_t kNeighbours = 32;   // results side by side
  constexpr int64_t kFewOfMany = 1024;  // elements of a row
  if (rows.columns <= (in_body ? kShortInBody : kShortOrdered)) return std::nullopt;
  if (rows.rows >= kManyRows && rows.inner >= kNeighbours && rows.columns <= kFewOfMany) return std::nullopt;
  return near_divisor(rows.columns, kOrderedPart);
}

bool split_fold(Instruction& reduce) {
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
  for (Instruction* reduce : reductions_to_split(module)) changed |= split_fold(*reduce);
  return changed;
}

}  // namespace sinter
