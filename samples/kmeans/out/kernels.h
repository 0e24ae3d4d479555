// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kmeans_kernels {

namespace fill {
struct FillArrays {
  struct Fill1Arrays {
    int* broadcast_in_dim;
  } fill_1;
  struct NearestArrays {
    const float* points;
    const float* centres;
    int* first_1_out;
  } nearest;
};

cudaError_t
enqueue(const FillArrays& arrays, cudaStream_t stream);
}  // namespace fill

namespace goes_on {
cudaError_t
enqueue(const int* steps,
        const int* broadcast_in_dim,
        const int* assignment,
        bool* and_,
        cudaStream_t stream);
}  // namespace goes_on

namespace nearest {
cudaError_t
enqueue(const float* centres_in,
        const float* points,
        const float* sum,
        const float* scatter_add,
        float* centres_out,
        int* assignment_out,
        cudaStream_t stream);
}  // namespace nearest

namespace update_1 {
cudaError_t
enqueue(const int* steps_in, int* steps_out, cudaStream_t stream);
}  // namespace update_1

namespace update_2 {
cudaError_t
enqueue(const int* assignment, float* sum_out, cudaStream_t stream);
}  // namespace update_2

namespace update_3 {
cudaError_t
enqueue(const int* assignment, const float* points, float* scatter_add_out, cudaStream_t stream);
}  // namespace update_3

}  // namespace kmeans_kernels
