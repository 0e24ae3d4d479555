// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cumsum_cumsum_rows_kernels {

namespace cumsum_cumsum_rows {
struct CumsumCumsumRowsArrays {
  struct PeaksArrays {
    const float* x;
    float* peaks_out;
  } peaks;
  struct RunningProductArrays {
    const float* p;
    float* products_out;
  } running_product;
  struct SumsArrays {
    const float* x;
    float* sums_out;
  } sums;
};

cudaError_t
enqueue(const CumsumCumsumRowsArrays& arrays, cudaStream_t stream);
}  // namespace cumsum_cumsum_rows

}  // namespace cumsum_cumsum_rows_kernels
