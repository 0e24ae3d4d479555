// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace logsumexp_kernels {

namespace logsumexp {
cudaError_t
enqueue(const float* x, float* y, cudaStream_t stream);
}  // namespace logsumexp

}  // namespace logsumexp_kernels
