// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace sort_argsort_kernels {

cudaError_t
launch_sorted(const float* x, float* sorted_out, cudaStream_t stream);

cudaError_t
launch_sorted_2(const int* group, int* sorted, cudaStream_t stream);

cudaError_t
launch_sorted_3(const float* x,
                const int* group,
                int* by_group_0,
                float* by_group_1,
                cudaStream_t stream);

}  // namespace sort_argsort_kernels
