// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace layernorm_kernels {

cudaError_t
launch_layernorm(const float* x,
                 const float* scale,
                 const float* bias,
                 float* normalised,
                 cudaStream_t stream);

}  // namespace layernorm_kernels
