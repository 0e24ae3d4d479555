// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cholesky_solve_kernels {

namespace factor {
cudaError_t
enqueue(const float* k, float* factor_out, cudaStream_t stream);
}  // namespace factor

namespace full {
cudaError_t
enqueue(const float* factor, const float* half, float* full_out, cudaStream_t stream);
}  // namespace full

namespace half {
cudaError_t
enqueue(const float* y, const float* factor, const float* k_2, float* half_out,
        cudaStream_t stream);
}  // namespace half

namespace kernel {
struct KernelArrays {
  struct Kernel2Arrays {
    const float* x;
    float* k;
  } kernel_2;
  struct Kernel3Arrays {
    const float* x;
    const float* queries;
    float* k_2;
  } kernel_3;
};

cudaError_t
enqueue(const KernelArrays& arrays, cudaStream_t stream);
}  // namespace kernel

namespace variance {
cudaError_t
enqueue(const float* k_2, const float* full, float* centre_out, float* variance_out,
        cudaStream_t stream);
}  // namespace variance

}  // namespace cholesky_solve_kernels
