// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace gpt2_block_kernels {

namespace attention {
cudaError_t
enqueue(const float* dense, float* attention_out, cudaStream_t stream);
}  // namespace attention

namespace dense {
cudaError_t
enqueue(const float* params_attention_qkv_b, const float* params_attention_qkv_w,
        const float* params_norm1_bias, const float* params_norm1_scale, const float* x,
        float* dense_out, cudaStream_t stream);
}  // namespace dense

namespace dense_2 {
cudaError_t
enqueue(const float* params_attention_out_b, const float* params_attention_out_w, const float* x,
        const float* attention, float* x_2, cudaStream_t stream);
}  // namespace dense_2

namespace dense_3 {
cudaError_t
enqueue(const float* params_norm2_bias, const float* params_norm2_scale, const float* params_up_b,
        const float* params_up_w, const float* x_2, float* gelu, cudaStream_t stream);
}  // namespace dense_3

namespace dense_4 {
cudaError_t
enqueue(const float* params_down_b, const float* params_down_w, const float* x_2, const float* gelu,
        float* sum_out, cudaStream_t stream);
}  // namespace dense_4

}  // namespace gpt2_block_kernels
