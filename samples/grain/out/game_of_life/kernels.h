// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace life_kernels {

namespace alive {
struct AliveArrays {
  struct Alive2Arrays {
    const uint8_t* world_in;
    uint8_t* world_out;
    int* alive_2_out;
  } alive_2;
  struct Alive3Arrays {
    const int* alive_2;
    int* alive_out;
    int t;
  } alive_3;
  uint32_t* finished;
};

cudaError_t
enqueue(const AliveArrays& arrays, cudaStream_t stream);
}  // namespace alive

namespace fill {
cudaError_t
enqueue(int* for_, cudaStream_t stream);
}  // namespace fill

}  // namespace life_kernels
