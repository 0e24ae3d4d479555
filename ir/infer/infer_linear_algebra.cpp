// Shape rules of transforms, factorisations and normalisations of whole arrays.
#include "ir/infer/infer_linear_algebra.h"

#include "ir/infer/infer_common.h"

namespace sinter {
namespace {

// The last two dimensions are those of square matrices.
ShapeError check_square(const Shape& shape) {
  const size_t rank = shape.dims.size();
  if (rank >= 2 && shape.dims[rank - 1] == shape.dims[rank - 2] && is_real_or_complex(shape.dtype)) return {};
  return {"operand 0 is " + text(shape) + ", must hold square matrices of floating-point or complex numbers", ""};
}

// Operand `index` is a vector with one element for each feature of operand 0.
ShapeError check_feature_vector(const Instruction& instruction, size_t index) {
  const Shape& operand = operand_shape(instruction, 0);
  const size_t feature = static_cast<size_t>(*instruction.attributes->feature_index);
  const Shape expected = Shape::array(operand.dtype, {operand.dims[feature]});
  const Shape& found = operand_shape(instruction, index);
  if (found.dtype == expected.dtype && found.dims == expected.dims) return {};
  return {operand_text(instruction, index) + " is " + text(found) + ", must be " + text(expected), ""};
}

ShapeError check_batch_norm(const Instruction& instruction, size_t feature_vectors) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  if (!is_float(operand.dtype)) return {"operand 0 is " + text(operand) + ", must be floating-point", ""};
  if (ShapeError error = check_dimensions("feature_index", {*instruction.attributes->feature_index}, operand);
      failed(error)) {
    return error;
  }
  for (size_t i = 1; i <= feature_vectors; ++i) {
    if (ShapeError error = check_feature_vector(instruction, i); failed(error)) return error;
  }
  return {};
}

Shape array_and_two_vectors(const Instruction& instruction) {
  const Shape& operand = operand_shape(instruction, 0);
  const int64_t features = operand.dims[static_cast<size_t>(*instruction.attributes->feature_index)];
  const Shape vector = Shape::array(operand.dtype, {features});
  return Shape::tuple({with_type(operand, operand.dtype), vector, vector});
}

}  // namespace

ShapeResult infer_fft(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const std::string& type = *instruction.attributes->fft_type;
  const std::vector<int64_t>& lengths = *instruction.attributes->fft_length;
  if (ShapeError error = check_word("fft_type", type, {"FFT", "IFFT", "RFFT", "IRFFT"}); failed(error)) return error;
  if (lengths.empty() || lengths.size() > 3 || static_cast<int64_t>(lengths.size()) > operand.rank()) {
    return ShapeError{"fft_length=" + text(lengths) + " does not fit " + text(operand),
                      "it has 1 to 3 entries, for the last dimensions of the operand"};
  }
  const bool from_real = type == "RFFT";
  const bool to_real = type == "IRFFT";
  const DType dtype = operand.dtype;
  if (from_real ? dtype != DType::kF32 && dtype != DType::kF64 : !is_complex(dtype)) {
    return ShapeError{
        "operand 0 is " + text(operand) + ", " + type + " takes " + (from_real ? "f32 or f64" : "complex"), ""};
  }

  const size_t first = operand.dims.size() - lengths.size();
  Shape result = Shape::array(dtype, operand.dims);
  for (size_t i = 0; i < lengths.size(); ++i) {
    const bool innermost = i + 1 == lengths.size();
    if (lengths[i] < 0) return ShapeError{"fft_length=" + text(lengths) + " has a negative entry", ""};
    // Half of a real signal's spectrum mirrors the other: n / 2 + 1 values say all, and none for no samples.
    const int64_t half = lengths[i] == 0 ? 0 : lengths[i] / 2 + 1;
    const int64_t expected = to_real && innermost ? half : lengths[i];
    if (operand.dims[first + i] != expected) {
      return ShapeError{"dimension " + std::to_string(first + i) + " of " + text(operand) + " must be " +
                            std::to_string(expected) + " for fft_length=" + text(lengths),
                        ""};
    }
    result.dims[first + i] = from_real && innermost ? half : lengths[i];
  }
  if (from_real) result.dtype = dtype == DType::kF32 ? DType::kC64 : DType::kC128;
  if (to_real) result.dtype = dtype == DType::kC64 ? DType::kF32 : DType::kF64;
  return result;
}

ShapeResult infer_cholesky(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  if (ShapeError error = check_square(operand); failed(error)) return error;
  return with_type(operand, operand.dtype);
}

ShapeResult infer_triangular_solve(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& a = operand_shape(instruction, 0);
  const Shape& b = operand_shape(instruction, 1);
  if (ShapeError error = check_square(a); failed(error)) return error;
  if (const auto& transpose = instruction.attributes->transpose_a) {
    if (ShapeError error = check_word("transpose_a", *transpose, {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"});
        failed(error)) {
      return error;
    }
  }
  const size_t rank = a.dims.size();
  bool fits = b.dtype == a.dtype && b.dims.size() == rank;
  for (size_t i = 0; fits && i + 2 < rank; ++i) fits = a.dims[i] == b.dims[i];
  const bool left = instruction.attributes->left_side.value_or(false);
  if (!fits || b.dims[left ? rank - 2 : rank - 1] != a.dims[rank - 1]) {
    return ShapeError{"the right-hand sides " + text(b) + " do not fit the matrices " + text(a) +
                          (left ? " with left_side=true" : " with left_side=false"),
                      "an absent left_side means false"};
  }
  return with_type(b, b.dtype);
}

ShapeResult infer_batch_norm_training(const Instruction& instruction) {
  if (ShapeError error = check_batch_norm(instruction, 2); failed(error)) return error;
  return array_and_two_vectors(instruction);
}

ShapeResult infer_batch_norm_inference(const Instruction& instruction) {
  if (ShapeError error = check_batch_norm(instruction, 4); failed(error)) return error;
  return with_type(operand_shape(instruction, 0), operand_shape(instruction, 0).dtype);
}

ShapeResult infer_batch_norm_grad(const Instruction& instruction) {
  if (ShapeError error = check_batch_norm(instruction, 3); failed(error)) return error;
  if (operand_shape(instruction, 4).dims != operand_shape(instruction, 0).dims ||
      operand_shape(instruction, 4).dtype != operand_shape(instruction, 0).dtype) {
    return ShapeError{
        "the gradient " + text(operand_shape(instruction, 4)) + " must be " + text(operand_shape(instruction, 0)), ""};
  }
  return array_and_two_vectors(instruction);
}

}  // namespace sinter
