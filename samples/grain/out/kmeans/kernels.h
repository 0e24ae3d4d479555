// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kmeans_kernels {

namespace nearest {
cudaError_t
enqueue(const float* x, const float* start, int* j_out, cudaStream_t stream);
}  // namespace nearest

namespace steps {
cudaError_t
enqueue(const int* steps_start, const float* start, const bool* more_start, const float* x,
        int* steps_2, float* centres, float* centres_2, bool* both, int* cluster, int* j,
        float* sums, float* count, uint32_t* barrier_counts, cudaStream_t stream);
}  // namespace steps

}  // namespace kmeans_kernels
