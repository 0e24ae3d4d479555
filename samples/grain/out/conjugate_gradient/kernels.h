// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {

namespace conjugate_gradient {
cudaError_t
enqueue(const float* b_in, int* n_out, float* x_out, cudaStream_t stream);
}  // namespace conjugate_gradient

}  // namespace conjugate_gradient_kernels
