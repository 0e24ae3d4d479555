// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace logsumexp_kernels {

cudaError_t
launch_logsumexp(const float* x, float* log_sum_exp, cudaStream_t stream);

}  // namespace logsumexp_kernels
