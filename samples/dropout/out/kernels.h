// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace dropout_kernels {

cudaError_t
launch_dropout(const float* x, const uint32_t* key, float* masked, cudaStream_t stream);

}  // namespace dropout_kernels
