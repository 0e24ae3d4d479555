// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace token_sampling_kernels {

cudaError_t
launch_max(const float* top_k, float* max_out, float* sum, cudaStream_t stream);

cudaError_t
launch_squeeze(const float* top_k,
               const int* top_k_1,
               const uint32_t* key,
               const float* sum,
               const float* max,
               const float* sum_1,
               int* squeeze_out,
               float* select,
               cudaStream_t stream);

cudaError_t
launch_sum(const float* top_k,
           const float* max,
           const float* sum_in,
           float* sum_out,
           cudaStream_t stream);

cudaError_t
launch_top_k(const float* logits,
             const float* temperature,
             float* top_k_out,
             int* top_k_out_1,
             cudaStream_t stream);

}  // namespace token_sampling_kernels
