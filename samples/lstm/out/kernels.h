// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace lstm_kernels {

struct FillArrays {
  struct Fill1Arrays {
    float* broadcast_in_dim;
  } fill_1;
  struct Fill2Arrays {
    float* broadcast_in_dim;
  } fill_2;
};

cudaError_t
launch_fill(const FillArrays& arrays, cudaStream_t stream);

cudaError_t
launch_step(const float* mul_in,
            const float* add_in,
            const float* xs,
            const float* params_x_w,
            const float* params_h_w,
            const float* params_x_b,
            float* add_out,
            float* mul_out,
            float* mul_1_out,
            int t,
            cudaStream_t stream);

}  // namespace lstm_kernels
