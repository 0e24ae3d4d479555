// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kmeans_kernels {

namespace count {
cudaError_t
enqueue(const int* result, float* count_out, cudaStream_t stream);
}  // namespace count

namespace fill {
struct FillArrays {
  struct Fill2Arrays {
    int* while_;
  } fill_2;
  struct NearestArrays {
    const float* x;
    const float* start;
    int* j_out;
  } nearest;
};

cudaError_t
enqueue(const FillArrays& arrays, cudaStream_t stream);
}  // namespace fill

namespace nearest {
cudaError_t
enqueue(const float* start_in, const float* x, const float* count, const float* sums,
        float* start_out, int* result_out, cudaStream_t stream);
}  // namespace nearest

namespace steps {
cudaError_t
enqueue(const int* sum_in, int* sum_out, cudaStream_t stream);
}  // namespace steps

namespace sums {
cudaError_t
enqueue(const int* result, const float* x, float* sums_out, cudaStream_t stream);
}  // namespace sums

namespace while_ {
cudaError_t
enqueue(const int* sum, const int* while_in, const int* result, bool* while_out,
        cudaStream_t stream);
}  // namespace while_

}  // namespace kmeans_kernels
