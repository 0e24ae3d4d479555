// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace token_sampling_kernels {

cudaError_t
launch_token_sampling(const float* logits,
                      const float* temperature,
                      float* values,
                      int* tokens,
                      cudaStream_t stream);

cudaError_t
launch_token_sampling_2(const float* values,
                        float* max_out,
                        float* weight_sum_out,
                        cudaStream_t stream);

cudaError_t
launch_token_sampling_3(const float* values,
                        const float* max,
                        const float* weight_sum,
                        float* sum_out,
                        cudaStream_t stream);

cudaError_t
launch_token_sampling_4(const float* values,
                        const int* tokens,
                        const uint32_t* key,
                        const float* max,
                        const float* weight_sum,
                        const float* sum,
                        int* chosen,
                        float* kept_out,
                        cudaStream_t stream);

}  // namespace token_sampling_kernels
