// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace option_paths_kernels {

namespace option_paths {
struct OptionPathsArrays {
  struct OptionPaths2Arrays {
    const float* spot_in;
    const float* volatility;
    const uint32_t* seed;
    float* total_out;
  } option_paths_2;
  struct DeviationArrays {
    const float* strike;
    const float* total;
    float* price;
    float* deviation_out;
  } deviation;
  uint32_t* finished;
};

cudaError_t
enqueue(const OptionPathsArrays& arrays, cudaStream_t stream);
}  // namespace option_paths

}  // namespace option_paths_kernels
