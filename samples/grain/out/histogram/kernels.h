// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace histogram_kernels {

namespace histogram {
cudaError_t
enqueue(const float* values, const float* weights_in, int* counts_out, float* sums_out,
        float* peaks_out, cudaStream_t stream);
}  // namespace histogram

}  // namespace histogram_kernels
