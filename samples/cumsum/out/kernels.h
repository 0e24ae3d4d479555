// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cumsum_kernels {

struct CumsumArrays {
  struct ProductArrays {
    const float* p;
    float* product_out;
  } product;
  struct SumArrays {
    const float* x;
    float* sum_out;
  } sum;
  struct MaxArrays {
    const float* x;
    float* max_out;
  } max;
};

cudaError_t
launch_cumsum(const CumsumArrays& arrays, cudaStream_t stream);

}  // namespace cumsum_kernels
