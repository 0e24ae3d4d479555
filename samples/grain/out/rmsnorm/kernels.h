// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/half.cuh"
#include "device/launch.cuh"

namespace rmsnorm_kernels {

namespace rmsnorm {
cudaError_t
enqueue(const __nv_bfloat16* x, const __nv_bfloat16* scale, __nv_bfloat16* y, cudaStream_t stream);
}  // namespace rmsnorm

}  // namespace rmsnorm_kernels
