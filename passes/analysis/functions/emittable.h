// What emitted kernels can hold.
#pragma once

#include "ir/module/module.h"
#include "ir/values/dtype.h"
#include "passes/analysis/functions/combiner.h"

namespace sinter {

// True if emitted code can compute a call of it, one element at a time, by a function on scalars.
bool can_emit_function(const Computation& computation);

// The type that arithmetic is done in: f32 for narrower floats, a byte for narrower integers, else the type itself.
inline DType accumulator_type(DType dtype) {
  if (is_integer(dtype) && dtype_bits(dtype) < 8) return is_signed_integer(dtype) ? DType::kS8 : DType::kU8;
  return sum_type(dtype);
}

}  // namespace sinter
