// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace kmeans_kernels {

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
launch_fill(const FillArrays& arrays, cudaStream_t stream);

cudaError_t
launch_goes_on(const int* steps,
               const int* filled,
               const int* assignment,
               bool* both,
               cudaStream_t stream);

cudaError_t
launch_nearest(const float* centres_in,
               const float* points,
               const float* count,
               const float* sums,
               float* centres_out,
               int* assignment_out,
               cudaStream_t stream);

cudaError_t
launch_update(const int* steps_in, int* steps_out, cudaStream_t stream);

cudaError_t
launch_update_2(const int* assignment, float* count_out, cudaStream_t stream);

cudaError_t
launch_update_3(const int* assignment, const float* points, float* sums_out, cudaStream_t stream);

}  // namespace kmeans_kernels
