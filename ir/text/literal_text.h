// Facts about the text of literals that printer and parser share.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/values/dtype.h"

namespace sinter {

// The NaN that `nan`, `-nan` or `nan(0x...)` stands for; nullopt if the type has no such NaN. A payload is the whole
// significand field.
std::optional<uint64_t> nan_bits(DType dtype, bool negative, std::optional<uint64_t> payload);
bool is_nan_bits(DType dtype, uint64_t bits);

// Fields of the formats whose NaNs carry payloads (those with an infinity); zero for others.
struct NanFields {
  int exponent_bits = 0;
  int mantissa_bits = 0;
};
NanFields nan_fields(DType dtype);

}  // namespace sinter
