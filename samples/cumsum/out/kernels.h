// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cumsum_kernels {

namespace cumsum {
struct CumsumArrays {
  struct RunningProductArrays {
    const float* p;
    float* running_product_out;
  } running_product;
  struct RunningSumArrays {
    const float* x;
    float* running_sum_out;
  } running_sum;
  struct RunningMaxArrays {
    const float* x;
    float* running_max_out;
  } running_max;
};

cudaError_t
enqueue(const CumsumArrays& arrays, cudaStream_t stream);
}  // namespace cumsum

}  // namespace cumsum_kernels
