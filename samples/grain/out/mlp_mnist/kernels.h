// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace mlp_mnist_kernels {

namespace mlp_mnist {
cudaError_t
enqueue(const float* layer1_b, const float* layer1_w, const float* layer2_b, const float* layer2_w,
        const float* layer3_b, const float* layer3_w, const float* images, float* probs,
        cudaStream_t stream);
}  // namespace mlp_mnist

}  // namespace mlp_mnist_kernels
