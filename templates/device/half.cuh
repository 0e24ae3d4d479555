// The 16-bit floats. CUDA adds, subtracts and multiplies them as they are (__hadd_rn); everything
// else is done in float. Results are rounded to nearest, ties to even.
#pragma once

#include "device/launch.cuh"

#ifndef SINTER_CPU
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

inline namespace sinter_helpers {

__host__ __device__ inline float to_float(__half x) { return __half2float(x); }
__host__ __device__ inline float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

__host__ __device__ inline __half to_half(float x) { return __float2half_rn(x); }
__host__ __device__ inline __nv_bfloat16 to_bfloat16(float x) { return __float2bfloat16_rn(x); }

// From double in one rounding, not by way of float.
__host__ __device__ inline __half to_half(double x) { return __double2half(x); }
__host__ __device__ inline __nv_bfloat16 to_bfloat16(double x) { return __double2bfloat16(x); }

}  // namespace sinter_helpers
