// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace embedding_lookup_kernels {

namespace count {
struct CountArrays {
  struct Count2Arrays {
    const int* tokens;
    int* count_2_out;
  } count_2;
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
enqueue(const CountArrays& arrays, cudaStream_t stream);
}  // namespace count

namespace product_sum {
cudaError_t
enqueue(const int* tokens, const float* x, const int* count_2, float* ratio, cudaStream_t stream);
}  // namespace product_sum

}  // namespace embedding_lookup_kernels
