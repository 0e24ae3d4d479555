// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace quantised_dense_kernels {

namespace product {
cudaError_t
enqueue(const float* x, const int8_t* w, const float* w_scale, const float* scale, float* y,
        cudaStream_t stream);
}  // namespace product

namespace scale {
cudaError_t
enqueue(const float* x, float* scale_out, cudaStream_t stream);
}  // namespace scale

}  // namespace quantised_dense_kernels
