// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace embedding_lookup_kernels {

struct AddArrays {
  struct Add1Arrays {
    const float* table;
    const float* positions;
    const float* segments;
    const int* tokens;
    const int* segment;
    float* add;
  } add_1;
  struct SumArrays {
    const int* tokens;
    int* sum_out;
  } sum;
};

cudaError_t
launch_add(const AddArrays& arrays, cudaStream_t stream);

cudaError_t
launch_sum(const int* tokens, const float* add, const int* sum_in, float* div, cudaStream_t stream);

}  // namespace embedding_lookup_kernels
