// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace lstm_kernels {

namespace lstm {
cudaError_t
enqueue(const float* wh, const float* bias, const float* sums, float* h_out, float* c_out,
        float* hs_out, cudaStream_t stream);
}  // namespace lstm

namespace sums {
cudaError_t
enqueue(const float* wx, const float* xs, float* sums_out, cudaStream_t stream);
}  // namespace sums

}  // namespace lstm_kernels
