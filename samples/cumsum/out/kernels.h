// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cumsum_kernels {

cudaError_t
launch_max(const float* x, float* max_out, cudaStream_t stream);

cudaError_t
launch_product(const float* p, float* product_out, cudaStream_t stream);

cudaError_t
launch_sum(const float* x, float* sum_out, cudaStream_t stream);

}  // namespace cumsum_kernels
