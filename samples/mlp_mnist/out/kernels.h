// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace mlp_mnist_kernels {

namespace mlp_mnist {
cudaError_t
enqueue(const float* params_0_b, const float* params_0_w, const float* params_1_b,
        const float* params_1_w, const float* params_2_b, const float* params_2_w,
        const float* images, float* probability, cudaStream_t stream);
}  // namespace mlp_mnist

}  // namespace mlp_mnist_kernels
