// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace image_filters_bilateral_kernels {

namespace smooth {
cudaError_t
enqueue(const float* image, float* smooth_3_out, cudaStream_t stream);
}  // namespace smooth

namespace smooth_2 {
cudaError_t
enqueue(const float* image, const float* smooth_3, float* smooth, cudaStream_t stream);
}  // namespace smooth_2

}  // namespace image_filters_bilateral_kernels
