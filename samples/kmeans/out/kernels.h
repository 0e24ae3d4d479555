// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kmeans_kernels {

namespace goes_on_kernel {
cudaError_t
enqueue(const int* steps_in, const int* assignment, const int* assignment_1, int* steps_out,
        bool* more, cudaStream_t stream);
}  // namespace goes_on_kernel

namespace nearest {
cudaError_t
enqueue(const float* points, const float* centres, int* first_1_out, cudaStream_t stream);
}  // namespace nearest

namespace nearest_2 {
cudaError_t
enqueue(const float* centres_in, const float* points, const float* count, const float* sums,
        float* centres_out, int* assignment_out, cudaStream_t stream);
}  // namespace nearest_2

namespace update {
cudaError_t
enqueue(const int* assignment, float* count_out, cudaStream_t stream);
}  // namespace update

namespace update_2 {
cudaError_t
enqueue(const int* assignment, const float* points, float* sums_out, cudaStream_t stream);
}  // namespace update_2

}  // namespace kmeans_kernels
