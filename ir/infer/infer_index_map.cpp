// Shape rules of ops that move elements to places known from attributes.
#include "ir/infer/infer_index_map.h"

#include "ir/infer/infer_common.h"

namespace sinter {
namespace {

std::string at_dimension(int64_t dimension) { return " of dimension " + std::to_string(dimension); }

ShapeError check_one_dimension(const std::vector<int64_t>& dimensions) {
  if (dimensions.size() == 1) return {};
  return {"dimensions=" + text(dimensions) + " must name one dimension", ""};
}

}  // namespace

ShapeResult infer_transpose(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const std::vector<int64_t>& dimensions = *instruction.attributes->dimensions;
  if (ShapeError error = check_dimensions("dimensions", dimensions, operand); failed(error)) return error;
  if (static_cast<int64_t>(dimensions.size()) != operand.rank()) {
    return ShapeError{"dimensions=" + text(dimensions) + " is not a permutation of the dimensions of " + text(operand),
                      ""};
  }
  Shape result = Shape::array(operand.dtype, {});
  for (const int64_t dimension : dimensions) result.dims.push_back(operand.dims[static_cast<size_t>(dimension)]);
  return result;
}

ShapeResult infer_reverse(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  if (ShapeError error = check_dimensions("dimensions", *instruction.attributes->dimensions, operand); failed(error)) {
    return error;
  }
  return with_type(operand, operand.dtype);
}

ShapeResult infer_slice(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const std::vector<SliceBounds>& slices = *instruction.attributes->slice;
  if (static_cast<int64_t>(slices.size()) != operand.rank()) {
    return ShapeError{"slice has " + std::to_string(slices.size()) + " dimensions, the operand is " + text(operand),
                      ""};
  }
  Shape result = Shape::array(operand.dtype, {});
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const auto [start, limit, stride] = slices[static_cast<size_t>(i)];
    const int64_t size = operand.dims[static_cast<size_t>(i)];
    if (start < 0 || limit < start || limit > size) {
      return ShapeError{"slice [" + std::to_string(start) + ":" + std::to_string(limit) + "]" + at_dimension(i) +
                            " is out of range for " + text(operand),
                        "0 <= start <= limit <= " + std::to_string(size)};
    }
    if (stride < 1) {
      return ShapeError{"the stride " + std::to_string(stride) + at_dimension(i) + " is not positive", ""};
    }
    result.dims.push_back((limit - start) / stride + ((limit - start) % stride != 0 ? 1 : 0));
  }
  return result;
}

ShapeResult infer_pad(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  if (ShapeError error = check_scalar(instruction, 1, operand.dtype); failed(error)) return error;
  const std::vector<PadBounds>& padding = *instruction.attributes->padding;
  if (static_cast<int64_t>(padding.size()) != operand.rank()) {
    return ShapeError{"padding has " + std::to_string(padding.size()) + " dimensions, the operand is " + text(operand),
                      ""};
  }
  Shape result = Shape::array(operand.dtype, {});
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const auto [low, high, interior] = padding[static_cast<size_t>(i)];
    if (interior < 0) {
      return ShapeError{"the interior padding " + std::to_string(interior) + at_dimension(i) + " is negative", ""};
    }
    // 128 bits: the attributes may be any 64-bit numbers.
    const __int128 size = operand.dims[static_cast<size_t>(i)];
    const __int128 padded = size + (size > 0 ? size - 1 : 0) * interior + low + high;
    if (padded < 0 || padded > kMaxBytes) {
      return ShapeError{"the padded size" + at_dimension(i) + (padded < 0 ? " is negative" : " is too large"), ""};
    }
    result.dims.push_back(static_cast<int64_t>(padded));
  }
  return result;
}

ShapeResult infer_concatenate(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const std::vector<int64_t>& dimensions = *instruction.attributes->dimensions;
  const Shape& first = operand_shape(instruction, 0);
  if (ShapeError error = check_one_dimension(dimensions); failed(error)) return error;
  if (ShapeError error = check_dimensions("dimensions", dimensions, first); failed(error)) return error;

  const size_t along = static_cast<size_t>(dimensions[0]);
  Shape result = Shape::array(first.dtype, first.dims);
  for (size_t i = 1; i < operand_count(instruction); ++i) {
    const Shape& shape = operand_shape(instruction, i);
    std::vector<int64_t> expected = shape.dims;
    if (along < expected.size()) expected[along] = first.dims[along];
    if (shape.dtype != first.dtype || expected != first.dims) {
      return ShapeError{operand_text(instruction, i) + " is " + text(shape) + ", which does not fit " + text(first) +
                            " along dimension " + std::to_string(along),
                        "all dimensions but that one, and the element types, must be equal"};
    }
    if (__builtin_add_overflow(result.dims[along], shape.dims[along], &result.dims[along])) {
      return ShapeError{"the result is too large", ""};
    }
  }
  return result;
}

