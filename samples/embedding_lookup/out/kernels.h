// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace embedding_lookup_kernels {

namespace sum_1 {
struct Sum1Arrays {
  struct SumArrays {
    const int* tokens;
    int* sum_out;
  } sum;
  struct XArrays {
    const float* table;
    const float* positions;
    const float* segments;
    const int* tokens;
    const int* segment;
    float* x_out;
  } x;
};

cudaError_t
enqueue(const Sum1Arrays& arrays, cudaStream_t stream);
}  // namespace sum_1

namespace sum_2 {
cudaError_t
enqueue(const int* tokens, const float* x, const int* sum, float* div, cudaStream_t stream);
}  // namespace sum_2

}  // namespace embedding_lookup_kernels
