// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace layernorm_kernels {

namespace layernorm {
cudaError_t
enqueue(const float* x, const float* scale, const float* bias, float* y, cudaStream_t stream);
}  // namespace layernorm

}  // namespace layernorm_kernels
