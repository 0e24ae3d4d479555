// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace recurrence_kernels {

namespace after {
struct AfterArrays {
  struct After2Arrays {
    const float* decay;
    const float* value;
    float* sum_3;
    float* product;
  } after_2;
  struct PaddedArrays {
    const float* product;
    const float* sum_3;
    float* padded_out;
    float* padded_2_out;
  } padded;
  uint32_t* finished;
};

cudaError_t
enqueue(const AfterArrays& arrays, cudaStream_t stream);
}  // namespace after

namespace sum {
cudaError_t
enqueue(const float* sum_3, const float* product, const float* padded, const float* padded_2,
        float* sum_4, cudaStream_t stream);
}  // namespace sum

namespace sum_2 {
cudaError_t
enqueue(const float* decay, const float* value, const float* sum_4, float* sum,
        cudaStream_t stream);
}  // namespace sum_2

}  // namespace recurrence_kernels
