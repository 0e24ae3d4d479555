// exp2_approx(x): 2 to the power of x in one instruction, to some two units in the last place;
// results below the smallest normal number are zero.
#pragma once

#include "device/launch.cuh"

#ifdef SINTER_CPU
#include <cfloat>
#endif

inline namespace sinter_helpers {

__device__ __forceinline__ float exp2_approx(float x) {
#ifdef SINTER_CPU
  const float result = exp2f(x);
  return result < FLT_MIN ? 0.0f : result;
#else
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#endif
}

}  // namespace sinter_helpers
