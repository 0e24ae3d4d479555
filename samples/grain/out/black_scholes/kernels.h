// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace black_scholes_kernels {

namespace black_scholes {
cudaError_t
enqueue(const float* spot, const float* volatility, const float* strike, const float* years,
        const float* rate, float* value, float* delta_out, float* vega, cudaStream_t stream);
}  // namespace black_scholes

}  // namespace black_scholes_kernels
