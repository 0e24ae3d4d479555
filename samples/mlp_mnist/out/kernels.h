// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace mlp_mnist_kernels {

namespace mlp {
cudaError_t
enqueue(const float* params_0_b, const float* params_0_w, const float* images, float* x,
        cudaStream_t stream);
}  // namespace mlp

namespace mlp_2 {
struct Mlp2Arrays {
  struct Mlp3Arrays {
    const float* params_1_b;
    const float* params_1_w;
    const float* x;
    float* x_2;
  } mlp_3;
  struct DenseArrays {
    const float* params_2_w;
    const float* x_2;
    float* x_w_out;
  } dense;
  uint32_t* finished;
};

cudaError_t
enqueue(const Mlp2Arrays& arrays, cudaStream_t stream);
}  // namespace mlp_2

namespace weight_sum {
cudaError_t
enqueue(const float* params_2_b, const float* x_w, float* probability, cudaStream_t stream);
}  // namespace weight_sum

}  // namespace mlp_mnist_kernels
