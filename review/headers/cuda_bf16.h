// Stands in for CUDA's cuda_bf16.h: the type __nv_bfloat16, its conversions and its arithmetic.
#pragma once

#include <cuda_runtime.h>

struct __align__(2) __nv_bfloat16 {
  __nv_bfloat16() = default;
  unsigned short bits;
};

__host__ __device__ float __bfloat162float(__nv_bfloat16 x);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rn(float x);
__host__ __device__ __nv_bfloat16 __double2bfloat16(double x);
__host__ __device__ __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b);
__host__ __device__ __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b);
__host__ __device__ __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b);
__host__ __device__ __nv_bfloat16 __hmax_nan(__nv_bfloat16 a, __nv_bfloat16 b);
__host__ __device__ __nv_bfloat16 __hmin_nan(__nv_bfloat16 a, __nv_bfloat16 b);
__host__ __device__ __nv_bfloat16 __hneg(__nv_bfloat16 x);
__host__ __device__ __nv_bfloat16 __habs(__nv_bfloat16 x);
