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
enqueue(const float* values, const int* tokens, const uint32_t* key, int* picked_tokens,
        float* kept_out, cudaStream_t stream);
}  // namespace token_sampling_2

}  // namespace token_sampling_kernels
