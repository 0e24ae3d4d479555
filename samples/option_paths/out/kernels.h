// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace option_paths_kernels {

struct OptionPathsArrays {
  struct StepArrays {
    const float* spot_in;
    const float* volatility;
    const uint32_t* key;
    float* scaled_out;
  } step;
  struct OptionPaths2Arrays {
    const float* strike;
    const float* scaled_in;
    float* scaled_out;
    float* std;
  } option_paths_2;
  uint32_t* finished;
};

cudaError_t
launch_option_paths(const OptionPathsArrays& arrays, cudaStream_t stream);

}  // namespace option_paths_kernels
