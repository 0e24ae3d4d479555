// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace softmax_kernels {

namespace softmax {
cudaError_t
enqueue(const float* x, float* probs, cudaStream_t stream);
}  // namespace softmax

}  // namespace softmax_kernels
