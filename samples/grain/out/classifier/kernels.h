// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace classifier_kernels {

namespace best {
struct BestArrays {
  struct Best2Arrays {
    const float* y;
    const float* net_second_b;
    int* best_out;
  } best_2;
  struct SoftmaxArrays {
    const float* y;
    const float* net_second_b;
    float* probs;
  } softmax;
};

cudaError_t
enqueue(const BestArrays& arrays, cudaStream_t stream);
}  // namespace best

namespace dense {
cudaError_t
enqueue(const float* x, const float* net_first_w, const float* net_first_b,
        const float* net_second_w, float* y_out, cudaStream_t stream);
}  // namespace dense

}  // namespace classifier_kernels
