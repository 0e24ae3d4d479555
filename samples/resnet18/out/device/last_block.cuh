// is_last_block(&finished): for all threads of a block, whether the other blocks of the launch have
// finished, whose stores it then sees. `finished` counts them; it is zero before and after.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

// Counts up to `others`, then from zero again: the count before. The stores that the block made
// before come before it, and what it loads after comes after those of the blocks counted so far.
__device__ inline unsigned count_finished(unsigned* finished, unsigned others) {
#ifdef SINTER_CPU
  __threadfence();
  const unsigned before = atomicInc(finished, others);
  __threadfence();
  return before;
#else
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(__cvta_generic_to_global(finished)), "r"(others)
               : "memory");
  return before;
#endif
}

// For all threads of a block: whether the `others` that count themselves in `finished` have done
// so.
__device__ inline bool is_last_of(unsigned* finished, unsigned others) {
  struct Shared {
    bool is_last;
  };
  bool& is_last = block_shared<Shared>().is_last;
  __syncthreads();
  if (threadIdx.x == 0) is_last = count_finished(finished, others) == others;
  __syncthreads();
  return is_last;
}

__device__ inline bool is_last_block(unsigned* finished) {
  return is_last_of(finished, gridDim.x * gridDim.y * gridDim.z - 1);
}

}  // namespace sinter_eb34b753
