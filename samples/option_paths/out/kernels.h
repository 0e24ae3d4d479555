// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace option_paths_kernels {

namespace option_paths {
struct OptionPathsArrays {
  struct StepArrays {
    const float* spot_in;
    const float* volatility;
    const uint32_t* key;
    float* div_out;
  } step;
  struct OptionPaths1Arrays {
    const float* strike;
    const float* div;
    float* mul;
    float* sqrt_out;
  } option_paths_1;
  uint32_t* finished;
};

cudaError_t
enqueue(const OptionPathsArrays& arrays, cudaStream_t stream);
}  // namespace option_paths

}  // namespace option_paths_kernels
