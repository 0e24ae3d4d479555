// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace heat2d_kernels {

namespace heat2d {
cudaError_t
enqueue(const float* start_in, float* u_out, cudaStream_t stream);
}  // namespace heat2d

}  // namespace heat2d_kernels
