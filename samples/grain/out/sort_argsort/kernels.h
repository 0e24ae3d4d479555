// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace sort_argsort_kernels {

namespace by_group {
cudaError_t
enqueue(const float* x, const int* group, int* by_group_out, float* x_by, cudaStream_t stream);
}  // namespace by_group

namespace order {
cudaError_t
enqueue(const int* group, int* order_out, cudaStream_t stream);
}  // namespace order

namespace sorted {
cudaError_t
enqueue(const float* x, float* sorted_out, cudaStream_t stream);
}  // namespace sorted

}  // namespace sort_argsort_kernels
