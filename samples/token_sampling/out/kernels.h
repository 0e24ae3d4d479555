// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace token_sampling_kernels {

cudaError_t
launch_token_sampling_1(const float* logits,
                        const float* temperature,
                        float* top_k,
                        int* top_k_indices,
                        cudaStream_t stream);

cudaError_t
launch_token_sampling_2(const float* top_k, float* max_out, float* sum_out, cudaStream_t stream);

cudaError_t
launch_token_sampling_3(const float* top_k,
                        const float* max,
                        const float* sum_in,
                        float* sum_out,
                        cudaStream_t stream);

cudaError_t
launch_token_sampling_4(const float* top_k,
                        const int* top_k_indices,
                        const uint32_t* key,
                        const float* max,
                        const float* sum,
                        const float* sum_1,
                        int* squeeze,
                        float* select_out,
                        cudaStream_t stream);

}  // namespace token_sampling_kernels
