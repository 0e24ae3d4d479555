// Index maps with one source and no guard.
//
// A reshape relinearises in row-major order. Its two shapes are cut into runs of dimensions with equal numbers of
// elements, and each run is relinearised on its own: [8,6,5] to [8,3,10] is 8 to 8 and [6,5] to [3,10]. So
// dimensions that stay are passed through, and division and modulo are by no more than a run's strides.
#include "ir/ops/source_index.h"

#include <algorithm>

namespace sinter {
namespace {

size_t at(int64_t dimension) { return static_cast<size_t>(dimension); }

}  // namespace

std::vector<IndexExpr> broadcast_source_index(const Instruction& instruction, const std::vector<IndexExpr>& index) {
  std::vector<IndexExpr> source;
  if (!instruction.attributes->dimensions) return source;
  for (const int64_t dimension : *instruction.attributes->dimensions) source.push_back(index[at(dimension)]);
  return source;
}

std::vector<IndexExpr> reshape_source_index(const Instruction& instruction, const std::vector<IndexExpr>& index) {
  const std::vector<int64_t>& from = instruction.operand(0)->shape.dims;
  const std::vector<int64_t>& to = instruction.shape.dims;
  std::vector<IndexExpr> source(from.size());
  if (instruction.shape.element_count() == 0) return source;  // no element has an index

  size_t i = 0;
  size_t j = 0;
  while (i < from.size() || j < to.size()) {
    if (i < from.size() && from[i] == 1) {
      ++i;
      continue;
    }
    if (j < to.size() && to[j] == 1) {
      ++j;
      continue;
    }
    // The shortest runs with equal products; the sizes are at least 2 or 1 within a run, so both ends are reached.
    std::vector<int64_t> from_run = {from[i]};
    std::vector<int64_t> to_run = {to[j]};
    std::vector<IndexExpr> to_index = {index[j]};
    const size_t first = i++;
    ++j;
    int64_t from_count = from_run[0];
    int64_t to_count = to_run[0];
    while (from_count != to_count) {
      if (from_count < to_count) {
        from_run.push_back(from[i]);
        from_count *= from[i++];
      } else {
        to_run.push_back(to[j]);
        to_index.push_back(index[j]);
        to_count *= to[j++];
      }
    }
    const std::vector<IndexExpr> part = delinearize(linearize(to_index, to_run), from_run);
    std::copy(part.begin(), part.end(), source.begin() + static_cast<int64_t>(first));
  }
  return source;
}

std::vector<IndexExpr> transpose_source_index(const Instruction& instruction, const std::vector<IndexExpr>& index) {
  const std::vector<int64_t>& dimensions = *instruction.attributes->dimensions;
  std::vector<IndexExpr> source(dimensions.size());
  for (size_t i = 0; i < dimensions.size(); ++i) source[at(dimensions[i])] = index[i];
  return source;
}

std::vector<IndexExpr> reverse_source_index(const Instruction& instruction, const std::vector<IndexExpr>& index) {
  std::vector<IndexExpr> source = index;
  for (const int64_t dimension : *instruction.attributes->dimensions) {
    source[at(dimension)] = IndexExpr(instruction.shape.dims[at(dimension)] - 1) - index[at(dimension)];
  }
  return source;
}

std::vector<IndexExpr> slice_source_index(const Instruction& instruction, const std::vector<IndexExpr>& index) {
  const std::vector<SliceBounds>& slices = *instruction.attributes->slice;
  std::vector<IndexExpr> source;
  for (size_t i = 0; i < slices.size(); ++i) source.push_back(index[i] * slices[i].stride + slices[i].start);
  return source;
}

}  // namespace sinter
