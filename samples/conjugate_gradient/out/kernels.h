// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {

cudaError_t
launch_add_1(const int* sum, int* add, cudaStream_t stream);

cudaError_t
launch_add_2(const float* sum,
             const float* b,
             const float* dot,
             const float* dot_1,
             const float* sub,
             const float* dot_2,
             float* add_out,
             float* add_out_1,
             cudaStream_t stream);

cudaError_t
launch_and_(const int* sum, const float* dot, bool* and_out, cudaStream_t stream);

cudaError_t
launch_broadcast_in_dim(float* broadcast_in_dim_out, cudaStream_t stream);

cudaError_t
launch_dot_1(const float* b, float* dot, cudaStream_t stream);

cudaError_t
launch_dot_2(const float* b, float* dot, cudaStream_t stream);

cudaError_t
launch_sub(const float* b,
           const float* b_1,
           const float* dot,
           const float* dot_1,
           float* sub_out,
           cudaStream_t stream);

}  // namespace conjugate_gradient_kernels
