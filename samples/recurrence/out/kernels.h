// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace recurrence_kernels {

namespace after {
cudaError_t
enqueue(const float* decay, const float* value, float* sum, float* product, cudaStream_t stream);
}  // namespace after

namespace after_2 {
struct After2Arrays {
  struct AfterArrays {
    const float* product_in;
    const float* sum_in;
    float* sum_out;
    float* product_out;
  } after;
  struct PaddedArrays {
    const float* product;
    const float* sum;
    float* padded_1_out;
    float* padded_2_out;
  } padded;
  uint32_t* finished;
};

cudaError_t
enqueue(const After2Arrays& arrays, cudaStream_t stream);
}  // namespace after_2

namespace sum {
cudaError_t
enqueue(const float* sum_in, const float* product, const float* padded, const float* padded_1,
        float* sum_out, cudaStream_t stream);
}  // namespace sum

namespace sum_2 {
cudaError_t
enqueue(const float* decay, const float* value, const float* sum_in, const float* product,
        const float* sum_1_in, float* sum_out, cudaStream_t stream);
}  // namespace sum_2

}  // namespace recurrence_kernels
