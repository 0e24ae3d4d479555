// Evaluating ops that only move elements: broadcast, reshape, transpose, slice, pad, concatenate and their like.
#include <algorithm>
#include <cstring>

#include "ir/evaluate/arrays/evaluate_arrays.h"
#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace {

using elements::Dims;

// Element `index` of the result is operand element offset + sum index_d * source_strides_d.
Literal gather_strided(const Shape& shape, const Literal& operand, int64_t offset, const Dims& source_strides) {
  Literal result(shape);
  if (result.element_count() == 0) return result;
  const int64_t bytes = dtype_bytes(shape.dtype);
  elements::copy_strided(result.mutable_bytes().data(), strides(shape.dims), operand.bytes().data() + offset * bytes,
                         source_strides, shape.dims, bytes);
  return result;
}

// The bytes in the order in which the layout puts them, and back.
Dims major_to_minor(const Shape& shape) {
  Dims order = minor_to_major(shape);
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

Literal evaluate_broadcast(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  const Dims operand_strides = strides(operands[0].shape().dims);
  const Dims mapping = instruction.attributes->dimensions.value_or(Dims{});
  Dims source_strides(instruction.shape.dims.size(), 0);
  for (size_t d = 0; d < mapping.size(); ++d) source_strides[static_cast<size_t>(mapping[d])] = operand_strides[d];
  return gather_strided(instruction.shape, operands[0], 0, source_strides);
}

Literal evaluate_reshape(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  return elements::reshape(context.take(operands, 0), instruction.shape);
}

// Of a static shape: the sizes can be only those of the shape.
Literal evaluate_dynamic_reshape(const Instruction& instruction, std::span<const Literal> operands,
                                 EvaluateContext& context) {
  return elements::reshape(context.take(operands, 0), instruction.shape);
}

Literal evaluate_transpose(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  return elements::permute(operands[0], *instruction.attributes->dimensions).with_shape(instruction.shape);
}

Literal evaluate_reverse(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  Dims source_strides = strides(instruction.shape.dims);
  int64_t offset = 0;
  for (const int64_t listed : *instruction.attributes->dimensions) {
    const auto d = static_cast<size_t>(listed);
    offset += (instruction.shape.dims[d] - 1) * source_strides[d];
    source_strides[d] = -source_strides[d];
  }
  return gather_strided(instruction.shape, operands[0], offset, source_strides);
}

Literal evaluate_slice(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  Dims source_strides = strides(operands[0].shape().dims);
  int64_t offset = 0;
  for (size_t d = 0; d < source_strides.size(); ++d) {
    const SliceBounds& bounds = (*instruction.attributes->slice)[d];
    offset += bounds.start * source_strides[d];
    source_strides[d] *= bounds.stride;
  }
  return gather_strided(instruction.shape, operands[0], offset, source_strides);
}

Literal evaluate_concatenate(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  const auto dimension = static_cast<size_t>(instruction.attributes->dimensions->front());
  Literal result(instruction.shape);
  if (result.element_count() == 0) return result;
  const Dims result_strides = strides(instruction.shape.dims);
  const int64_t bytes = dtype_bytes(instruction.shape.dtype);
  std::byte* target = result.mutable_bytes().data();
  for (const Literal& operand : operands) {
    const Dims& dims = operand.shape().dims;
    elements::copy_strided(target, result_strides, operand.bytes().data(), strides(dims), dims, bytes);
    target += dims[dimension] * result_strides[dimension] * bytes;
  }
  return result;
}

Literal evaluate_pad(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  const Literal& operand = operands[0];
  Literal result(instruction.shape);
  if (result.element_count() == 0) return result;
  elements::fill(result, operands[1]);
  const Dims result_strides = strides(instruction.shape.dims);
  const Dims operand_strides = strides(operand.shape().dims);
  const int64_t bytes = dtype_bytes(instruction.shape.dtype);
  // Operand element i of a dimension lands at low + i * (interior + 1); with negative padding only those from
  // `first` to `last` land inside.
  Dims counts, target_strides;
  int64_t source = 0;
  int64_t target = 0;
  for (size_t d = 0; d < operand_strides.size(); ++d) {
    const PadBounds& pad = (*instruction.attributes->padding)[d];
    const int64_t spacing = pad.interior + 1;
    const int64_t first = pad.low < 0 ? (-pad.low + spacing - 1) / spacing : 0;
    const int64_t room = instruction.shape.dims[d] - 1 - pad.low;
    const int64_t last = room < 0 ? -1 : std::min(operand.shape().dims[d] - 1, room / spacing);
    if (last < first) return result;
    counts.push_back(last - first + 1);
    source += first * operand_strides[d];
    target += (pad.low + first * spacing) * result_strides[d];
    target_strides.push_back(spacing * result_strides[d]);
  }
  elements::copy_strided(result.mutable_bytes().data() + target * bytes, target_strides,
                         operand.bytes().data() + source * bytes, operand_strides, counts, bytes);
  return result;
}

Literal evaluate_iota(const Instruction& instruction, std::span<const Literal>, EvaluateContext&) {
  const Shape& shape = instruction.shape;
  const auto dimension = static_cast<size_t>(*instruction.attributes->iota_dimension);
  Literal line(Shape::array(shape.dtype, {shape.dims[dimension]}));
  elements::visit_element(shape.dtype, [&]<class Element>(const Element& element) {
    const std::span<typename Element::Storage> values = line.mutable_values<typename Element::Storage>();
    for (size_t i = 0; i < values.size(); ++i) {
      if constexpr (elements::kIsComplex<Element>) {
        values[i] = typename Element::Storage(static_cast<typename Element::Part>(i));
      } else if constexpr (elements::kIsFloat<Element>) {
        values[i] = element.store_real(static_cast<double>(i));
      } else {
        values[i] = element.store(static_cast<typename Element::Value>(i));
      }
    }
  });
  Dims source_strides(shape.dims.size(), 0);
  source_strides[dimension] = 1;
  return gather_strided(shape, line, 0, source_strides);
}

// Equal widths keep the shape; otherwise the last dimension appears or disappears, least significant part first,
// which is how the bytes lie already. Elements narrower than a byte are packed and unpacked.
Literal evaluate_bitcast_convert(const Instruction& instruction, std::span<const Literal> operands,
                                 EvaluateContext& context) {
  const DType from = operands[0].shape().dtype;
  const DType to = instruction.shape.dtype;
  const int from_bits = dtype_bits(from);
  const int to_bits = dtype_bits(to);
  if (from_bits == to_bits && !is_integer(to)) return context.take(operands, 0).with_shape(instruction.shape);
  if (from_bits % 8 == 0 && to_bits % 8 == 0) return context.take(operands, 0).with_shape(instruction.shape);
  Literal result(instruction.shape);
  const std::span<const std::byte> source = operands[0].bytes();
  const auto source_bytes = static_cast<size_t>(dtype_bytes(from));
  const auto bit_at = [&](int64_t position) {
    const auto element = static_cast<size_t>(position / from_bits);
    const auto bit = static_cast<size_t>(position % from_bits);
    return (std::to_integer<uint64_t>(source[element * source_bytes + bit / 8]) >> (bit % 8)) & 1;
  };
  std::span<std::byte> target = result.mutable_bytes();
  const auto target_bytes = static_cast<size_t>(dtype_bytes(to));
  for (int64_t i = 0; i < result.element_count(); ++i) {
    uint64_t bits = 0;
    for (int b = 0; b < to_bits; ++b) bits |= bit_at(i * to_bits + b) << b;
    if (is_signed_integer(to) && to_bits < 8 && (bits >> (to_bits - 1) & 1) != 0) bits |= ~uint64_t{0} << to_bits;
    std::memcpy(target.data() + static_cast<size_t>(i) * target_bytes, &bits, target_bytes);
  }
  return result;
}

// The same bytes as the layouts lay them out.
Literal evaluate_bitcast(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  const Shape& from = operands[0].shape();
  const Shape& to = instruction.shape;
  const Dims from_order = major_to_minor(instruction.operand(0)->shape);
  const Dims to_order = major_to_minor(to);
  check(from.bytes() == to.bytes(), "evaluate", "bitcast between sizes");
  const Literal physical = elements::permute(operands[0].with_shape(Shape::array(from.dtype, from.dims)), from_order)
                               .with_shape(Shape::array(to.dtype, elements::pick(to.dims, to_order)));
  Dims back(to_order.size(), 0);
  for (size_t i = 0; i < to_order.size(); ++i) back[static_cast<size_t>(to_order[i])] = static_cast<int64_t>(i);
  return elements::permute(physical, back).with_shape(to);
}

}  // namespace sinter
