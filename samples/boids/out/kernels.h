// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace boids_kernels {

namespace steps {
cudaError_t
enqueue(const float* position_in, const float* velocity_in, float* position_out, float* position_2,
        float* velocity_out, float* velocity_2, uint32_t* barrier_counts, cudaStream_t stream);
}  // namespace steps

}  // namespace boids_kernels
