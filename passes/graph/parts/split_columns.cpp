// split_columns: a reduction of many rows of a few columns each, which lie side by side, is one of each column.
//
//   %s = f32[512,3] reduce(%x, %zero), dimensions={1}     x f32[512,65536,3]
//                                                         =>
//   %x_q = f32[512,65536,1] slice(%x), slice={[0:512], [0:65536], [q:q+1]}          for q of 0, 1, 2
//   %s_q = f32[512,1] reduce(%x_q, %zero), dimensions={1}
//   %s = f32[512,3] concatenate(%s_0, %s_1, %s_2), dimensions={1}
//
// Where these are few, they are made in parts first (split_reductions.cpp). All are rows of one kernel, in which a
// thread has a record, all columns of a row, and a sum for each: it reads what is side by side at once, and what is the
// same for all columns once. Otherwise a thread has one column, in accesses of four bytes, and lanes beside each other
// read what the columns share anew. The program is planned without it, too: what else is made of the array in the same
// kernel may want its elements in another way.
#include <algorithm>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/parts/attended_later.h"
#include "passes/graph/parts/partial_reduction.h"

namespace sinter {
namespace {

constexpr int64_t kMostColumns = 8;
// Rows: fewer are a thread's, or a few threads', for each column.
constexpr int64_t kFewestRows = 256;
// Elements: fewer are read in less than what a launch takes.
constexpr int64_t kManyElements = int64_t{1} << 20;

// The dimensions behind this one have the columns.
int64_t last_reduced(const Instruction& reduce) { return std::ranges::max(*reduce.attributes->dimensions); }

// How many columns a reduction has that is better apart; 0: it stays.
int64_t columns_of(const Instruction& reduce) {
  if (reduce.operands().size() != 2 || !simple_combiner(**reduce.attributes->to_apply)) return 0;
  const std::optional<RowExtents> rows = reduced_rows(reduce);
  const bool few = rows && rows->inner > 1 && rows->inner <= kMostColumns;
  const Shape& shape = reduce.operand(0)->shape;
  if (!few || rows->columns < kFewestRows || shape.element_count() < kManyElements) return 0;
  int64_t columns = 1;
  for (int64_t dim = last_reduced(reduce) + 1; dim < shape.rank(); ++dim) columns *= shape.dims[dim];
  return columns == rows->inner ? columns : 0;
}

void separate(Instruction& reduce, int64_t columns) {
  GraphBuilder build(reduce);
  const GraphBuilder::Dims result = reduce.shape.dims;
  const GraphBuilder::Dims all = reduce.operand(0)->shape.dims;
  const int64_t rank = std::ssize(all), last = last_reduced(reduce);
  const Rare<Attributes> attributes = reduce.attributes;
  GraphBuilder::Dims pieces = result;
  for (int64_t kept = last + 1; kept < rank; ++kept) pieces.pop_back();
  pieces.push_back(1);
  std::vector<Instruction*> sums;
  for (int64_t q = 0; q < columns; ++q) {
    Instruction* column = reduce.operand(0);
    int64_t inner = columns, place = q;
    for (int64_t dim = last + 1; dim < rank; ++dim) {
      inner /= all[dim];
      if (all[dim] > 1) column = build.slice(column, dim, place / inner, place / inner + 1);
      place %= inner;
    }
    sums.push_back(build.reshape(build.make(Opcode::kReduce, {column, reduce.operand(1)}, attributes), pieces));
  }
  pieces.back() = columns;
  const int64_t along = std::ssize(pieces) - 1;
  if (pieces != result) return become(reduce, Opcode::kReshape, {build.concatenate(sums, along)});
  Attributes stacked;
  stacked.dimensions = {along};
  become(reduce, Opcode::kConcatenate, sums, std::move(stacked));
}

}  // namespace

bool split_columns(Module& module, const GraphPassOptions& options) {
  constexpr int64_t kFewBlocks = 64;  // a block a sum, or a record of these
  bool changed = false;
  const std::set<const Instruction*> attended = attended_later(module, options);
  for (Instruction* reduce : reductions_to_split(module)) {
    const int64_t columns = attended.contains(reduce) ? 0 : columns_of(*reduce);
    const bool few = columns > 0 && reduce->shape.element_count() / columns < kFewBlocks;
    if (few) changed |= split_reduction(*reduce, 0);
  }
  for (Instruction* reduce : reductions_to_split(module)) {
    const int64_t columns = attended.contains(reduce) ? 0 : columns_of(*reduce);
    if (columns == 0) continue;
    separate(*reduce, columns);
    changed = true;
  }
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
