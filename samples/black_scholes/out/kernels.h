// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace black_scholes_kernels {

cudaError_t
launch_black_scholes(const float* spot,
                     const float* volatility,
                     const float* strike,
                     const float* years,
                     const float* rate,
                     float* value,
                     float* delta,
                     float* vega,
                     cudaStream_t stream);

}  // namespace black_scholes_kernels
