// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kmeans_kernels {

namespace fill {
struct FillArrays {
  struct Fill2Arrays {
    int* filled;
  } fill_2;
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
enqueue(const int* steps, const int* filled, const int* assignment, bool* goes_on_out,
        cudaStream_t stream);
}  // namespace goes_on

namespace nearest {
cudaError_t
enqueue(const float* centres_in, const float* points, const float* count, const float* sums,
        float* centres_out, int* assignment_out, cudaStream_t stream);
}  // namespace nearest

namespace update {
cudaError_t
enqueue(const int* steps_in, int* steps_out, cudaStream_t stream);
}  // namespace update

namespace update_2 {
cudaError_t
enqueue(const int* assignment, float* count_out, cudaStream_t stream);
}  // namespace update_2

namespace update_3 {
cudaError_t
enqueue(const int* assignment, const float* points, float* sums_out, cudaStream_t stream);
}  // namespace update_3

}  // namespace kmeans_kernels
