// Evaluating dynamic-slice, dynamic-update-slice and gather: start indices are clamped so that windows stay inside.
#include <algorithm>

#include "ir/evaluate/arrays/evaluate_arrays.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace {

using elements::Dims;

// The linear index of the clamped start of a window.
int64_t clamped_start(const Dims& indices, const Dims& dims, const Dims& window) {
  const Dims array_strides = strides(dims);
  int64_t start = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    start += std::clamp<int64_t>(indices[d], 0, dims[d] - window[d]) * array_strides[d];
  }
  return start;
}

}  // namespace

Literal evaluate_dynamic_slice(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  const Shape& from = operands[0].shape();
  Literal result(instruction.shape);
  const int64_t bytes = dtype_bytes(from.dtype);
  const int64_t start = clamped_start(elements::read_indices(operands.subspan(1)), from.dims, instruction.shape.dims);
  elements::copy_strided(result.mutable_bytes().data(), strides(instruction.shape.dims),
                         operands[0].bytes().data() + start * bytes, strides(from.dims), instruction.shape.dims, bytes);
  return result;
}

Literal evaluate_dynamic_update_slice(const Instruction& instruction, std::span<const Literal> operands,
                                      EvaluateContext& context) {
  const Literal update = operands[1];
  const Dims& window = update.shape().dims;
  const int64_t start = clamped_start(elements::read_indices(operands.subspan(2)), instruction.shape.dims, window);
  Literal result = context.take(operands, 0);
  const int64_t bytes = dtype_bytes(instruction.shape.dtype);
  elements::copy_strided(result.mutable_bytes().data() + start * bytes, strides(instruction.shape.dims),
                         update.bytes().data(), strides(window), window, bytes);
  return result;
}

Literal evaluate_gather(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  const Attributes& attributes = instruction.attributes;
  const Shape& from = operands[0].shape();
  const Literal& indices = operands[1];
  const Shape& shape = instruction.shape;
  const Dims offset_dims = attributes.offset_dims.value_or(Dims{});
  const Dims start_index_map = attributes.start_index_map.value_or(Dims{});
  const Dims operand_batching = attributes.operand_batching_dims.value_or(Dims{});
  const Dims indices_batching = attributes.start_indices_batching_dims.value_or(Dims{});
  const Dims slice_sizes = attributes.slice_sizes.value_or(Dims{});
  const int64_t vector_dim = attributes.index_vector_dim.value_or(indices.shape().rank());

  Dims dropped = attributes.collapsed_slice_dims.value_or(Dims{});
  dropped.insert(dropped.end(), operand_batching.begin(), operand_batching.end());
  const Dims window_dims = elements::other_dimensions(from.rank(), dropped);      // of the operand
  const Dims batch_dims = elements::other_dimensions(shape.rank(), offset_dims);  // of the result

  // The batch dimensions of the indices, in the order in which the result has them.
  const Dims index_batch_dims = elements::other_dimensions(indices.shape().rank(), {vector_dim});
  const Dims index_strides = strides(indices.shape().dims);
  const int64_t vector_stride =
      vector_dim < indices.shape().rank() ? index_strides[static_cast<size_t>(vector_dim)] : 0;
  const Dims batch_strides_in_indices = elements::pick(index_strides, index_batch_dims);

  Literal result(shape);
  if (result.element_count() == 0) return result;
  const int64_t bytes = dtype_bytes(shape.dtype);
  const Dims result_strides = strides(shape.dims);
  const Dims from_strides = strides(from.dims);
  const Dims batch_result_strides = elements::pick(result_strides, batch_dims);
  const Dims window_result_strides = elements::pick(result_strides, offset_dims);
  const Dims window_from_strides = elements::pick(from_strides, window_dims);
  const Dims window_sizes = elements::pick(shape.dims, offset_dims);
  const Dims batch_sizes = elements::pick(shape.dims, batch_dims);
  std::byte* target = result.mutable_bytes().data();

  Dims batch(batch_sizes.size(), 0);
  do {
    const int64_t first = elements::linear_index(batch, batch_strides_in_indices);
    int64_t source = 0;
    for (size_t k = 0; k < start_index_map.size(); ++k) {
      const auto d = static_cast<size_t>(start_index_map[k]);
      const int64_t start = elements::read_index(indices, first + static_cast<int64_t>(k) * vector_stride);
      source += std::clamp<int64_t>(start, 0, from.dims[d] - slice_sizes[d]) * from_strides[d];
    }
    for (size_t j = 0; j < operand_batching.size(); ++j) {
      const auto position = std::find(index_batch_dims.begin(), index_batch_dims.end(), indices_batching[j]);
      const auto b = static_cast<size_t>(position - index_batch_dims.begin());
      source += batch[b] * from_strides[static_cast<size_t>(operand_batching[j])];
    }
    elements::copy_strided(target + elements::linear_index(batch, batch_result_strides) * bytes, window_result_strides,
                           operands[0].bytes().data() + source * bytes, window_from_strides, window_sizes, bytes);
  } while (elements::next_index(batch, batch_sizes));
  return result;
}

}  // namespace sinter
