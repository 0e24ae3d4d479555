// Shape rules of reductions, maps, scans and sorts.
#include "ir/infer/infer_reduce.h"

#include "ir/infer/called_signature.h"
#include "ir/infer/infer_common.h"

namespace sinter {
namespace {

Shape element(const Instruction& instruction, size_t index) {
  return Shape::scalar(operand_shape(instruction, index).dtype);
}

const Computation& to_apply(const Instruction& instruction) { return **instruction.attributes->to_apply; }

ShapeError check_one_dimension(const Instruction& instruction, const Shape& shape) {
  const std::vector<int64_t>& dimensions = *instruction.attributes->dimensions;
  if (dimensions.size() != 1) return {"dimensions=" + text(dimensions) + " must name one dimension", ""};
  return check_dimensions("dimensions", dimensions, shape);
}

// A scan's operands are arrays x_0... that it walks along one dimension, then the initial carries.
struct ScanOperands {
  size_t arrays = 0;
  size_t carries = 0;
};

ShapeResult scan_result(const Instruction& instruction, ScanOperands& operands) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const int64_t carries = *instruction.attributes->num_carries;
  if (carries < 0 || carries >= static_cast<int64_t>(operand_count(instruction))) {
    return ShapeError{"num_carries=" + std::to_string(carries) + " is out of range",
                      "the operands are one array or more, then the initial carries"};
  }
  operands.carries = static_cast<size_t>(carries);
  operands.arrays = operand_count(instruction) - operands.carries;
  const Shape& first = operand_shape(instruction, 0);
  const size_t along = static_cast<size_t>((*instruction.attributes->dimensions)[0]);
  for (size_t i = 0; i < operands.arrays; ++i) {
    const Shape& shape = operand_shape(instruction, i);
    if (ShapeError error = check_one_dimension(instruction, shape); failed(error)) return error;
    if (shape.dims[along] != first.dims[along]) {
      return ShapeError{"scanned arrays have different lengths: " + text(first) + " and " + text(shape), ""};
    }
  }

  ShapeResult called = result_shape(to_apply(instruction));
  Shape* step = std::get_if<Shape>(&called);
  if (step == nullptr) return called;
  std::vector<Shape> results = step->is_tuple() ? std::move(step->elements) : std::vector<Shape>{std::move(*step)};
  if (results.size() < operands.carries) {
    return ShapeError{"%" + to_apply(instruction).name + " returns fewer values than there are carries", ""};
  }
  for (size_t i = 0; i + operands.carries < results.size(); ++i) {
    Shape& stacked = results[i];
    if (!stacked.is_array() || along > stacked.dims.size()) {
      return ShapeError{
          "results of %" + to_apply(instruction).name + " cannot be stacked along dimension " + std::to_string(along),
          ""};
    }
    stacked.dims.insert(stacked.dims.begin() + static_cast<int64_t>(along), first.dims[along]);
    stacked.dynamic.clear();
  }
  return single_or_tuple(std::move(results));
}

}  // namespace

ShapeError check_arrays_and_inits(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 2); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  if (operand_count(instruction) % 2 != 0) {
    return {"has " + std::to_string(operand_count(instruction)) + " operands",
            "they are N arrays and N initial values"};
  }
  const size_t count = operand_count(instruction) / 2;
  for (size_t i = 0; i < count; ++i) {
    const Shape& shape = operand_shape(instruction, i);
    if (shape.dims != operand_shape(instruction, 0).dims) {
      return {"operands have different dimensions: " + text(operand_shape(instruction, 0)) + " and " + text(shape), ""};
    }
    if (ShapeError error = check_scalar(instruction, count + i, shape.dtype); failed(error)) return error;
  }
  return {};
}

ShapeError check_combiner(const Instruction& instruction) {
  std::vector<Shape> elements;
  for (size_t i = 0; i < operand_count(instruction) / 2; ++i) elements.push_back(element(instruction, i));
  std::vector<Shape> parameters = elements;
  parameters.insert(parameters.end(), elements.begin(), elements.end());
  return check_signature(to_apply(instruction), parameters, single_or_tuple(elements));
}

ShapeResult infer_reduce(const Instruction& instruction) {
  if (ShapeError error = check_arrays_and_inits(instruction); failed(error)) return error;
  const std::vector<int64_t>& dimensions = *instruction.attributes->dimensions;
  const Shape& first = operand_shape(instruction, 0);
  if (ShapeError error = check_dimensions("dimensions", dimensions, first); failed(error)) return error;
  const std::vector<int64_t> kept = remaining_dims(first, dimensions);
  std::vector<Shape> results;
  for (size_t i = 0; i < operand_count(instruction) / 2; ++i) {
    results.push_back(Shape::array(operand_shape(instruction, i).dtype, kept));
  }
  return single_or_tuple(std::move(results));
}

