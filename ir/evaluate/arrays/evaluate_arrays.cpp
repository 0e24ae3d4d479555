// Strided copies, permutations and index walks for the evaluator.
#include "ir/evaluate/arrays/evaluate_arrays.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <numeric>

#include "ir/support/diagnostics.h"

namespace sinter::elements {
namespace {

// A loop of a strided copy, innermost last.
struct Loop {
  int64_t count = 0;
  int64_t target_stride = 0;
  int64_t source_stride = 0;
};

// Drops loops of one step and joins a loop with the one inside it where together they are one.
std::vector<Loop> joined_loops(const Dims& dims, const Dims& target_strides, const Dims& source_strides) {
  std::vector<Loop> loops;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1) continue;
    const Loop loop{dims[d], target_strides[d], source_strides[d]};
    if (!loops.empty() && loops.back().target_stride == loop.count * loop.target_stride &&
        loops.back().source_stride == loop.count * loop.source_stride) {
      loops.back() = {loops.back().count * loop.count, loop.target_stride, loop.source_stride};
    } else {
      loops.push_back(loop);
    }
  }
  return loops;
}

template <class T>
void copy_line(T* target, const T* source, const Loop& loop) {
  if (loop.target_stride == 1 && loop.source_stride == 1) {
    std::memcpy(target, source, static_cast<size_t>(loop.count) * sizeof(T));
  } else if (loop.target_stride == 1 && loop.source_stride == 0) {
    std::fill_n(target, loop.count, *source);
  } else {
    for (int64_t i = 0; i < loop.count; ++i) target[i * loop.target_stride] = source[i * loop.source_stride];
  }
}

template <class T>
void copy_loops(std::byte* target_bytes, const std::byte* source_bytes, const std::vector<Loop>& loops) {
  T* target = reinterpret_cast<T*>(target_bytes);
  const T* source = reinterpret_cast<const T*>(source_bytes);
  if (loops.empty()) {
    *target = *source;
    return;
  }
  std::vector<int64_t> index(loops.size(), 0);
  const size_t inner = loops.size() - 1;
  while (true) {
    copy_line(target, source, loops[inner]);
    size_t d = inner;
    while (d > 0) {
      --d;
      target += loops[d].target_stride;
      source += loops[d].source_stride;
      if (++index[d] < loops[d].count) break;
      target -= loops[d].target_stride * loops[d].count;
      source -= loops[d].source_stride * loops[d].count;
      index[d] = 0;
      if (d == 0) return;
    }
    if (inner == 0) return;
  }
}

}  // namespace

void copy_strided(std::byte* target, const Dims& target_strides, const std::byte* source, const Dims& source_strides,
                  const Dims& dims, int64_t element_bytes) {
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return;
  const std::vector<Loop> loops = joined_loops(dims, target_strides, source_strides);
  switch (element_bytes) {
    case 1:
      return copy_loops<uint8_t>(target, source, loops);
    case 2:
      return copy_loops<uint16_t>(target, source, loops);
    case 4:
      return copy_loops<uint32_t>(target, source, loops);
    case 8:
      return copy_loops<uint64_t>(target, source, loops);
    case 16:
      return copy_loops<std::complex<double>>(target, source, loops);
    default:
      throw InternalError("evaluate", "unexpected element size");
  }
}

bool next_index(Dims& index, const Dims& dims) {
  for (size_t d = dims.size(); d-- > 0;) {
    if (++index[d] < dims[d]) return true;
    index[d] = 0;
  }
  return false;
}

int64_t product(const Dims& dims) { return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>()); }

int64_t linear_index(const Dims& index, const Dims& strides) {
  int64_t linear = 0;
  for (size_t d = 0; d < index.size(); ++d) linear += index[d] * strides[d];
  return linear;
}

Dims pick(const Dims& dims, const Dims& which) {
  Dims picked;
  picked.reserve(which.size());
  for (const int64_t d : which) picked.push_back(dims[static_cast<size_t>(d)]);
  return picked;
}

Dims other_dimensions(int64_t rank, const Dims& listed) {
  Dims others;
  for (int64_t d = 0; d < rank; ++d) {
    if (std::find(listed.begin(), listed.end(), d) == listed.end()) others.push_back(d);
  }
  return others;
}

Literal permute(const Literal& literal, const Dims& permutation) {
  if (std::is_sorted(permutation.begin(), permutation.end())) return literal;
  const Shape& from = literal.shape();
  Literal result(Shape::array(from.dtype, pick(from.dims, permutation)));
  copy_strided(result.mutable_bytes().data(), strides(result.shape().dims), literal.bytes().data(),
               pick(strides(from.dims), permutation), result.shape().dims, dtype_bytes(from.dtype));
  return result;
}

Literal reshape(Literal literal, const Shape& shape) {
  check(literal.element_count() == shape.element_count(), "evaluate", "reshape changes the number of elements");
  return literal.with_shape(shape);
}

Literal element_at(const Literal& literal, int64_t linear) {
  Literal result(Shape::scalar(literal.shape().dtype));
  const auto bytes = static_cast<size_t>(dtype_bytes(literal.shape().dtype));
  std::memcpy(result.mutable_bytes().data(), literal.bytes().data() + static_cast<size_t>(linear) * bytes, bytes);
  return result;
}

void fill(Literal& target, const Literal& scalar) {
  copy_strided(target.mutable_bytes().data(), {1}, scalar.bytes().data(), {0}, {target.element_count()},
               dtype_bytes(target.shape().dtype));
}

int64_t read_index(const Literal& literal, int64_t linear) {
  const int64_t value = literal.integer_at(linear);
  if (literal.shape().dtype == DType::kU64 && value < 0) return INT64_MAX;
  return value;
}

Dims read_indices(std::span<const Literal> operands) {
  Dims indices;
  for (const Literal& operand : operands) {
    for (int64_t i = 0; i < operand.element_count(); ++i) indices.push_back(read_index(operand, i));
  }
  return indices;
}

}  // namespace sinter::elements
