// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace lorenz_rk4_kernels {

namespace lorenz_rk4 {
cudaError_t
enqueue(const float* start_x_in, const float* start_y_in, const float* start_z_in, float* p_x_out,
        float* p_y_out, float* p_z_out, float* means_out, cudaStream_t stream);
}  // namespace lorenz_rk4

}  // namespace lorenz_rk4_kernels
