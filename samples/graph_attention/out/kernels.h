// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace graph_attention_kernels {

cudaError_t
launch_broadcast_1(float* broadcast, cudaStream_t stream);

cudaError_t
launch_broadcast_in_dim_1(const int* receivers, int* broadcast_in_dim, cudaStream_t stream);

cudaError_t
launch_dot_1(const float* features, const float* weights, float* dot, cudaStream_t stream);

cudaError_t
launch_dot_2(const int* senders,
             const int* receivers,
             const float* scores,
             const float* dot_in,
             float* dot_out,
             int* broadcast_in_dim,
             float* dot_out_1,
             cudaStream_t stream);

cudaError_t
launch_dot_3(const float* weights, const float* scatter_add, float* dot, cudaStream_t stream);

cudaError_t
launch_dot_4(const int* senders,
             const int* receivers,
             const float* scores,
             const float* dot_in,
             float* dot_out,
             float* dot_out_1,
             cudaStream_t stream);

cudaError_t
launch_exponential_1(const float* select,
                     const float* gather,
                     float* exponential,
                     cudaStream_t stream);

cudaError_t
launch_exponential_2(const float* dot,
                     const float* dot_1,
                     const float* ge,
                     const float* mul,
                     const int* broadcast_in_dim,
                     const float* max,
                     float* exponential,
                     cudaStream_t stream);

cudaError_t
launch_gather_1(const int* senders, const float* dot, float* gather, cudaStream_t stream);

cudaError_t
launch_gather_2(const int* broadcast_in_dim, const float* max, float* gather, cudaStream_t stream);

cudaError_t
launch_ge(float* ge_out, cudaStream_t stream);

cudaError_t
launch_max_1(const int* receivers,
             const float* dot,
             const float* dot_1,
             float* max,
             cudaStream_t stream);

cudaError_t
launch_mul(float* mul_out, cudaStream_t stream);

cudaError_t
launch_scatter_add(const int* broadcast_in_dim,
                   const float* broadcast,
                   const float* exponential,
                   const float* gather,
                   const float* gather_1,
                   float* scatter_add_out,
                   cudaStream_t stream);

cudaError_t
launch_select_1(const float* dot, const float* dot_1, float* select, cudaStream_t stream);

cudaError_t
launch_select_2(const int* broadcast_in_dim,
                const float* broadcast,
                const float* exponential,
                const float* gather,
                const float* gather_1,
                float* select,
                cudaStream_t stream);

cudaError_t
launch_sum_1(const int* receivers,
             const float* dot,
             const float* dot_1,
             const float* max,
             float* sum,
             cudaStream_t stream);

cudaError_t
launch_sum_3(const int* receivers, int* sum, cudaStream_t stream);

}  // namespace graph_attention_kernels
