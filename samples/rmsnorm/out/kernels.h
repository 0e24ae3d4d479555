// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/half.cuh"
#include "device/launch.cuh"

namespace rmsnorm_kernels {

cudaError_t
launch_rmsnorm(const __nv_bfloat16* x,
               const __nv_bfloat16* scale,
               __nv_bfloat16* normalised,
               cudaStream_t stream);

}  // namespace rmsnorm_kernels
