// What emitted kernels can hold.
#pragma once

#include "ir/dtype.h"

namespace sinter {

// True if emitted code can hold and compute this element type.
inline bool can_emit(DType dtype) {
  if (dtype == DType::kPred || is_integer(dtype)) return dtype_bits(dtype) >= 8;
  return dtype == DType::kF16 || dtype == DType::kBF16 || dtype == DType::kF32 || dtype == DType::kF64;
}

// f16 and bf16 accumulate in f32; every other type in itself.
inline DType accumulator_type(DType dtype) {
  return dtype == DType::kF16 || dtype == DType::kBF16 ? DType::kF32 : dtype;
}

}  // namespace sinter
