// What the shape rules (infer_*.cpp) share: checks of operands and dimension lists, with their messages.
//
// A rule is called on an instruction that has its row's number of operands and every required attribute
// (verify.cpp sees to that); shapes of operands have dimensions of 0 and more.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ir/ops/op_table.h"

namespace sinter {

inline bool failed(const ShapeError& error) { return !error.message.empty(); }

// "f32[2,3]"
std::string text(const Shape& shape);
// "{0,1}"
std::string text(const std::vector<int64_t>& list);
// "operand 1 (%x.3)"
std::string operand_text(const Instruction& instruction, size_t index);

inline size_t operand_count(const Instruction& instruction) { return instruction.operands().size(); }
inline const Shape& operand_shape(const Instruction& instruction, size_t index) {
  return instruction.operand(index)->shape;
}

ShapeError check_operand_count(const Instruction& instruction, size_t at_least);
ShapeError check_arrays(const Instruction& instruction);
// Operands [first, last) are arrays of the same dimensions and element type.
ShapeError check_same_arrays(const Instruction& instruction, size_t first, size_t last);
// Every entry is a dimension of `shape`, none twice.
ShapeError check_dimensions(std::string_view attribute, const std::vector<int64_t>& dimensions, const Shape& shape);
ShapeError check_sorted(std::string_view attribute, const std::vector<int64_t>& list);
ShapeError check_scalar(const Instruction& instruction, size_t index, DType dtype);
// The stated shape is an array of this type; `expected` says why in the message.
ShapeError check_stated(const Instruction& instruction, const Shape& expected);
// The attribute is one of the words.
ShapeError check_word(std::string_view attribute, const std::string& value, std::initializer_list<const char*> words);

bool contains(const std::vector<int64_t>& list, int64_t value);
// `list`, or an empty one where the attribute is absent.
const std::vector<int64_t>& list_or_empty(const Boxed<std::vector<int64_t>>& list);

// The dimensions of `shape` that are not in `removed`.
std::vector<int64_t> remaining_dims(const Shape& shape, const std::vector<int64_t>& removed);

inline bool is_real_or_complex(DType dtype) { return is_float(dtype) || is_complex(dtype); }

// The element type that holds values of both, where the text leaves the result's type to inference.
DType wider_type(DType a, DType b);

// An array of the same dimensions, bounds included, and another element type.
Shape with_type(const Shape& shape, DType dtype);
// One result alone, several as a tuple.
Shape single_or_tuple(std::vector<Shape> shapes);

}  // namespace sinter
