// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace embedding_lookup_kernels {

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
launch_sum_1(const Sum1Arrays& arrays, cudaStream_t stream);

cudaError_t
launch_sum_2(const int* tokens, const float* x, const int* sum, float* div, cudaStream_t stream);

}  // namespace embedding_lookup_kernels
