// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace lorenz_rk4_kernels {

namespace step {
cudaError_t
enqueue(const float* x_in, const float* y_in, const float* z_in, float* x_out, float* y_out,
        float* z_out, float* joined_out, cudaStream_t stream);
}  // namespace step

}  // namespace lorenz_rk4_kernels
