// Shape rules of values, tuples, calls, loops, branches and ordering.
#include "ir/infer/infer_control.h"

#include "ir/infer/called_signature.h"
#include "ir/infer/infer_common.h"
#include "ir/module/device_functions.h"

namespace sinter {
namespace {

std::vector<Shape> operand_shapes(const Instruction& instruction) {
  std::vector<Shape> shapes;
  for (const Instruction* operand : instruction.operands()) shapes.push_back(without_layout(operand->shape));
  return shapes;
}

ShapeError check_size_dimension(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const std::vector<int64_t>& dimensions = *instruction.attributes->dimensions;
  if (dimensions.size() != 1) return {"dimensions=" + text(dimensions) + " must name one dimension", ""};
  return check_dimensions("dimensions", dimensions, operand_shape(instruction, 0));
}

}  // namespace

ShapeError verify_parameter(const Instruction& instruction) {
  if (instruction.parameter_number >= 0) return {};
  return {"parameter number " + std::to_string(instruction.parameter_number) + " is negative", ""};
}

ShapeError verify_constant(const Instruction& instruction) {
  if (instruction.literal.shape().same_type(instruction.shape)) return {};
  return {"the value is " + text(instruction.literal.shape()) + ", stated as " + text(instruction.shape), ""};
}

ShapeResult infer_tuple(const Instruction& instruction) { return Shape::tuple(operand_shapes(instruction)); }

ShapeResult infer_get_tuple_element(const Instruction& instruction) {
  const Shape& operand = operand_shape(instruction, 0);
  const int64_t index = *instruction.attributes->tuple_index;
  if (!operand.is_tuple()) {
    return ShapeError{operand_text(instruction, 0) + " is " + text(operand) + ", not a tuple", ""};
  }
  if (index < 0 || index >= static_cast<int64_t>(operand.elements.size())) {
    return ShapeError{"index=" + std::to_string(index) + " is out of range for a tuple of " +
                          std::to_string(operand.elements.size()) + " elements",
                      ""};
  }
  return without_layout(operand.elements[static_cast<size_t>(index)]);
}

ShapeResult infer_call(const Instruction& instruction) { return result_shape(**instruction.attributes->to_apply); }

ShapeError verify_call(const Instruction& instruction) {
  return check_parameters(**instruction.attributes->to_apply, operand_shapes(instruction));
}

ShapeResult infer_fusion(const Instruction& instruction) { return result_shape(**instruction.attributes->calls); }

ShapeError verify_fusion(const Instruction& instruction) {
  if (ShapeError error =
          check_word("kind", *instruction.attributes->fusion_kind, {"kLoop", "kInput", "kOutput", "kCustom"});
      failed(error)) {
    return error;
  }
  return check_parameters(**instruction.attributes->calls, operand_shapes(instruction));
}

ShapeResult infer_while(const Instruction& instruction) { return without_layout(operand_shape(instruction, 0)); }

ShapeError verify_while(const Instruction& instruction) {
  const Shape state = without_layout(operand_shape(instruction, 0));
  if (ShapeError error = check_signature(**instruction.attributes->condition, {state}, Shape::scalar(DType::kPred));
      failed(error)) {
    return error;
  }
  return check_signature(**instruction.attributes->body, {state}, state);
}

ShapeResult infer_conditional(const Instruction& instruction) {
  const std::vector<Computation*> called = instruction.branches();
  if (called.empty()) return ShapeError{"has no branches", "it needs branch_computations={...}"};
  return result_shape(*called[0]);
}

ShapeError verify_conditional(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  const Attributes& attributes = instruction.attributes;
  const Shape& selector = operand_shape(instruction, 0);
  const bool two_way = attributes.true_computation || attributes.false_computation;
  if (two_way ? !attributes.true_computation || !attributes.false_computation || attributes.branch_computations
              : !attributes.branch_computations) {
    return {"needs either true_computation and false_computation or branch_computations", ""};
  }
  // A pred selector with branch_computations means {true, false}; both spellings occur.
  const std::vector<Computation*> called = instruction.branches();
  const bool is_pred = selector.same_type(Shape::scalar(DType::kPred));
  if (two_way ? !is_pred : !is_pred && !selector.same_type(Shape::scalar(DType::kS32))) {
    return {"the selector is " + text(selector) + ", must be " + (two_way ? "pred[]" : "s32[] or pred[]"), ""};
  }
  if (is_pred && called.size() != 2) {
    return {"a pred selector needs two branches, there are " + std::to_string(called.size()), ""};
  }
  if (operand_count(instruction) != 1 + called.size()) {
    return {"has " + std::to_string(operand_count(instruction) - 1) + " operands for " + std::to_string(called.size()) +
                " branches",
            "each branch takes one operand"};
  }
  const Shape result = without_layout(instruction.shape);
  for (size_t i = 0; i < called.size(); ++i) {
    const Shape operand = without_layout(operand_shape(instruction, i + 1));
    if (ShapeError error = check_signature(*called[i], {operand}, result); failed(error)) return error;
  }
  return {};
}

// Operands and result of a custom call are as its target wants them; only the words are known here, and that a device
// function is given elements.
ShapeError verify_custom_call(const Instruction& instruction) {
  const Attributes& attributes = instruction.attributes;
  if (calls_device_function(instruction)) {
    if (operand_count(instruction) == 0) return {"a device function takes an element at least", ""};
    for (size_t i = 0; i < operand_count(instruction); ++i) {
      const bool fits = instruction.shape.is_array() && operand_shape(instruction, i).is_array() &&
                        operand_shape(instruction, i).dims == instruction.shape.dims;
      if (!fits) return {operand_text(instruction, i) + " has not the dimensions of the result", ""};
    }
    if (attributes.called_computations && attributes.called_computations->size() == 1) {
      std::vector<Shape> elements;
      for (size_t i = 0; i < operand_count(instruction); ++i)
        elements.push_back(Shape::scalar(operand_shape(instruction, i).dtype));
      const Shape result = Shape::scalar(instruction.shape.dtype);
      ShapeError error = check_signature(*(*attributes.called_computations)[0], elements, result);
      if (failed(error)) return error;
    }
  }
  if (!attributes.api_version) return {};
  return check_word("api_version", *attributes.api_version,
                    {"API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
                     "API_VERSION_TYPED_FFI"});
}

ShapeResult infer_same_as_operand(const Instruction& instruction) {
  return without_layout(operand_shape(instruction, 0));
}

ShapeResult infer_same_as_operands(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  return single_or_tuple(operand_shapes(instruction));
}

ShapeResult infer_add_dependency(const Instruction& instruction) { return infer_same_as_operand(instruction); }

ShapeResult infer_after_all(const Instruction& instruction) {
  for (size_t i = 0; i < operand_count(instruction); ++i) {
    if (operand_shape(instruction, i).kind == Shape::Kind::kToken) continue;
    return ShapeError{operand_text(instruction, i) + " is " + text(operand_shape(instruction, i)) + ", not a token",
                      ""};
  }
  return Shape::token();
}

ShapeError verify_async_start(const Instruction& instruction) {
  const Computation& called = **instruction.attributes->calls;
  const std::vector<Shape> operands = operand_shapes(instruction);
  if (ShapeError error = check_parameters(called, operands); failed(error)) return error;
  const ShapeResult result = result_shape(called);
  if (const ShapeError* error = std::get_if<ShapeError>(&result)) return *error;
  const std::vector<Shape>& elements = instruction.shape.elements;
  if (instruction.shape.is_tuple() && elements.size() >= 2 && elements[0].same_type(Shape::tuple(operands)) &&
      elements[1].same_type(std::get<Shape>(result))) {
    return {};
  }
  return {"the result is stated as " + text(instruction.shape) +
              ", must begin with the operands' shapes and the result: " +
              text(Shape::tuple({Shape::tuple(operands), std::get<Shape>(result)})),
          ""};
}

ShapeResult infer_second_of_start(const Instruction& instruction) {
  const Shape& start = operand_shape(instruction, 0);
  if (start.is_tuple() && start.elements.size() >= 2) return without_layout(start.elements[1]);
  return ShapeError{operand_text(instruction, 0) + " is " + text(start) + ", not what a start operation returns", ""};
}

ShapeError verify_copy_start(const Instruction& instruction) {
  const Shape operand = without_layout(operand_shape(instruction, 0));
  const std::vector<Shape>& elements = instruction.shape.elements;
  if (instruction.shape.is_tuple() && elements.size() == 3 && elements[0].same_type(operand) &&
      elements[1].same_type(operand) && elements[2].same_type(Shape::scalar(DType::kU32))) {
    return {};
  }
  return {"the result is stated as " + text(instruction.shape) + ", must be " +
              text(Shape::tuple({operand, operand, Shape::scalar(DType::kU32)})),
          ""};
}

ShapeResult infer_copy_done(const Instruction& instruction) {
  const Shape& start = operand_shape(instruction, 0);
  if (start.is_tuple() && start.elements.size() == 3) return without_layout(start.elements[0]);
  return ShapeError{operand_text(instruction, 0) + " is " + text(start) + ", not what copy-start returns", ""};
}

ShapeResult infer_get_dimension_size(const Instruction& instruction) {
  if (ShapeError error = check_size_dimension(instruction); failed(error)) return error;
  return Shape::scalar(DType::kS32);
}

ShapeResult infer_set_dimension_size(const Instruction& instruction) {
  if (ShapeError error = check_size_dimension(instruction); failed(error)) return error;
  if (ShapeError error = check_scalar(instruction, 1, DType::kS32); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  Shape result = with_type(operand, operand.dtype);
  result.dynamic.resize(result.dims.size());
  result.dynamic[static_cast<size_t>((*instruction.attributes->dimensions)[0])] = true;
  return result;
}

}  // namespace sinter
