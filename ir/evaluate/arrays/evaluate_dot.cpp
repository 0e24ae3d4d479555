// Evaluating dot and ragged-dot: the operands are brought into the form [batch, rows, contracted] and [batch,
// contracted, columns] and multiplied in the wide type.
#include <algorithm>

#include "ir/evaluate/arrays/evaluate_arrays.h"
#include "ir/evaluate/elements/evaluate_wide.h"
#include "ir/ops/dot_operands.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace {

using elements::Dims;

struct MatrixSizes {
  int64_t rows = 1;
  int64_t inner = 1;
  int64_t columns = 1;
};

// result += lhs * rhs, the terms of each sum in order.
template <class T>
void multiply_add(const MatrixSizes& sizes, const T* lhs, const T* rhs, T* result) {
  for (int64_t i = 0; i < sizes.rows; ++i) {
    T* line = result + i * sizes.columns;
    for (int64_t k = 0; k < sizes.inner; ++k) {
      const T factor = lhs[i * sizes.inner + k];
      const T* terms = rhs + k * sizes.columns;
      for (int64_t j = 0; j < sizes.columns; ++j) {
        line[j] = elements::wrapping_add(line[j], elements::wrapping_multiply(factor, terms[j]));
      }
    }
  }
}

Dims concatenated(std::initializer_list<Dims> parts) {
  Dims all;
  for (const Dims& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// The dimension numbers of a dot, with the free ones worked out.
struct DotDims {
  explicit DotDims(const Instruction& instruction, const Shape& lhs, const Shape& rhs)
      : lhs_batch(instruction.attributes->lhs_batch_dims.value_or(Dims{})),
        rhs_batch(instruction.attributes->rhs_batch_dims.value_or(Dims{})),
        lhs_inner(instruction.attributes->lhs_contracting_dims.value_or(Dims{})),
        rhs_inner(instruction.attributes->rhs_contracting_dims.value_or(Dims{})),
        lhs_free(elements::other_dimensions(lhs.rank(), concatenated({lhs_batch, lhs_inner}))),
        rhs_free(elements::other_dimensions(rhs.rank(), concatenated({rhs_batch, rhs_inner}))) {}
  Dims lhs_batch, rhs_batch, lhs_inner, rhs_inner, lhs_free, rhs_free;
};

int64_t size_of(const Shape& shape, const Dims& which) { return elements::product(elements::pick(shape.dims, which)); }

}  // namespace

Literal evaluate_dot(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  const Shape lhs_shape = operands[0].shape();
  const Shape rhs_shape = operands[1].shape();
  const DotDims dims(instruction, lhs_shape, rhs_shape);
  const MatrixSizes sizes = {size_of(lhs_shape, dims.lhs_free), size_of(lhs_shape, dims.lhs_inner),
                             size_of(rhs_shape, dims.rhs_free)};
  const int64_t batches = size_of(lhs_shape, dims.lhs_batch);
  context.count_product({batches, sizes.rows, sizes.columns, sizes.inner});
  const Literal lhs_ordered =
      elements::permute(operands[0], concatenated({dims.lhs_batch, dims.lhs_free, dims.lhs_inner}));
  const Literal rhs_ordered =
      elements::permute(operands[1], concatenated({dims.rhs_batch, dims.rhs_inner, dims.rhs_free}));
  const std::optional<DType> rounded = operands_round_to(instruction);
  return elements::visit_wide(lhs_shape.dtype, rhs_shape.dtype, instruction.shape.dtype, [&]<class T>(T) {
    const auto widened = [&](const Literal& operand) {
      const std::vector<T> wide = elements::widen<T>(operand);
      return rounded ? elements::widen<T>(elements::narrow(wide, Shape::array(*rounded, operand.shape().dims))) : wide;
    };
    const std::vector<T> lhs = widened(lhs_ordered), rhs = widened(rhs_ordered);
    std::vector<T> result(static_cast<size_t>(instruction.shape.element_count()), T(0));
    for (int64_t b = 0; b < batches; ++b) {
      multiply_add(sizes, lhs.data() + b * sizes.rows * sizes.inner, rhs.data() + b * sizes.inner * sizes.columns,
                   result.data() + b * sizes.rows * sizes.columns);
    }
    return elements::narrow(result, instruction.shape);
  });
}

namespace {

// Every element times the scale of its block: the scales' dimensions divide the operand's. The products are exact in
// double, which the result's type need not be.
Literal scaled(const Literal& operand, const Literal& scale) {
  const Shape wide = Shape::array(DType::kF64, operand.shape().dims);
  std::vector<double> values = elements::widen<double>(operand);
  const std::vector<double> factors = elements::widen<double>(scale);
  const Dims& dims = operand.shape().dims;
  Dims index(dims.size(), 0);
  const Dims factor_strides = strides(scale.shape().dims);
  for (double& value : values) {
    int64_t factor = 0;
    for (size_t d = 0; d < factor_strides.size(); ++d) {
      factor += index[d] / (dims[d] / scale.shape().dims[d]) * factor_strides[d];
    }
    value *= factors[static_cast<size_t>(factor)];
    elements::next_index(index, dims);
  }
  return elements::narrow(values, wide);
}

}  // namespace

// Operands are lhs, its scales, rhs, its scales.
Literal evaluate_scaled_dot(const Instruction& instruction, std::span<const Literal> operands,
                            EvaluateContext& context) {
  const std::vector<Literal> pair = {scaled(operands[0], operands[1]), scaled(operands[2], operands[3])};
  return evaluate_dot(instruction, pair, context);
}

// Three modes, by what the ragged dimension of the lhs is (its groups lie one after the other; what is beyond the
// last group contributes nothing):
//   free         [batch, rows, k] x [group, batch, k, columns] -> [batch, rows, columns]
//   contracting  [batch, rows, k] x [batch, k, columns]        -> [group, batch, rows, columns]
//   batch        a plain batched dot
Literal evaluate_ragged_dot(const Instruction& instruction, std::span<const Literal> operands,
                            EvaluateContext& context) {
  const Shape& lhs_shape = operands[0].shape();
  const Shape& rhs_shape = operands[1].shape();
  const int64_t ragged = instruction.attributes->lhs_ragged_dims->front();
  DotDims dims(instruction, lhs_shape, rhs_shape);
  const auto is_in = [&](const Dims& list) { return std::find(list.begin(), list.end(), ragged) != list.end(); };
  if (is_in(dims.lhs_batch)) return evaluate_dot(instruction, operands.first(2), context);

  // Group sizes may have leading dimensions: those of lhs that come before the ragged one, in batch, free order.
  const Literal& group_sizes = operands[2];
  const int64_t groups = group_sizes.shape().dims.back();
  const bool contracting = is_in(dims.lhs_inner);
  const Dims rhs_group = instruction.attributes->rhs_group_dims.value_or(Dims{});
  dims.rhs_free =
      elements::other_dimensions(rhs_shape.rank(), concatenated({rhs_group, dims.rhs_batch, dims.rhs_inner}));
  const MatrixSizes sizes = {size_of(lhs_shape, dims.lhs_free), size_of(lhs_shape, dims.lhs_inner),
                             size_of(rhs_shape, dims.rhs_free)};
  const int64_t batches = size_of(lhs_shape, dims.lhs_batch);
  context.count_product({groups, batches, sizes.rows, sizes.columns, sizes.inner});
  const Literal lhs_ordered =
      elements::permute(operands[0], concatenated({dims.lhs_batch, dims.lhs_free, dims.lhs_inner}));
  const Literal rhs_ordered =
      elements::permute(operands[1], concatenated({rhs_group, dims.rhs_batch, dims.rhs_inner, dims.rhs_free}));
  const int64_t sets = group_sizes.element_count() / std::max<int64_t>(1, groups);
  return elements::visit_wide(lhs_shape.dtype, rhs_shape.dtype, instruction.shape.dtype, [&]<class T>(T) {
    const std::vector<T> lhs = elements::widen<T>(lhs_ordered);
    const std::vector<T> rhs = elements::widen<T>(rhs_ordered);
    std::vector<T> result(static_cast<size_t>(instruction.shape.element_count()), T(0));
    const int64_t matrix = sizes.rows * sizes.columns;
    for (int64_t b = 0; b < batches; ++b) {
      const int64_t set = sets == batches ? b : 0;
      int64_t start = 0;
      for (int64_t g = 0; g < groups; ++g) {
        const int64_t extent = contracting ? sizes.inner : sizes.rows;
        const int64_t stop = std::clamp<int64_t>(start + group_sizes.integer_at(set * groups + g), start, extent);
        const T* lhs_matrix = lhs.data() + b * sizes.rows * sizes.inner;
        if (contracting) {
          for (int64_t i = 0; i < sizes.rows; ++i) {
            multiply_add({1, stop - start, sizes.columns}, lhs_matrix + i * sizes.inner + start,
                         rhs.data() + (b * sizes.inner + start) * sizes.columns,
                         result.data() + (g * batches + b) * matrix + i * sizes.columns);
          }
        } else {
          multiply_add({stop - start, sizes.inner, sizes.columns}, lhs_matrix + start * sizes.inner,
                       rhs.data() + (g * batches + b) * sizes.inner * sizes.columns,
                       result.data() + b * matrix + start * sizes.columns);
        }
        start = stop;
      }
    }
    return elements::narrow(result, instruction.shape);
  });
}

}  // namespace sinter
