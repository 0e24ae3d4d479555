// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace gpt2_block_kernels {

namespace attention {
cudaError_t
enqueue(const float* dense, float* unscaled_scores_out, cudaStream_t stream);
}  // namespace attention

namespace attention_2 {
cudaError_t
enqueue(const float* unscaled_scores, float* scores_max_out, float* weight_sum_out,
        cudaStream_t stream);
}  // namespace attention_2

namespace attention_3 {
cudaError_t
enqueue(const float* dense, const float* unscaled_scores, const float* scores_max,
        const float* weight_sum, float* attention_3_out, cudaStream_t stream);
}  // namespace attention_3

namespace block {
cudaError_t
enqueue(const float* params_attention_out_b, const float* params_attention_out_w, const float* x,
        const float* attention_3, float* x_2, cudaStream_t stream);
}  // namespace block

namespace block_2 {
cudaError_t
enqueue(const float* params_up_b, const float* params_up_w, const float* normalised, float* gelu,
        cudaStream_t stream);
}  // namespace block_2

namespace block_3 {
cudaError_t
enqueue(const float* params_down_b, const float* params_down_w, const float* x_2, const float* gelu,
        float* sum_out, cudaStream_t stream);
}  // namespace block_3

namespace dense {
cudaError_t
enqueue(const float* params_attention_qkv_b, const float* params_attention_qkv_w,
        const float* params_norm1_bias, const float* params_norm1_scale, const float* x,
        const float* x_sum, const float* square_sum, float* dense_out, cudaStream_t stream);
}  // namespace dense

namespace layer_norm {
cudaError_t
enqueue(const float* x, float* x_sum_out, float* square_sum_out, cudaStream_t stream);
}  // namespace layer_norm

namespace layer_norm_2 {
cudaError_t
enqueue(const float* params_norm2_bias, const float* params_norm2_scale, const float* x_2,
        float* normalised, cudaStream_t stream);
}  // namespace layer_norm_2

}  // namespace gpt2_block_kernels
