// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace image_filters_box_kernels {

namespace image_filters_box {
cudaError_t
enqueue(const float* image, float* smooth, cudaStream_t stream);
}  // namespace image_filters_box

}  // namespace image_filters_box_kernels
