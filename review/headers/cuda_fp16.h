// Stands in for CUDA's cuda_fp16.h: the type __half, its conversions and its arithmetic.
#pragma once

#include <cuda_runtime.h>

struct __align__(2) __half {
  __half() = default;
  unsigned short bits;
};

__host__ __device__ float __half2float(__half x);
__host__ __device__ __half __float2half_rn(float x);
__host__ __device__ __half __double2half(double x);
__host__ __device__ __half __hadd_rn(__half a, __half b);
__host__ __device__ __half __hsub_rn(__half a, __half b);
__host__ __device__ __half __hmul_rn(__half a, __half b);
__host__ __device__ __half __hmax_nan(__half a, __half b);
__host__ __device__ __half __hmin_nan(__half a, __half b);
__host__ __device__ __half __hneg(__half x);
__host__ __device__ __half __habs(__half x);
