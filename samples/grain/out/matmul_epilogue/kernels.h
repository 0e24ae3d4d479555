// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace matmul_epilogue_kernels {

namespace matmul_epilogue {
cudaError_t
enqueue(const float* a, const float* b, const float* bias, const float* scale, float* c,
        cudaStream_t stream);
}  // namespace matmul_epilogue

}  // namespace matmul_epilogue_kernels
