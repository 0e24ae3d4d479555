// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace life_kernels {

namespace steps {
cudaError_t
enqueue(const uint8_t* start, uint8_t* world, uint8_t* world_2, int* alive_3, int* alive,
        uint32_t* barrier_counts, cudaStream_t stream);
}  // namespace steps

}  // namespace life_kernels