ShapeError verify_reduce(const Instruction& instruction) { return check_combiner(instruction); }

ShapeResult infer_map(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& first = operand_shape(instruction, 0);
  for (size_t i = 1; i < operand_count(instruction); ++i) {
    if (operand_shape(instruction, i).dims != first.dims) {
      return ShapeError{
          "operands have different dimensions: " + text(first) + " and " + text(operand_shape(instruction, i)), ""};
    }
  }
  const std::vector<int64_t>& dimensions = list_or_empty(instruction.attributes->dimensions);
  if (instruction.attributes->dimensions) {
    std::vector<int64_t> all;
    for (int64_t i = 0; i < first.rank(); ++i) all.push_back(i);
    if (dimensions != all) {
      return ShapeError{"dimensions=" + text(dimensions) + " must be " + text(all),
                        "map applies its computation to single elements"};
    }
  }
  const ShapeResult called = result_shape(to_apply(instruction));
  if (std::holds_alternative<ShapeError>(called)) return called;
  const Shape& result = std::get<Shape>(called);
  if (!result.is_scalar()) {
    return ShapeError{"%" + to_apply(instruction).name + " returns " + text(result) + ", must return a scalar", ""};
  }
  return with_type(first, result.dtype);
}

ShapeError verify_map(const Instruction& instruction) {
  std::vector<Shape> parameters;
  for (size_t i = 0; i < operand_count(instruction); ++i) parameters.push_back(element(instruction, i));
  return check_parameters(to_apply(instruction), parameters);
}

ShapeResult infer_scan(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  if (ShapeError error = check_one_dimension(instruction, operand_shape(instruction, 0)); failed(error)) return error;
  ScanOperands operands;
  return scan_result(instruction, operands);
}

ShapeError verify_scan(const Instruction& instruction) {
  ScanOperands operands;
  const ShapeResult result = scan_result(instruction, operands);
  if (const ShapeError* error = std::get_if<ShapeError>(&result)) return *error;
  const std::vector<int64_t>& along = *instruction.attributes->dimensions;
  std::vector<Shape> parameters;
  for (size_t i = 0; i < operands.arrays; ++i) {
    const Shape& shape = operand_shape(instruction, i);
    parameters.push_back(Shape::array(shape.dtype, remaining_dims(shape, along)));
  }
  for (size_t i = 0; i < operands.carries; ++i) {
    parameters.push_back(without_layout(operand_shape(instruction, operands.arrays + i)));
  }
  if (ShapeError error = check_parameters(to_apply(instruction), parameters); failed(error)) return error;

  const Shape step = std::get<Shape>(result_shape(to_apply(instruction)));
  const std::vector<Shape> returned = step.is_tuple() ? step.elements : std::vector<Shape>{step};
  for (size_t i = 0; i < operands.carries; ++i) {
    const Shape& carry = returned[returned.size() - operands.carries + i];
    const Shape& init = parameters[operands.arrays + i];
    if (carry.same_type(init)) continue;
    return {"%" + to_apply(instruction).name + " returns carry " + std::to_string(i) + " as " + text(carry) +
                ", takes it as " + text(init),
            ""};
  }
  return {};
}

ShapeResult infer_sort(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& first = operand_shape(instruction, 0);
  if (ShapeError error = check_one_dimension(instruction, first); failed(error)) return error;
  std::vector<Shape> results;
  for (size_t i = 0; i < operand_count(instruction); ++i) {
    const Shape& shape = operand_shape(instruction, i);
    if (shape.dims != first.dims) {
      return ShapeError{"operands have different dimensions: " + text(first) + " and " + text(shape), ""};
    }
    results.push_back(with_type(shape, shape.dtype));
  }
  return single_or_tuple(std::move(results));
}

ShapeError verify_sort(const Instruction& instruction) {
  std::vector<Shape> parameters;
  for (size_t i = 0; i < operand_count(instruction); ++i) {
    parameters.push_back(element(instruction, i));
    parameters.push_back(element(instruction, i));
  }
  return check_signature(to_apply(instruction), parameters, Shape::scalar(DType::kPred));
}

ShapeResult infer_topk(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const int64_t k = *instruction.attributes->k;
  if (operand.rank() == 0) return ShapeError{"a scalar has no dimension to select from", ""};
  if (is_complex(operand.dtype)) return ShapeError{"complex numbers have no order", ""};
  if (k < 0 || k > operand.dims.back()) {
    return ShapeError{"k=" + std::to_string(k) + " is out of range for " + text(operand),
                      "it must be 0 to " + std::to_string(operand.dims.back())};
  }
  std::vector<int64_t> dims = operand.dims;
  dims.back() = k;
  return Shape::tuple({Shape::array(operand.dtype, dims), Shape::array(DType::kS32, dims)});
}

}  // namespace sinter
