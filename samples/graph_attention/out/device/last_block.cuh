// is_last_block(&finished): for all threads of a block, whether the other blocks of the launch have
// finished, whose stores it then sees. `finished` counts them; it is zero before and after.
#pragma once

#include "device/launch.cuh"

// For all threads of a block: whether the `others` that count themselves in `finished` have done so.
__device__ inline bool is_last_of(unsigned* finished, unsigned others) {
  struct Shared {
    bool is_last;
  };
  bool& is_last = block_shared<Shared>().is_last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // the block's stores come before its count, ...
    is_last = atomicInc(finished, others) == others;
    __threadfence();  // ... and what it loads after those of the others
  }
  __syncthreads();
  return is_last;
}

__device__ inline bool is_last_block(unsigned* finished) {
  return is_last_of(finished, gridDim.x * gridDim.y * gridDim.z - 1);
}
