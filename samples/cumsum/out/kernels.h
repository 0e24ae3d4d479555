// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cumsum_kernels {

cudaError_t
launch_cumsum_1(const float* x, float* sum_out, cudaStream_t stream);

cudaError_t
launch_cumsum_2(const float* p, float* product_out, cudaStream_t stream);

cudaError_t
launch_cumsum_3(const float* x, float* max_out, cudaStream_t stream);

}  // namespace cumsum_kernels
