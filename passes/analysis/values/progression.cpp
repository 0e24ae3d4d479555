#include "passes/analysis/values/progression.h"

#include <vector>

namespace sinter {

namespace {

// The one dimension along which neighbours differ; -1: none, or several.
int64_t varying_dimension(const Literal& literal) {
  const std::vector<int64_t>& dims = literal.shape().dims;
  int64_t found = -1, stride = 1;
  for (int64_t dim = std::ssize(dims) - 1; dim >= 0; --dim) {
    const int64_t extent = dims[static_cast<size_t>(dim)];
    for (int64_t i = 0; extent > 1 && i + stride < literal.element_count(); ++i) {
      if (i / stride % extent == extent - 1 || literal.integer_at(i) == literal.integer_at(i + stride)) continue;
      if (found >= 0) return -1;
      found = dim;
      break;
    }
    stride *= extent;
  }
  return found;
}

}  // namespace

std::optional<Progression> find_progression(const Literal& literal) {
  const Shape& shape = literal.shape();
  if (!shape.is_array() || !is_integer(shape.dtype) || literal.is_elided()) return std::nullopt;
  Progression result;
  result.dimension = varying_dimension(literal);
  if (result.dimension < 0) return std::nullopt;
  const auto dim = static_cast<size_t>(result.dimension);
  const int64_t extent = shape.dims[dim];
  int64_t stride = 1;
  for (size_t after = dim + 1; after < shape.dims.size(); ++after) stride *= shape.dims[after];
  const auto at = [&](int64_t i) { return literal.integer_at(i * stride); };

  // Runs of equal elements, three at the least: the first may be shorter than the others, and so may the last.
  const auto end_of_run = [&](int64_t begin) {
    int64_t end = begin + 1;
    while (end < extent && at(end) == at(begin)) ++end;
    return end;
  };
  const int64_t second = end_of_run(0), third = second < extent ? end_of_run(second) : extent;
  if (third >= extent) return std::nullopt;
  result.first = at(0);
  result.step = at(second) - at(0);
  result.repeats = third - second;
  result.shift = result.repeats - second;
  if (result.shift < 0) return std::nullopt;
  for (int64_t i = third; i < extent; ++i) {
    if (at(i) != result.element(i)) return std::nullopt;
  }
  return result;
}

}  // namespace sinter
