// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kmeans_kernels {

namespace nearest {
cudaError_t
enqueue(const float* points, const float* centres, int* first_1_out, cudaStream_t stream);
}  // namespace nearest

namespace steps {
cudaError_t
enqueue(const int* steps_start, const float* centres_in, const bool* more_start,
        const float* points, int* steps_2, float* centres_out, float* centres_2, bool* both,
        int* assignment, int* first_1, float* count, float* sums, uint32_t* barrier_counts,
        cudaStream_t stream);
}  // namespace steps

}  // namespace kmeans_kernels
