// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace lstm_kernels {

namespace step {
cudaError_t
enqueue(const float* params_x_w, const float* xs, float* xs_w_out, cudaStream_t stream);
}  // namespace step

namespace step_2 {
cudaError_t
enqueue(const float* params_h_w, const float* params_x_b, const float* xs_w, float* h_out,
        float* c_out, float* hs_out, cudaStream_t stream);
}  // namespace step_2

}  // namespace lstm_kernels
