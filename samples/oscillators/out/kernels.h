// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace oscillators_kernels {

namespace oscillators {
cudaError_t
enqueue(const float* push_v_sum, const float* product_sum, const float* max, const int* count,
        float* scaled_out, float* energy_out, float* part_out, int* part_2_out,
        cudaStream_t stream);
}  // namespace oscillators

namespace step {
cudaError_t
enqueue(const float* x_in, const float* v_in, float* x_out, float* v_out, float* push_v_sum_out,
        float* product_sum_out, float* max_out, int* count_out, float* push_v_sum_of_blocks,
        float* product_sum_of_blocks, float* max_of_blocks, int* count_of_blocks,
        uint32_t* finished, cudaStream_t stream);
}  // namespace step

}  // namespace oscillators_kernels
