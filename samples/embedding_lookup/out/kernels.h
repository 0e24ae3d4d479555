// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace embedding_lookup_kernels {

cudaError_t
launch_add(const float* table,
           const float* positions,
           const float* segments,
           const int* tokens,
           const int* segment,
           float* add_out,
           cudaStream_t stream);

cudaError_t
launch_sum_1(const int* tokens, int* sum_out, cudaStream_t stream);

cudaError_t
launch_sum_2(const int* tokens, const float* add, const int* sum, float* div, cudaStream_t stream);

}  // namespace embedding_lookup_kernels
