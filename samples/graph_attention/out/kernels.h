// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace graph_attention_kernels {

cudaError_t
launch_broadcast_in_dim_1(const int* receivers, int* broadcast_in_dim, cudaStream_t stream);

cudaError_t
launch_broadcast_in_dim_3(const int* receivers, int* broadcast_in_dim, cudaStream_t stream);

cudaError_t
launch_div(const float* exponential,
           const int* broadcast_in_dim,
           const float* sum,
           float* div_out,
           cudaStream_t stream);

cudaError_t
launch_dot_1(const float* features, const float* weights, float* dot_out, cudaStream_t stream);

cudaError_t
launch_dot_2(const int* senders,
             const int* receivers,
             const float* scores,
             const float* dot_in,
             float* dot_out,
             float* dot_1_out,
             cudaStream_t stream);

cudaError_t
launch_dot_3(const float* weights, const float* scatter_add, float* dot_out, cudaStream_t stream);

cudaError_t
launch_dot_4(const int* senders,
             const int* receivers,
             const float* scores,
             const float* dot_in,
             float* dot_out,
             float* dot_1_out,
             cudaStream_t stream);

cudaError_t
launch_exponential(const float* select,
                   const int* broadcast_in_dim,
                   const float* max,
                   float* exponential_out,
                   cudaStream_t stream);

cudaError_t
launch_gather_1(const int* senders, const float* dot, float* gather, cudaStream_t stream);

cudaError_t
launch_max_1(const int* receivers,
             const float* dot,
             const float* dot_1,
             float* max_out,
             cudaStream_t stream);

cudaError_t
launch_mul(const float* sub,
           const int* broadcast_in_dim,
           const float* sum,
           float* mul_out,
           cudaStream_t stream);

cudaError_t
launch_scatter_add_1(const int* broadcast_in_dim,
                     const float* div,
                     const float* gather,
                     float* scatter_add_out,
                     cudaStream_t stream);

cudaError_t
launch_scatter_add_2(const int* broadcast_in_dim,
                     const float* mul,
                     const float* gather,
                     float* select,
                     cudaStream_t stream);

cudaError_t
launch_select(const float* dot, const float* dot_1, float* select_out, cudaStream_t stream);

cudaError_t
launch_sub(const float* dot,
           const float* dot_1,
           const int* broadcast_in_dim,
           const float* max,
           float* sub_out,
           cudaStream_t stream);

cudaError_t
launch_sum_1(const int* receivers,
             const float* dot,
             const float* dot_1,
             const float* max,
             float* sum_out,
             cudaStream_t stream);

cudaError_t
launch_sum_3(const int* receivers, int* sum_out, cudaStream_t stream);

}  // namespace graph_attention_kernels
