// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace sort_argsort_kernels {

namespace sort_1 {
cudaError_t
enqueue(const float* x, float* sort, cudaStream_t stream);
}  // namespace sort_1

namespace sort_2 {
cudaError_t
enqueue(const int* group, int* sort, cudaStream_t stream);
}  // namespace sort_2

namespace sort_3 {
cudaError_t
enqueue(const float* x, const int* group, int* by_group_0, float* by_group_1, cudaStream_t stream);
}  // namespace sort_3

}  // namespace sort_argsort_kernels
