// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace token_sampling_kernels {

namespace draw {
cudaError_t
enqueue(const float* topk_2, const int* topk_indices, const uint32_t* seed, const float* top,
        const float* p, const float* running_sum, int* token, float* kept_out, cudaStream_t stream);
}  // namespace draw

namespace running_sum {
cudaError_t
enqueue(const float* topk_2, const float* top, const float* p, float* running_sum_out,
        cudaStream_t stream);
}  // namespace running_sum

namespace softmax {
cudaError_t
enqueue(const float* topk_2, float* top_out, float* p_out, cudaStream_t stream);
}  // namespace softmax

namespace topk {
cudaError_t
enqueue(const float* logits, const float* temperature, float* topk_2, int* topk_indices,
        cudaStream_t stream);
}  // namespace topk

}  // namespace token_sampling_kernels