ShapeError verify_broadcast(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const Shape& result = instruction.shape;
  if (!result.is_array() || result.dtype != operand.dtype) {
    return {"the result " + text(result) + " has another element type than the operand " + text(operand), ""};
  }
  const std::vector<int64_t>& dimensions = list_or_empty(instruction.attributes->dimensions);
  if (static_cast<int64_t>(dimensions.size()) != operand.rank()) {
    return {
        "dimensions=" + text(dimensions) + " must have one entry for each dimension of the operand " + text(operand),
        ""};
  }
  if (ShapeError error = check_dimensions("dimensions", dimensions, result); failed(error)) return error;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (operand.dims[i] == result.dims[static_cast<size_t>(dimensions[i])]) continue;
    return {"dimension " + std::to_string(i) + " of " + text(operand) + " maps to dimension " +
                std::to_string(dimensions[i]) + " of " + text(result) + " with another size",
            "HLO broadcast does not stretch dimensions of size 1: reshape them away first"};
  }
  return {};
}

ShapeError verify_reshape(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const Shape& result = instruction.shape;
  if (!result.is_array() || result.dtype != operand.dtype) {
    return {"the result " + text(result) + " has another element type than the operand " + text(operand), ""};
  }
  if (result.element_count() != operand.element_count()) {
    return {text(operand) + " has " + std::to_string(operand.element_count()) + " elements, " + text(result) + " has " +
                std::to_string(result.element_count()),
            ""};
  }
  return {};
}

ShapeError verify_iota(const Instruction& instruction) {
  if (!instruction.shape.is_array()) return {"the result is stated as " + text(instruction.shape), "it is an array"};
  return check_dimensions("iota_dimension", {*instruction.attributes->iota_dimension}, instruction.shape);
}

ShapeError verify_bitcast(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const Shape& result = instruction.shape;
  const auto bits = [](const Shape& shape) {
    return static_cast<__int128>(shape.element_count()) * dtype_bits(shape.dtype);
  };
  if (result.is_array() && bits(result) == bits(operand)) return {};
  return {text(operand) + " and " + text(result) + " do not take the same number of bits", ""};
}

ShapeError verify_bitcast_convert(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const Shape& result = instruction.shape;
  const int from = dtype_bits(operand.dtype);
  const int to = dtype_bits(result.dtype);
  if (is_complex(operand.dtype) != is_complex(result.dtype)) {
    return {"bits of complex numbers cannot become those of " + text(result), "take real and imag apart first"};
  }
  // The side with the narrower elements has one more dimension, the last: the pieces of one wide element.
  std::vector<int64_t> expected = operand.dims;
  if (from > to) {
    expected.push_back(from / to);
  } else if (from < to) {
    if (expected.empty() || expected.back() != to / from) {
      return {"the last dimension of " + text(operand) + " must be " + std::to_string(to / from) + " to make " +
                  std::string(dtype_name(result.dtype)),
              ""};
    }
    expected.pop_back();
  }
  return check_stated(instruction, Shape::array(result.dtype, expected));
}

ShapeError verify_dynamic_reshape(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& result = instruction.shape;
  if (!result.is_array() || result.dtype != operand_shape(instruction, 0).dtype) {
    return {"the result " + text(result) + " has another element type than the operand", ""};
  }
  if (result.is_static() && operand_shape(instruction, 0).is_static() &&
      result.element_count() != operand_shape(instruction, 0).element_count()) {
    return {text(operand_shape(instruction, 0)) + " has another number of elements than " + text(result), ""};
  }
  if (static_cast<int64_t>(operand_count(instruction)) != 1 + result.rank()) {
    return {"needs one size operand for each dimension of " + text(result), ""};
  }
  for (size_t i = 1; i < operand_count(instruction); ++i) {
    if (ShapeError error = check_scalar(instruction, i, DType::kS32); failed(error)) return error;
  }
  return {};
}

}  // namespace sinter
