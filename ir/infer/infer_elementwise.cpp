// Shape rules of elementwise ops: operands of equal dimensions give a result of those dimensions.
#include "ir/infer/infer_elementwise.h"

#include "ir/infer/infer_common.h"

namespace sinter {
namespace {

bool is_pred(DType dtype) { return dtype == DType::kPred; }
bool is_number(DType dtype) { return !is_pred(dtype); }
bool is_bits(DType dtype) { return is_integer(dtype) || is_pred(dtype); }
bool is_ordered(DType dtype) { return !is_complex(dtype); }
bool is_real_or_integer(DType dtype) { return is_float(dtype) || is_integer(dtype); }
bool is_any(DType) { return true; }

// All operands have one shape and an element type that `accepts` takes; the result has it too.
ShapeResult same_shape(const Instruction& instruction, bool (*accepts)(DType), const char* accepted) {
  if (ShapeError error = check_same_arrays(instruction, 0, operand_count(instruction)); failed(error)) return error;
  const Shape& shape = operand_shape(instruction, 0);
  if (!accepts(shape.dtype)) {
    return ShapeError{"operands are " + text(shape) + ", must be " + accepted, ""};
  }
  return with_type(shape, shape.dtype);
}

DType part_type(DType dtype) {
  if (dtype == DType::kC64) return DType::kF32;
  if (dtype == DType::kC128) return DType::kF64;
  return dtype;
}

// An operand beside the one that gives the result its dimensions: a scalar, or of the same dimensions.
ShapeError check_scalar_or_full(const Instruction& instruction, size_t index, size_t full) {
  const Shape& shape = operand_shape(instruction, index);
  if (shape.is_scalar() || shape.dims == operand_shape(instruction, full).dims) return {};
  return {operand_text(instruction, index) + " is " + text(shape) + ", must be a scalar or have the dimensions of " +
              text(operand_shape(instruction, full)),
          ""};
}

}  // namespace

ShapeResult infer_abs(const Instruction& instruction) {
  ShapeResult result = same_shape(instruction, is_number, "numbers");
  if (Shape* shape = std::get_if<Shape>(&result)) shape->dtype = part_type(shape->dtype);
  return result;
}

ShapeResult infer_number_unary(const Instruction& instruction) { return same_shape(instruction, is_number, "numbers"); }

ShapeResult infer_float_unary(const Instruction& instruction) {
  return same_shape(instruction, is_real_or_complex, "floating-point or complex");
}

ShapeResult infer_real_unary(const Instruction& instruction) {
  return same_shape(instruction, is_float, "floating-point");
}

ShapeResult infer_integer_unary(const Instruction& instruction) {
  return same_shape(instruction, is_integer, "integers");
}

ShapeResult infer_bits_unary(const Instruction& instruction) {
  return same_shape(instruction, is_bits, "integers or pred");
}

ShapeResult infer_is_finite(const Instruction& instruction) {
  ShapeResult result = infer_real_unary(instruction);
  if (Shape* shape = std::get_if<Shape>(&result)) shape->dtype = DType::kPred;
  return result;
}

ShapeResult infer_reduce_precision(const Instruction& instruction) {
  constexpr int64_t kMostBits = 64;
  const int64_t exponent = *instruction.attributes->exponent_bits;
  const int64_t mantissa = *instruction.attributes->mantissa_bits;
  if (exponent < 1 || exponent > kMostBits) {
    return ShapeError{"exponent_bits=" + std::to_string(exponent) + " is out of range", "it must be 1 to 64"};
  }
  if (mantissa < 0 || mantissa > kMostBits) {
    return ShapeError{"mantissa_bits=" + std::to_string(mantissa) + " is out of range", "it must be 0 to 64"};
  }
  return infer_real_unary(instruction);
}

ShapeResult infer_part(const Instruction& instruction) {
  ShapeResult result = infer_float_unary(instruction);
  if (Shape* shape = std::get_if<Shape>(&result)) shape->dtype = part_type(shape->dtype);
  return result;
}

ShapeResult infer_complex(const Instruction& instruction) {
  ShapeResult result = infer_float_binary(instruction);
  Shape* shape = std::get_if<Shape>(&result);
  if (shape == nullptr) return result;
  if (shape->dtype != DType::kF32 && shape->dtype != DType::kF64) {
    return ShapeError{"operands are " + text(*shape) + ", must be f32 or f64", ""};
  }
  shape->dtype = shape->dtype == DType::kF32 ? DType::kC64 : DType::kC128;
  return result;
}

ShapeResult infer_any_binary(const Instruction& instruction) { return same_shape(instruction, is_any, ""); }

ShapeResult infer_number_binary(const Instruction& instruction) {
  return same_shape(instruction, is_number, "numbers");
}

ShapeResult infer_float_binary(const Instruction& instruction) {
  return same_shape(instruction, is_real_or_complex, "floating-point or complex");
}

ShapeResult infer_real_or_integer_binary(const Instruction& instruction) {
  return same_shape(instruction, is_real_or_integer, "floating-point or integers");
}

ShapeResult infer_ordered_binary(const Instruction& instruction) {
  return same_shape(instruction, is_ordered, "real numbers: complex numbers have no order");
}

ShapeResult infer_integer_binary(const Instruction& instruction) {
  return same_shape(instruction, is_integer, "integers");
}

ShapeResult infer_bits_binary(const Instruction& instruction) {
  return same_shape(instruction, is_bits, "integers or pred");
}

ShapeResult infer_compare(const Instruction& instruction) {
  ShapeResult result = same_shape(instruction, is_any, "");
  Shape* shape = std::get_if<Shape>(&result);
  if (shape == nullptr) return result;

  const std::string& direction = *instruction.attributes->direction;
  if (ShapeError error = check_word("direction", direction, {"EQ", "NE", "GE", "GT", "LE", "LT"}); failed(error)) {
    return error;
  }
  if (is_complex(shape->dtype) && direction != "EQ" && direction != "NE") {
    return ShapeError{"complex numbers have no order", "direction must be EQ or NE"};
  }
  if (const auto& type = instruction.attributes->comparison_type) {
    if (ShapeError error = check_word("type", *type, {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}); failed(error)) {
      return error;
    }
    const DType dtype = shape->dtype;
    const bool fits = is_float(dtype)            ? *type == "FLOAT" || *type == "TOTALORDER"
                      : is_complex(dtype)        ? *type == "FLOAT"
                      : is_signed_integer(dtype) ? *type == "SIGNED"
                                                 : *type == "UNSIGNED";
    if (!fits) return ShapeError{"type=" + *type + " does not fit operands of type " + text(*shape), ""};
  }
  shape->dtype = DType::kPred;
  return result;
}

ShapeResult infer_select(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  if (ShapeError error = check_same_arrays(instruction, 1, 3); failed(error)) return error;
  const Shape& condition = operand_shape(instruction, 0);
  if (condition.dtype != DType::kPred) {
    return ShapeError{operand_text(instruction, 0) + " is " + text(condition) + ", must be pred", ""};
  }
  if (ShapeError error = check_scalar_or_full(instruction, 0, 1); failed(error)) return error;
  return with_type(operand_shape(instruction, 1), operand_shape(instruction, 1).dtype);
}

ShapeResult infer_clamp(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& shape = operand_shape(instruction, 1);
  if (!is_ordered(shape.dtype)) return ShapeError{"complex numbers have no order", ""};
  for (const size_t bound : {size_t{0}, size_t{2}}) {
    if (operand_shape(instruction, bound).dtype != shape.dtype) {
      return ShapeError{operand_text(instruction, bound) + " is " + text(operand_shape(instruction, bound)) +
                            ", must have the element type of " + text(shape),
                        ""};
    }
    if (ShapeError error = check_scalar_or_full(instruction, bound, 1); failed(error)) return error;
  }
  return with_type(shape, shape.dtype);
}

ShapeError verify_convert(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  return check_stated(instruction, with_type(operand_shape(instruction, 0), instruction.shape.dtype));
}

ShapeError verify_stochastic_convert(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& value = operand_shape(instruction, 0);
  const Shape& random = operand_shape(instruction, 1);
  if (!is_float(value.dtype)) return {"operand 0 is " + text(value) + ", must be floating-point", ""};
  if (dtype_class(random.dtype) != DTypeClass::kUnsigned || dtype_bits(random.dtype) != dtype_bits(value.dtype)) {
    return {"operand 1 is " + text(random) + ", must be unsigned integers as wide as " + text(value), ""};
  }
  if (random.dims != value.dims) {
    return {"operands have different dimensions: " + text(value) + " and " + text(random), ""};
  }
  return check_stated(instruction, with_type(value, instruction.shape.dtype));
}

}  // namespace sinter
