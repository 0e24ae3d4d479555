// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace softmax_kernels {

cudaError_t
launch_softmax(const float* x, float* probability, cudaStream_t stream);

}  // namespace softmax_kernels
