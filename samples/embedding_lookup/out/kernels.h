// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace embedding_lookup_kernels {

struct CountArrays {
  struct Count2Arrays {
    const int* tokens;
    int* count_out;
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
launch_count(const CountArrays& arrays, cudaStream_t stream);

cudaError_t
launch_sum(const int* tokens, const float* x, const int* count, float* ratio, cudaStream_t stream);

}  // namespace embedding_lookup_kernels
