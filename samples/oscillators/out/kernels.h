// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace oscillators_kernels {

cudaError_t
launch_oscillators(const float* sum,
                   const float* sum_1,
                   const float* max,
                   const int* count,
                   float* scaled_out,
                   float* energy_out,
                   float* part_out,
                   int* part_2_out,
                   cudaStream_t stream);

cudaError_t
launch_step(const float* x_in,
            const float* v_in,
            float* x_out,
            float* v_out,
            float* sum_1_out,
            float* sum_2_out,
            float* max_out,
            int* count_out,
            float* sum_1_of_blocks,
            float* sum_2_of_blocks,
            float* max_of_blocks,
            int* count_of_blocks,
            uint32_t* finished,
            cudaStream_t stream);

}  // namespace oscillators_kernels
