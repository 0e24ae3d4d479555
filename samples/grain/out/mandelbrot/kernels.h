// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace mandelbrot_kernels {

namespace escape {
cudaError_t
enqueue(const float* xs, const float* ys, int* n_out, cudaStream_t stream);
}  // namespace escape

}  // namespace mandelbrot_kernels
