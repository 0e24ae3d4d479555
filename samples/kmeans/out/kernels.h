// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kmeans_kernels {

cudaError_t
launch_add(const int* sum, int* add_out, cudaStream_t stream);

cudaError_t
launch_and_(const int* sum,
            const int* broadcast_in_dim,
            const int* result,
            bool* and_out,
            cudaStream_t stream);

cudaError_t
launch_broadcast_in_dim(int* broadcast_in_dim_out, cudaStream_t stream);

cudaError_t
launch_reduce_1(const float* points, const float* centres, int* reduce, cudaStream_t stream);

cudaError_t
launch_reduce_2(const float* centres,
                const float* points,
                const float* sum,
                const float* scatter_add,
                float* select,
                int* reduce,
                cudaStream_t stream);

cudaError_t
launch_scatter_add(const int* result,
                   const float* points,
                   float* scatter_add_out,
                   cudaStream_t stream);

cudaError_t
launch_sum(const int* result, float* sum_out, cudaStream_t stream);

}  // namespace kmeans_kernels
