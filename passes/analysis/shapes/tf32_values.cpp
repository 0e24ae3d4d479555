#include "passes/analysis/shapes/tf32_values.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "passes/analysis/shapes/matrix_product.h"
#include "passes/analysis/values/chosen_operands.h"

namespace sinter {

namespace {

constexpr int64_t kMostInteger = 2048;  // up to which all integers have TF32's 11 digits or fewer

// Of floats of 16 bits and less: f16 has as many digits as TF32, and none has larger exponents.
bool has_few_digits(DType dtype) {
  if (dtype == DType::kPred) return true;
  if (is_float(dtype)) return dtype_bits(dtype) <= 16;
  return is_integer(dtype) && dtype_bits(dtype) <= 8;
}

bool is_tf32_constant(const Literal& literal) {
  constexpr size_t kMostElements = 4096;
  constexpr uint32_t kCutBits = (uint32_t{1} << 13) - 1;  // of a float, that TF32 has not
  if (literal.is_elided()) return false;
  const std::span<const uint32_t> elements = literal.values<uint32_t>();
  return elements.size() <= kMostElements &&
         std::ranges::none_of(elements, [](uint32_t bits) { return (bits & kCutBits) != 0; });
}

// `left`: values that are still looked at; of operations that read many others.
bool is_tf32(const Instruction& value, int* left) {
  if (--*left < 0 || value.shape.dtype != DType::kF32 || !value.shape.is_array()) return false;
  switch (value.opcode) {
    case Opcode::kConvert:
      return has_few_digits(value.operand(0)->shape.dtype) || is_tf32(*value.operand(0), left);
    case Opcode::kConstant:
      return is_tf32_constant(value.literal);
    case Opcode::kIota:
      return value.shape.dims[value.attributes->iota_dimension.value_or(0)] <= kMostInteger;
    default:
      break;
  }
  const std::optional<std::pair<size_t, size_t>> chosen = chosen_operands(value);
  if (!chosen) return false;
  for (size_t i = chosen->first; i < chosen->second; ++i) {
    if (!is_tf32(*value.operand(i), left)) return false;
  }
  return true;
}

}  // namespace

bool is_tf32(const Instruction& value) {
  int left = 32;
  return is_tf32(value, &left);
}

Tf32Operands tf32_operands(const std::vector<const Instruction*>& products, bool swapped) {
  const auto are_tf32 = [&](size_t operand) {
    return std::ranges::all_of(products,
                               [&](const Instruction* product) { return is_tf32(*product->operand(operand)); });
  };
  if (products[0]->opcode == Opcode::kConvolution) {
    const std::optional<ConvolutionMatrices> matrices = convolution_matrices(*products[0]);
    swapped = matrices && matrices->kernel_rows;
  }
  return {are_tf32(swapped ? 1 : 0), are_tf32(swapped ? 0 : 1)};
}

}  // namespace sinter
