// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace mlp_mnist_kernels {

cudaError_t
launch_dense(const float* params_2_w, const float* x, float* x_w_out, cudaStream_t stream);

cudaError_t
launch_mlp(const float* params_0_b,
           const float* params_0_w,
           const float* images,
           float* x,
           cudaStream_t stream);

cudaError_t
launch_mlp_2(const float* params_1_b,
             const float* params_1_w,
             const float* x_in,
             float* x_out,
             cudaStream_t stream);

cudaError_t
launch_weight_sum(const float* params_2_b,
                  const float* x_w,
                  float* probability,
                  cudaStream_t stream);

}  // namespace mlp_mnist_kernels
