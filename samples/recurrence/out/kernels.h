// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace recurrence_kernels {

namespace add_1 {
cudaError_t
enqueue(const float* add_in,
        const float* mul,
        const float* pad,
        const float* pad_1,
        float* add_out,
        cudaStream_t stream);
}  // namespace add_1

namespace add_2 {
cudaError_t
enqueue(const float* decay,
        const float* value,
        const float* add_in,
        const float* mul,
        const float* add_1_in,
        float* add_out,
        cudaStream_t stream);
}  // namespace add_2

namespace after_1 {
cudaError_t
enqueue(const float* decay, const float* value, float* add, float* mul, cudaStream_t stream);
}  // namespace after_1

namespace after_2 {
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
enqueue(const After2Arrays& arrays, cudaStream_t stream);
}  // namespace after_2

}  // namespace recurrence_kernels
