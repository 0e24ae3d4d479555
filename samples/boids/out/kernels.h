// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace boids_kernels {

namespace boids {
cudaError_t
enqueue(const float* position_in, const float* velocity_in, float* velocity_out,
        float* position_out, cudaStream_t stream);
}  // namespace boids

}  // namespace boids_kernels
