// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace dropout_kernels {

namespace dropout {
cudaError_t
enqueue(const float* x, const uint32_t* seed, float* y, cudaStream_t stream);
}  // namespace dropout

}  // namespace dropout_kernels
