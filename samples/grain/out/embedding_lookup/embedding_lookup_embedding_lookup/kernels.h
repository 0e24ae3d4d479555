// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace embedding_lookup_embedding_lookup_kernels {

namespace bag {
struct BagArrays {
  struct Bag3Arrays {
    const int* tokens;
    float* bag_3_out;
  } bag_3;
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
enqueue(const BagArrays& arrays, cudaStream_t stream);
}  // namespace bag

namespace bag_2 {
cudaError_t
enqueue(const int* tokens, const float* x, const float* bag_3, float* bag, cudaStream_t stream);
}  // namespace bag_2

}  // namespace embedding_lookup_embedding_lookup_kernels
