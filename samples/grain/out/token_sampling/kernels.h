// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace token_sampling_kernels {

namespace draw {
cudaError_t
enqueue(const float* topk_2, const int* topk_indices, const uint32_t* seed, int* token,
        float* kept_out, cudaStream_t stream);
}  // namespace draw

namespace topk {
cudaError_t
enqueue(const float* logits, const float* temperature, float* topk_2, int* topk_indices,
        cudaStream_t stream);
}  // namespace topk

}  // namespace token_sampling_kernels
