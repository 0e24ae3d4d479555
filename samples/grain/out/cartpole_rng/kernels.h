// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cartpole_rng_kernels {

namespace cartpole_rng {
cudaError_t
enqueue(const float* start_in, const uint32_t* seed_in, float* state_out, int* episodes_out,
        cudaStream_t stream);
}  // namespace cartpole_rng

}  // namespace cartpole_rng_kernels
