// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kmeans_kernels {

namespace any {
cudaError_t
enqueue(const int* steps_in, const int* cluster, const int* cluster_1, int* steps_out, bool* more,
        cudaStream_t stream);
}  // namespace any

namespace count {
cudaError_t
enqueue(const int* cluster, float* count_out, cudaStream_t stream);
}  // namespace count

namespace nearest {
cudaError_t
enqueue(const float* x, const float* start, int* j_out, cudaStream_t stream);
}  // namespace nearest

namespace nearest_2 {
cudaError_t
enqueue(const float* centres_in, const float* x, const float* count, const float* sums,
        float* centres_out, int* cluster_out, cudaStream_t stream);
}  // namespace nearest_2

namespace sums {
cudaError_t
enqueue(const int* cluster, const float* x, float* sums_out, cudaStream_t stream);
}  // namespace sums

}  // namespace kmeans_kernels
