// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kalman_kernels {

namespace kalman {
cudaError_t
enqueue(const float* first_x_in, const float* first_p_in, const float* measured, const float* f,
        float* last_x_out, float* last_p_out, float* place_out, cudaStream_t stream);
}  // namespace kalman

}  // namespace kalman_kernels
