// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace heat2d_kernels {

namespace step {
cudaError_t
enqueue(const float* u_in, float* u_out, cudaStream_t stream);
}  // namespace step

}  // namespace heat2d_kernels
