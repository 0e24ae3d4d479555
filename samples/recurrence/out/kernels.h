// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace recurrence_kernels {

cudaError_t
launch_after(const float* decay,
             const float* value,
             float* sum,
             float* product,
             cudaStream_t stream);

struct After2Arrays {
  struct AfterArrays {
    const float* product_in;
    const float* sum_in;
    float* sum_out;
    float* product_out;
  } after;
  struct PaddedArrays {
    const float* product;
    const float* sum;
    float* padded_1_out;
    float* padded_2_out;
  } padded;
  uint32_t* finished;
};

cudaError_t
launch_after_2(const After2Arrays& arrays, cudaStream_t stream);

cudaError_t
launch_sum(const float* sum_in,
           const float* product,
           const float* padded,
           const float* padded_1,
           float* sum_out,
           cudaStream_t stream);

cudaError_t
launch_sum_2(const float* decay,
             const float* value,
             const float* sum_in,
             const float* product,
             const float* sum_1_in,
             float* sum_out,
             cudaStream_t stream);

}  // namespace recurrence_kernels
