// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace lstm_kernels {

cudaError_t
launch_step(const float* params_h_w,
            const float* params_x_b,
            const float* params_x_w,
            const float* xs,
            float* h_out,
            float* c_out,
            float* hs_out,
            cudaStream_t stream);

}  // namespace lstm_kernels
