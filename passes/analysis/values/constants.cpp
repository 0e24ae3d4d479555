#include "passes/analysis/values/constants.h"

#include <algorithm>
#include <span>

namespace sinter {

std::optional<Literal> splat_value(const Instruction& instruction) {
  // Chains of index maps are short once simplify has run; a long one is not looked through.
  constexpr int kDepth = 8;
  const Instruction* value = &instruction;
  for (int depth = 0; depth < kDepth; ++depth) {
    switch (value->opcode) {
      case Opcode::kBroadcast:
      case Opcode::kReshape:
      case Opcode::kTranspose:
      case Opcode::kReverse:
      case Opcode::kSlice:
      case Opcode::kDynamicSlice:
      case Opcode::kCopy:
        value = value->operand(0);
        continue;
      case Opcode::kConstant:
        if (!value->shape.is_array() || value->shape.element_count() != 1 || value->literal.is_elided()) return {};
        if (value->shape.is_scalar()) return value->literal;
        break;
      default:
        return {};
    }
    Literal scalar(Shape::scalar(value->shape.dtype));
    const std::span<const std::byte> bytes = value->literal.bytes();
    std::copy(bytes.begin(), bytes.end(), scalar.mutable_bytes().begin());
    return scalar;
  }
  return {};
}

std::optional<int64_t> splat_integer(const Instruction& instruction) {
  if (!instruction.shape.is_array()) return {};
  if (!is_integer(instruction.shape.dtype) && instruction.shape.dtype != DType::kPred) return {};
  const std::optional<Literal> value = splat_value(instruction);
  if (!value) return {};
  return value->integer_at(0);
}

std::optional<double> splat_real(const Instruction& instruction) {
  if (!instruction.shape.is_array() || !is_float(instruction.shape.dtype)) return {};
  const std::optional<Literal> value = splat_value(instruction);
  if (!value) return {};
  return value->real_at(0);
}

Literal scalar_at(const Literal& array, int64_t index) {
  Literal scalar(Shape::scalar(array.shape().dtype));
  const std::span<std::byte> bytes = scalar.mutable_bytes();
  std::ranges::copy(array.bytes().subspan(static_cast<size_t>(index) * bytes.size(), bytes.size()), bytes.begin());
  return scalar;
}

int64_t integer_min(DType dtype) {
  if (!is_signed_integer(dtype)) return 0;
  return dtype_bits(dtype) == 64 ? INT64_MIN : -(int64_t{1} << (dtype_bits(dtype) - 1));
}

int64_t integer_max(DType dtype) {
  if (dtype == DType::kPred) return 1;
  const int bits = is_signed_integer(dtype) ? dtype_bits(dtype) - 1 : dtype_bits(dtype);
  return bits >= 63 ? INT64_MAX : (int64_t{1} << bits) - 1;
}

int64_t wrap_integer(DType dtype, __int128 value) {
  const int unused = 64 - dtype_bits(dtype);
  const uint64_t low = static_cast<uint64_t>(value) << unused;
  return is_signed_integer(dtype) ? static_cast<int64_t>(low) >> unused : static_cast<int64_t>(low >> unused);
}

std::vector<int64_t> squeezed_dims(const std::vector<int64_t>& dims) {
  std::vector<int64_t> result;
  for (int64_t dim : dims) {
    if (dim != 1) result.push_back(dim);
  }
  return result;
}

std::optional<int64_t> dimension_before_reshape(const std::vector<int64_t>& from, const std::vector<int64_t>& to,
                                                int64_t dimension) {
  if (to[static_cast<size_t>(dimension)] == 1 || squeezed_dims(from) != squeezed_dims(to)) return std::nullopt;
  const auto wide = [](int64_t size) { return size != 1; };
  int64_t left = std::count_if(to.begin(), to.begin() + dimension, wide);
  return std::find_if(from.begin(), from.end(), [&](int64_t size) { return wide(size) && left-- == 0; }) - from.begin();
}

std::vector<int64_t> iota_list(int64_t count) {
  std::vector<int64_t> result;
  for (int64_t i = 0; i < count; ++i) result.push_back(i);
  return result;
}

}  // namespace sinter
