// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace attention_kernels {

namespace mixed {
cudaError_t
enqueue(const float* v, const float* score, const float* top, const float* total_2,
        float* mixed_out, cudaStream_t stream);
}  // namespace mixed

namespace score {
cudaError_t
enqueue(const float* q, const float* k, float* score_out, cudaStream_t stream);
}  // namespace score

namespace total {
cudaError_t
enqueue(const float* score, float* top_out, float* total_2_out, cudaStream_t stream);
}  // namespace total

}  // namespace attention_kernels
