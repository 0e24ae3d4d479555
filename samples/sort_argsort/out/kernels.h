// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace sort_argsort_kernels {

namespace sorted {
cudaError_t
enqueue(const float* x, float* sorted_out, cudaStream_t stream);
}  // namespace sorted

namespace sorted_2 {
cudaError_t
enqueue(const int* group, int* sorted_2_out, cudaStream_t stream);
}  // namespace sorted_2

namespace sorted_3 {
cudaError_t
enqueue(const float* x, const int* group, int* by_group_0, float* by_group_1, cudaStream_t stream);
}  // namespace sorted_3

}  // namespace sort_argsort_kernels
