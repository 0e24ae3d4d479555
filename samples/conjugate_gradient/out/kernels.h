// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {

struct DotArrays {
  struct Dot1Arrays {
    const float* b;
    float* dot_out;
  } dot_1;
  struct FillArrays {
    float* broadcast_in_dim;
  } fill;
};

cudaError_t
launch_dot(const DotArrays& arrays, cudaStream_t stream);

cudaError_t
launch_step_1(const int* sum_in, int* sum_out, cudaStream_t stream);

cudaError_t
launch_step_2(const float* b, float* dot_out, cudaStream_t stream);

cudaError_t
launch_step_3(const float* b_in,
              const float* b_1_in,
              const float* dot,
              const float* dot_1,
              float* b_out,
              cudaStream_t stream);

cudaError_t
launch_step_4(const float* b, float* dot_out, cudaStream_t stream);

cudaError_t
launch_step_5(const float* sum_in,
              const float* b_in,
              const float* dot,
              const float* dot_1,
              const float* b_1_in,
              const float* dot_2,
              float* sum_out,
              float* b_out,
              cudaStream_t stream);

cudaError_t
launch_unfinished(const int* sum, const float* dot, bool* and_, cudaStream_t stream);

}  // namespace conjugate_gradient_kernels
