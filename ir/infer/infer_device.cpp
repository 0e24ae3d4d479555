// Shape rules of random numbers, collectives and host transfers.
#include "ir/infer/infer_device.h"

#include "ir/infer/called_signature.h"
#include "ir/infer/infer_common.h"

namespace sinter {
namespace {

ShapeError stated(const Instruction& instruction, std::string_view expected) {
  return {"the result is stated as " + text(instruction.shape) + ", must be " + std::string(expected), ""};
}

// The stated results, one for each of `count` operands.
std::vector<Shape> stated_results(const Shape& shape, size_t count) {
  if (count == 1) return {shape};
  return shape.elements;
}

// One array for each operand, of its element type and, but for the dimension along which devices are joined, of
// its dimensions.
ShapeError check_joined(const Instruction& instruction, const Shape& shape, int64_t along) {
  const size_t count = operand_count(instruction);
  const std::vector<Shape> results = stated_results(shape, count);
  if (results.size() != count) return stated(instruction, "one array for each operand");
  for (size_t i = 0; i < count; ++i) {
    const Shape& operand = operand_shape(instruction, i);
    if (ShapeError error = check_dimensions("dimensions", {along}, operand); failed(error)) return error;
    std::vector<int64_t> dims = results[i].dims;
    if (dims.size() == operand.dims.size()) dims[static_cast<size_t>(along)] = operand.dims[static_cast<size_t>(along)];
    if (!results[i].is_array() || results[i].dtype != operand.dtype || dims != operand.dims) {
      return stated(instruction, text(operand) + " but for dimension " + std::to_string(along));
    }
  }
  return {};
}

ShapeError check_joined_along_dimensions(const Instruction& instruction, const Shape& shape) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const std::vector<int64_t>& dimensions = *instruction.attributes->dimensions;
  if (dimensions.size() != 1) return {"dimensions=" + text(dimensions) + " must name one dimension", ""};
  return check_joined(instruction, shape, dimensions[0]);
}

}  // namespace

ShapeError verify_rng(const Instruction& instruction) {
  if (ShapeError error =
          check_word("distribution", *instruction.attributes->distribution, {"rng_uniform", "rng_normal"});
      failed(error)) {
    return error;
  }
  if (!instruction.shape.is_array()) return stated(instruction, "an array");
  for (const size_t operand : {size_t{0}, size_t{1}}) {
    if (ShapeError error = check_scalar(instruction, operand, instruction.shape.dtype); failed(error)) return error;
  }
  return {};
}

ShapeError verify_rng_bit_generator(const Instruction& instruction) {
  if (ShapeError error =
          check_word("algorithm", *instruction.attributes->algorithm, {"rng_default", "rng_three_fry", "rng_philox"});
      failed(error)) {
    return error;
  }
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& state = operand_shape(instruction, 0);
  if (state.dtype != DType::kU64 || state.rank() != 1 || (state.dims[0] != 2 && state.dims[0] != 3)) {
    return {"the state is " + text(state) + ", must be u64[2] or u64[3]", ""};
  }
  const std::vector<Shape>& elements = instruction.shape.elements;
  if (instruction.shape.is_tuple() && elements.size() == 2 && elements[0].same_type(state) && elements[1].is_array() &&
      is_integer(elements[1].dtype)) {
    return {};
  }
  return stated(instruction, "a tuple of the new state and an array of integers");
}

ShapeError verify_rng_state(const Instruction& instruction) {
  const Shape& shape = instruction.shape;
  if (shape.is_array() && shape.dtype == DType::kU64 && shape.dims == std::vector<int64_t>{2}) return {};
  return stated(instruction, "u64[2]");
}

ShapeError verify_all_gather(const Instruction& instruction) {
  return check_joined_along_dimensions(instruction, instruction.shape);
}

ShapeError verify_all_gather_start(const Instruction& instruction) {
  if (!instruction.shape.is_tuple() || instruction.shape.elements.size() < 2) {
    return stated(instruction, "a tuple of the operands' shapes and the result's");
  }
  return check_joined_along_dimensions(instruction, instruction.shape.elements[1]);
}

// With a dimension: each array is cut along it and the pieces exchanged. Without: operand i goes to device i.
ShapeError verify_all_to_all(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const bool is_single_array = instruction.shape.is_array() && operand_count(instruction) == 1;
  if (is_single_array || instruction.shape.elements.size() == operand_count(instruction)) return {};
  return stated(instruction, "one array for each operand");
}

ShapeError verify_collective_permute(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  if (operand_count(instruction) != 1) return {};
  if (instruction.shape.same_type(operand_shape(instruction, 0))) return {};
  return stated(instruction, text(operand_shape(instruction, 0)));
}

ShapeError verify_collective_permute_start(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  if (instruction.shape.is_tuple() && instruction.shape.elements.size() >= 2) return {};
  return stated(instruction, "a tuple of the source, the destination and contexts");
}

ShapeResult infer_collective_broadcast(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  const bool has_root = instruction.attributes->has_dynamic_root.value_or(false);
  std::vector<Shape> results;
  for (size_t i = 0; i + (has_root ? 1 : 0) < operand_count(instruction); ++i) {
    results.push_back(without_layout(operand_shape(instruction, i)));
  }
  return single_or_tuple(std::move(results));
}

ShapeResult infer_ragged_all_to_all(const Instruction& instruction) {
  return without_layout(operand_shape(instruction, 1));
}

ShapeResult infer_device_id(const Instruction&) { return Shape::scalar(DType::kU32); }

ShapeResult infer_send(const Instruction& instruction) {
  return Shape::tuple({without_layout(operand_shape(instruction, 0)), Shape::scalar(DType::kU32), Shape::token()});
}

ShapeError verify_recv(const Instruction& instruction) {
  const std::vector<Shape>& elements = instruction.shape.elements;
  if (instruction.shape.is_tuple() && elements.size() == 3 && elements[1].same_type(Shape::scalar(DType::kU32)) &&
      elements[2].kind == Shape::Kind::kToken) {
    return {};
  }
  return stated(instruction, "a tuple of the data, u32[] and token[]");
}

ShapeResult infer_recv_done(const Instruction& instruction) {
  const Shape& start = operand_shape(instruction, 0);
  if (start.is_tuple() && start.elements.size() == 3) {
    return Shape::tuple({without_layout(start.elements[0]), Shape::token()});
  }
  return ShapeError{operand_text(instruction, 0) + " is " + text(start) + ", not what recv returns", ""};
}

ShapeError verify_infeed(const Instruction& instruction) {
  const std::vector<Shape>& elements = instruction.shape.elements;
  if (instruction.shape.is_tuple() && elements.size() == 2 && elements[1].kind == Shape::Kind::kToken) return {};
  return stated(instruction, "a tuple of the data and token[]");
}

ShapeResult infer_token(const Instruction&) { return Shape::token(); }

}  // namespace sinter
