// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace nbody_kernels {

namespace nbody {
cudaError_t
enqueue(const float* position0_in, const float* velocity0_in, const float* mass,
        float* position_out, float* velocity_out, cudaStream_t stream);
}  // namespace nbody

}  // namespace nbody_kernels
