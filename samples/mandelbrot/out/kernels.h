// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace mandelbrot_kernels {

cudaError_t
launch_escape(const float* xs, const float* ys, int* while_out, cudaStream_t stream);

}  // namespace mandelbrot_kernels
