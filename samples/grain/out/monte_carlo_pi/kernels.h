// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace monte_carlo_pi_kernels {

namespace for_ {
cudaError_t
enqueue(const int* hits, float* estimate, cudaStream_t stream);
}  // namespace for_

namespace monte_carlo_pi {
cudaError_t
enqueue(const uint32_t* seed, int* hits_out, cudaStream_t stream);
}  // namespace monte_carlo_pi

}  // namespace monte_carlo_pi_kernels
