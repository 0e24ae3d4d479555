// Evaluating sort, topk and the custom calls for it: rows along one dimension, each sorted by itself by a stable merge
// sort, which stays within bounds whatever the comparator says.
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "ir/evaluate/arrays/evaluate_arrays.h"
#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/evaluate/elements/evaluate_scalar.h"
#include "ir/module/topk_calls.h"

namespace sinter {
namespace {

using elements::Dims;
using elements::ScalarFunction;

// Merges runs of doubling length; `before` is asked only whether the right element goes before the left one.
template <class Before>
void merge_sort(std::vector<int64_t>& order, std::vector<int64_t>& scratch, Before before) {
  const size_t size = order.size();
  scratch.resize(size);
  for (size_t width = 1; width < size; width *= 2) {
    for (size_t start = 0; start < size; start += 2 * width) {
      const size_t middle = std::min(start + width, size);
      const size_t stop = std::min(start + 2 * width, size);
      size_t left = start;
      size_t right = middle;
      for (size_t out = start; out < stop; ++out) {
        const bool take_right = left == middle || (right < stop && before(order[right], order[left]));
        scratch[out] = take_right ? order[right++] : order[left++];
      }
    }
    order.swap(scratch);
  }
}

// The permutation that moves `dimension` to the end.
Dims move_to_end(int64_t rank, int64_t dimension) {
  Dims order = elements::other_dimensions(rank, {dimension});
  order.push_back(dimension);
  return order;
}

Dims inverse(const Dims& permutation) {
  Dims result(permutation.size(), 0);
  for (size_t i = 0; i < permutation.size(); ++i) result[static_cast<size_t>(permutation[i])] = static_cast<int64_t>(i);
  return result;
}

void copy_in_order(std::byte* target, const std::byte* source, const std::vector<int64_t>& order, size_t count,
                   size_t bytes) {
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(target + i * bytes, source + static_cast<size_t>(order[i]) * bytes, bytes);
  }
}

// The operands, which have equal dimensions, with each row along `dimension` sorted.
std::vector<Literal> sort_rows(std::span<const Literal> operands, int64_t dimension, const Computation& function,
                               EvaluateContext& context) {
  const Shape& shape = operands[0].shape();
  const int64_t length = shape.dims[static_cast<size_t>(dimension)];
  const Dims to_rows = move_to_end(shape.rank(), dimension);
  const size_t count = operands.size();
  std::vector<Literal> rows, sorted;
  for (const Literal& operand : operands) {
    rows.push_back(elements::permute(operand, to_rows));
    sorted.emplace_back(rows.back().shape());
  }
  ScalarFunction comparator(function, context);
  std::vector<ScalarFunction::Input> inputs(2 * count);
  std::vector<int64_t> order(static_cast<size_t>(length)), scratch;
  const int64_t row_count = length == 0 ? 0 : shape.element_count() / length;
  for (int64_t row = 0; row < row_count; ++row) {
    const auto address = [&](size_t k, int64_t i) {
      return rows[k].bytes().data() + (row * length + i) * dtype_bytes(rows[k].shape().dtype);
    };
    std::iota(order.begin(), order.end(), int64_t{0});
    merge_sort(order, scratch, [&](int64_t a, int64_t b) {
      for (size_t k = 0; k < count; ++k) {
        inputs[2 * k] = {address(k, a), 1};
        inputs[2 * k + 1] = {address(k, b), 1};
      }
      std::byte before{};
      std::byte* output = &before;
      comparator.run(inputs, std::span(&output, 1), 1);
      return before != std::byte{0};
    });
    for (size_t k = 0; k < count; ++k) {
      const auto bytes = static_cast<size_t>(dtype_bytes(rows[k].shape().dtype));
      std::byte* target = sorted[k].mutable_bytes().data() + static_cast<size_t>(row * length) * bytes;
      copy_in_order(target, address(k, 0), order, order.size(), bytes);
    }
  }
  const Dims back = inverse(to_rows);
  for (size_t k = 0; k < count; ++k) sorted[k] = elements::permute(sorted[k], back).with_shape(operands[k].shape());
  return sorted;
}

}  // namespace

Literal evaluate_sort(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  std::vector<Literal> sorted =
      sort_rows(operands, instruction.attributes->dimensions->front(), **instruction.attributes->to_apply, context);
  return instruction.shape.is_tuple() ? Literal::tuple(std::move(sorted)) : std::move(sorted[0]);
}

Literal evaluate_topk_call(const Instruction& instruction, std::span<const Literal> operands,
                           EvaluateContext& context) {
  const TopkCall call = *topk_call(instruction);
  if (call.is_topk) return evaluate_topk(instruction, operands, context);
  const Computation& function = *instruction.attributes->called_computations->front();
  std::vector<Literal> results;
  for (const Literal& sorted : sort_rows(operands.first(call.arrays), call.dimension, function, context)) {
    Literal first(instruction.shape.elements[results.size()]);
    const Dims& dims = first.shape().dims;
    elements::copy_strided(first.mutable_bytes().data(), strides(dims), sorted.bytes().data(),
                           strides(sorted.shape().dims), dims, dtype_bytes(first.shape().dtype));
    results.push_back(std::move(first));
  }
  return Literal::tuple(std::move(results));
}

// The k first of each row by value (floats in total order); of equal values the lower index comes first.
Literal evaluate_topk(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  const Literal& operand = operands[0];
  const Shape& shape = operand.shape();
  const int64_t length = shape.dims.back();
  const bool largest = instruction.attributes->largest.value_or(true);
  Literal result(instruction.shape);
  Literal& values = result.mutable_elements()[0];
  Literal& indices = result.mutable_elements()[1];
  const auto count = static_cast<size_t>(values.shape().dims.back());
  const int64_t rows = length == 0 ? 0 : shape.element_count() / length;
  context.count_product({shape.element_count(), 4});
  const auto bytes = static_cast<size_t>(dtype_bytes(shape.dtype));
  std::vector<int64_t> order(static_cast<size_t>(length)), scratch;
  elements::visit_element(shape.dtype, [&]<class Element>(const Element& element) {
    using Storage = typename Element::Storage;
    if constexpr (!elements::kIsComplex<Element>) {
      const auto key = [&](Storage stored) {
        if constexpr (elements::kIsFloat<Element>) {
          return elements::total_order_key(element.load(stored));
        } else {
          return element.load(stored);
        }
      };
      for (int64_t row = 0; row < rows; ++row) {
        const Storage* line = operand.values<Storage>().data() + row * length;
        std::iota(order.begin(), order.end(), int64_t{0});
        merge_sort(order, scratch, [&](int64_t a, int64_t b) {
          return largest ? key(line[a]) > key(line[b]) : key(line[a]) < key(line[b]);
        });
        const size_t start = static_cast<size_t>(row) * count;
        copy_in_order(values.mutable_bytes().data() + start * bytes, reinterpret_cast<const std::byte*>(line), order,
                      count, bytes);
        for (size_t i = 0; i < count; ++i) indices.set_integer(static_cast<int64_t>(start + i), order[i]);
      }
    }
  });
  return result;
}

}  // namespace sinter
