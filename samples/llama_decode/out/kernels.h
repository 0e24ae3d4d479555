// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels {

cudaError_t
launch_dot_1(const __nv_bfloat16* params_embedding,
             const __nv_bfloat16* params_layers_0_norm1,
             const __nv_bfloat16* params_layers_0_q,
             const int* tokens,
             const float* sum,
             __nv_bfloat16* dot,
             cudaStream_t stream);

cudaError_t
launch_dot_13(const __nv_bfloat16* params_embedding,
              const __nv_bfloat16* params_layers_1_gate,
              const __nv_bfloat16* params_layers_1_norm2,
              const __nv_bfloat16* params_layers_1_up,
              const int* tokens,
              const __nv_bfloat16* dot_in,
              const __nv_bfloat16* dot_in_1,
              const __nv_bfloat16* dot_in_2,
              const float* sum,
              __nv_bfloat16* dot_out,
              __nv_bfloat16* dot_out_1,
              cudaStream_t stream);

cudaError_t
launch_dot_15(const __nv_bfloat16* params_embedding,
              const __nv_bfloat16* params_norm,
              const int* tokens,
              const __nv_bfloat16* dot_in,
              const __nv_bfloat16* dot_in_1,
              const __nv_bfloat16* dot_in_2,
              const __nv_bfloat16* dot_in_3,
              const float* sum,
              __nv_bfloat16* dot_out,
              cudaStream_t stream);

cudaError_t
launch_dot_2(const __nv_bfloat16* params_embedding,
             const __nv_bfloat16* params_layers_0_k,
             const __nv_bfloat16* params_layers_0_norm1,
             const __nv_bfloat16* params_layers_0_v,
             const int* tokens,
             const float* sum,
             __nv_bfloat16* dot_out,
             __nv_bfloat16* dot_out_1,
             cudaStream_t stream);

cudaError_t
launch_dot_3(const __nv_bfloat16* dot_in,
             const float* cosine,
             const float* sine,
             const __nv_bfloat16* dynamic_update_slice_1,
             float* dot_out,
             cudaStream_t stream);

cudaError_t
launch_dot_4(const int* position,
             const float* dot_in,
             const float* max,
             const float* sum,
             const __nv_bfloat16* dynamic_update_slice_2,
             __nv_bfloat16* dot_out,
             cudaStream_t stream);

cudaError_t
launch_dot_5(const __nv_bfloat16* params_layers_0_out,
             const __nv_bfloat16* dot_in,
             __nv_bfloat16* dot_out,
             cudaStream_t stream);

cudaError_t
launch_dot_6(const __nv_bfloat16* params_embedding,
             const __nv_bfloat16* params_layers_0_gate,
             const __nv_bfloat16* params_layers_0_norm2,
             const __nv_bfloat16* params_layers_0_up,
             const int* tokens,
             const __nv_bfloat16* dot_in,
             const float* sum,
             __nv_bfloat16* dot_out,
             __nv_bfloat16* dot_out_1,
             cudaStream_t stream);

cudaError_t
launch_dot_7(const __nv_bfloat16* params_layers_0_down,
             const __nv_bfloat16* dot_in,
             const __nv_bfloat16* dot_in_1,
             __nv_bfloat16* dot_out,
             cudaStream_t stream);

cudaError_t
launch_dot_8(const __nv_bfloat16* params_embedding,
             const __nv_bfloat16* params_layers_1_norm1,
             const __nv_bfloat16* params_layers_1_q,
             const int* tokens,
             const __nv_bfloat16* dot_in,
             const __nv_bfloat16* dot_in_1,
             const float* sum,
             __nv_bfloat16* dot_out,
             cudaStream_t stream);

cudaError_t
launch_dot_9(const __nv_bfloat16* params_embedding,
             const __nv_bfloat16* params_layers_1_k,
             const __nv_bfloat16* params_layers_1_norm1,
             const __nv_bfloat16* params_layers_1_v,
             const int* tokens,
             const __nv_bfloat16* dot_in,
             const __nv_bfloat16* dot_in_1,
             const float* sum,
             __nv_bfloat16* dot_out,
             __nv_bfloat16* dot_out_1,
             cudaStream_t stream);

cudaError_t
launch_dynamic_update_slice_1(const __nv_bfloat16* cache_0_k,
                              const int* position,
                              const __nv_bfloat16* dot,
                              const float* cosine,
                              const float* sine,
                              __nv_bfloat16* dynamic_update_slice_1_out,
                              cudaStream_t stream);

cudaError_t
launch_dynamic_update_slice_2(const __nv_bfloat16* cache_0_v,
                              const int* position,
                              const __nv_bfloat16* dot,
                              __nv_bfloat16* dynamic_update_slice_2_out,
                              cudaStream_t stream);

cudaError_t
launch_max_1(const int* position, const float* dot, float* max, float* sum, cudaStream_t stream);

cudaError_t
launch_reduce(const __nv_bfloat16* dot,
              int* reduce_out,
              float* convert_element_type,
              cudaStream_t stream);

cudaError_t
launch_sine(const int* position, float* cosine, float* sine_out, cudaStream_t stream);

cudaError_t
launch_sum_1(const __nv_bfloat16* params_embedding,
             const int* tokens,
             float* sum,
             cudaStream_t stream);

cudaError_t
launch_sum_2(const __nv_bfloat16* params_embedding,
             const int* tokens,
             const __nv_bfloat16* dot,
             float* sum,
             cudaStream_t stream);

cudaError_t
launch_sum_3(const __nv_bfloat16* params_embedding,
             const int* tokens,
             const __nv_bfloat16* dot,
             const __nv_bfloat16* dot_1,
             float* sum,
             cudaStream_t stream);

cudaError_t
launch_sum_4(const __nv_bfloat16* params_embedding,
             const int* tokens,
             const __nv_bfloat16* dot,
             const __nv_bfloat16* dot_1,
             const __nv_bfloat16* dot_2,
             float* sum,
             cudaStream_t stream);

cudaError_t
launch_sum_5(const __nv_bfloat16* params_embedding,
             const int* tokens,
             const __nv_bfloat16* dot,
             const __nv_bfloat16* dot_1,
             const __nv_bfloat16* dot_2,
             const __nv_bfloat16* dot_3,
             float* sum,
             cudaStream_t stream);

}  // namespace llama_decode_kernels
