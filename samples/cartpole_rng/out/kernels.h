// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cartpole_rng_kernels {

namespace step {
cudaError_t
enqueue(const float* state_in, const uint32_t* key_in, float* state_out, int* episodes_out,
        cudaStream_t stream);
}  // namespace step

}  // namespace cartpole_rng_kernels
