// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace recurrence_kernels {

namespace after {
cudaError_t
enqueue(const float* decay_in, const float* value_in, float* sum_2_out, float* product_out,
        cudaStream_t stream);
}  // namespace after

namespace after_2 {
cudaError_t
enqueue(const float* decay, const float* value, const float* sum_2, const float* product,
        float* sum_out, cudaStream_t stream);
}  // namespace after_2

}  // namespace recurrence_kernels
