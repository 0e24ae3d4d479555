// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace mandelbrot_kernels {

cudaError_t
launch_any(const int* select,
           const float* broadcast,
           const float* broadcast_1,
           bool* any_out,
           cudaStream_t stream);

cudaError_t
launch_fill_1(int* broadcast_in_dim, cudaStream_t stream);

cudaError_t
launch_fill_2(float* broadcast, cudaStream_t stream);

cudaError_t
launch_select(const int* select_in,
              const float* broadcast_in,
              const float* broadcast_1_in,
              const float* xs,
              const float* ys,
              int* select_out,
              float* broadcast_out,
              float* broadcast_1_out,
              cudaStream_t stream);

}  // namespace mandelbrot_kernels
