// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cumsum_kernels {

namespace cumsum {
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
enqueue(const CumsumArrays& arrays, cudaStream_t stream);
}  // namespace cumsum

}  // namespace cumsum_kernels
