// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace token_sampling_kernels {

namespace token_sampling {
cudaError_t
enqueue(const float* logits, const float* temperature, float* values, int* tokens,
        cudaStream_t stream);
}  // namespace token_sampling

namespace token_sampling_2 {
cudaError_t
enqueue(const float* values, float* values_max_out, float* weight_sum_out, cudaStream_t stream);
}  // namespace token_sampling_2

namespace token_sampling_3 {
cudaError_t
enqueue(const float* values, const float* values_max, const float* weight_sum,
        float* running_sum_out, cudaStream_t stream);
}  // namespace token_sampling_3

namespace token_sampling_4 {
cudaError_t
enqueue(const float* values, const int* tokens, const uint32_t* key, const float* values_max,
        const float* weight_sum, const float* running_sum, int* picked_tokens, float* kept_out,
        cudaStream_t stream);
}  // namespace token_sampling_4

}  // namespace token_sampling_kernels
