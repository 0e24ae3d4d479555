// Checks that shape rules share.
#include "ir/infer/infer_common.h"

#include <algorithm>

namespace sinter {

std::string text(const Shape& shape) { return to_string(shape, false); }

std::string text(const std::vector<int64_t>& list) {
  std::string result = "{";
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) result += ',';
    result += std::to_string(list[i]);
  }
  return result + "}";
}

std::string operand_text(const Instruction& instruction, size_t index) {
  return "operand " + std::to_string(index) + " (%" + instruction.operand(index)->name + ")";
}

ShapeError check_operand_count(const Instruction& instruction, size_t at_least) {
  if (operand_count(instruction) >= at_least) return {};
  return {"has " + std::to_string(operand_count(instruction)) + " operands, needs at least " + std::to_string(at_least),
          ""};
}

ShapeError check_arrays(const Instruction& instruction) {
  for (size_t i = 0; i < operand_count(instruction); ++i) {
    const Shape& shape = operand_shape(instruction, i);
    if (!shape.is_array()) return {operand_text(instruction, i) + " is " + text(shape) + ", not an array", ""};
  }
  return {};
}

ShapeError check_same_arrays(const Instruction& instruction, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    const Shape& shape = operand_shape(instruction, i);
    const Shape& expected = operand_shape(instruction, first);
    if (!shape.is_array()) return {operand_text(instruction, i) + " is " + text(shape) + ", not an array", ""};
    if (shape.dtype != expected.dtype) {
      return {"operands have different element types: " + text(expected) + " and " + text(shape),
              "convert one of them; HLO has no implicit conversion"};
    }
    if (shape.dims != expected.dims) {
      return {"operands have different dimensions: " + text(expected) + " and " + text(shape),
              "broadcast one of them; HLO has no implicit broadcasting"};
    }
  }
  return {};
}

ShapeError check_dimensions(std::string_view attribute, const std::vector<int64_t>& dimensions, const Shape& shape) {
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const int64_t dimension = dimensions[i];
    if (dimension < 0 || dimension >= shape.rank()) {
      std::string hint = std::string(attribute) + " must be between 0 and " + std::to_string(shape.rank() - 1);
      if (shape.rank() == 0) hint = "a scalar has no dimensions";
      return {
          std::string(attribute) + ": dimension " + std::to_string(dimension) + " is out of range for " + text(shape),
          std::move(hint)};
    }
    if (std::find(dimensions.begin(), dimensions.begin() + static_cast<int64_t>(i), dimension) !=
        dimensions.begin() + static_cast<int64_t>(i)) {
      return {std::string(attribute) + ": dimension " + std::to_string(dimension) + " is listed twice", ""};
    }
  }
  return {};
}

ShapeError check_sorted(std::string_view attribute, const std::vector<int64_t>& list) {
  if (std::is_sorted(list.begin(), list.end())) return {};
  return {std::string(attribute) + "=" + text(list) + " is not in ascending order", ""};
}

ShapeError check_scalar(const Instruction& instruction, size_t index, DType dtype) {
  const Shape expected = Shape::scalar(dtype);
  if (operand_shape(instruction, index).same_type(expected)) return {};
  return {operand_text(instruction, index) + " is " + text(operand_shape(instruction, index)) + ", must be " +
              text(expected),
          ""};
}

ShapeError check_stated(const Instruction& instruction, const Shape& expected) {
  const Shape& stated = instruction.shape;
  if (stated.is_array() && stated.dtype == expected.dtype && stated.dims == expected.dims) return {};
  return {"the result is stated as " + text(stated) + ", but is " + text(expected), ""};
}

ShapeError check_word(std::string_view attribute, const std::string& value, std::initializer_list<const char*> words) {
  std::string list;
  for (const char* word : words) {
    if (value == word) return {};
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  return {std::string(attribute) + "=" + value + " does not exist", "it is one of " + list};
}

bool contains(const std::vector<int64_t>& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

const std::vector<int64_t>& list_or_empty(const Boxed<std::vector<int64_t>>& list) {
  static const std::vector<int64_t> empty;
  return list ? *list : empty;
}

std::vector<int64_t> remaining_dims(const Shape& shape, const std::vector<int64_t>& removed) {
  std::vector<int64_t> dims;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (!contains(removed, i)) dims.push_back(shape.dims[static_cast<size_t>(i)]);
  }
  return dims;
}

DType wider_type(DType a, DType b) {
  const bool a_float = is_float(a) || is_complex(a);
  const bool b_float = is_float(b) || is_complex(b);
  if (is_complex(a) != is_complex(b)) return is_complex(a) ? a : b;
  if (a_float != b_float) return a_float ? a : b;
  return dtype_bits(b) > dtype_bits(a) ? b : a;
}

Shape with_type(const Shape& shape, DType dtype) {
  Shape result = Shape::array(dtype, shape.dims);
  result.dynamic = shape.dynamic;
  return result;
}

Shape single_or_tuple(std::vector<Shape> shapes) {
  if (shapes.size() == 1) return std::move(shapes[0]);
  return Shape::tuple(std::move(shapes));
}

}  // namespace sinter
