// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace recurrence_kernels {

namespace after {
cudaError_t
enqueue(const float* decay, const float* value, float* sum_3, float* product, cudaStream_t stream);
}  // namespace after

namespace after_2 {
struct After2Arrays {
  struct After3Arrays {
    const float* product;
    const float* sum_3;
    float* sum_4;
    float* product_2;
  } after_3;
  struct PaddedArrays {
    const float* product_2;
    const float* sum_4;
    float* padded_out;
    float* padded_2_out;
  } padded;
  uint32_t* finished;
};

cudaError_t
enqueue(const After2Arrays& arrays, cudaStream_t stream);
}  // namespace after_2

namespace sum {
cudaError_t
enqueue(const float* sum_4, const float* product_2, const float* padded, const float* padded_2,
        float* sum_5, cudaStream_t stream);
}  // namespace sum

namespace sum_2 {
cudaError_t
enqueue(const float* decay, const float* value, const float* sum_3, const float* product,
        const float* sum_5, float* sum, cudaStream_t stream);
}  // namespace sum_2

}  // namespace recurrence_kernels
