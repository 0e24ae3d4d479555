// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace recurrence_kernels {

cudaError_t
launch_add_1(const float* add_in,
             const float* mul,
             const float* pad,
             const float* pad_1,
             float* add_out,
             cudaStream_t stream);

cudaError_t
launch_add_2(const float* decay,
             const float* value,
             const float* add_in,
             const float* mul,
             const float* add_1_in,
             float* add_out,
             cudaStream_t stream);

cudaError_t
launch_after_1(const float* decay, const float* value, float* add, float* mul, cudaStream_t stream);

struct After2Arrays {
  struct AfterArrays {
    const float* mul_in;
    const float* add_in;
    float* add_out;
    float* mul_out;
  } after;
  struct PadArrays {
    const float* mul;
    const float* add;
    float* pad_1_out;
    float* pad_2_out;
  } pad;
  uint32_t* finished;
};

cudaError_t
launch_after_2(const After2Arrays& arrays, cudaStream_t stream);

}  // namespace recurrence_kernels
