// What emitted kernels can hold.
#pragma once

#include "ir/dtype.h"
#include "ir/module.h"

namespace sinter {

// True if emitted code can hold and compute this element type.
inline bool can_emit(DType dtype) {
  if (dtype == DType::kPred || is_integer(dtype)) return dtype_bits(dtype) >= 8;
  return dtype == DType::kF16 || dtype == DType::kBF16 || dtype == DType::kF32 || dtype == DType::kF64;
}

// True if emitted code can compute a call of it, one element at a time, by a function on scalars.
bool can_emit_function(const Computation& computation);

// f16 and bf16 accumulate in f32; every other type in itself.
inline DType accumulator_type(DType dtype) {
  return dtype == DType::kF16 || dtype == DType::kBF16 ? DType::kF32 : dtype;
}

}  // namespace sinter
