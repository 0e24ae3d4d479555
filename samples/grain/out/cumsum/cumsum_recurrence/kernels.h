// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cumsum_recurrence_kernels {

namespace compose {
cudaError_t
enqueue(const float* a_in, const float* b_in, float* h_2_out, float* h_3_out, cudaStream_t stream);
}  // namespace compose

namespace compose_2 {
cudaError_t
enqueue(const float* a, const float* b, const float* h_2, const float* h_3, float* h_out,
        cudaStream_t stream);
}  // namespace compose_2

}  // namespace cumsum_recurrence_kernels
