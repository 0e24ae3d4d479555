// grid_sync(): all threads of a cooperative launch wait for one another, and see what they wrote
// before. resident_blocks(): how large the grid of such a launch may be.
#pragma once

#include "device/launch.cuh"

#ifndef SINTER_CPU
#include <cooperative_groups.h>
#endif

inline namespace sinter_helpers {

#ifdef SINTER_CPU
__device__ inline void grid_sync(sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::grid_sync(place);
}
#else
__device__ inline void grid_sync() { cooperative_groups::this_grid().sync(); }
#endif

// How many blocks of the kernel the current device holds at once; 0 where it cannot be asked.
template <class Kernel>
inline int resident_blocks(Kernel kernel, int block, int shared_bytes = 0) {
#ifdef SINTER_CPU
  (void)kernel, (void)block, (void)shared_bytes;
  return static_cast<int>(sinter_cpu::settings().resident_blocks);
#else
  int device = 0, processors = 0, blocks_each = 0;
  const size_t dynamic = shared_bytes > kStaticSharedBytes ? static_cast<size_t>(shared_bytes) : 0;
  if (dynamic != 0 && cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           shared_bytes) != cudaSuccess) {
    return 0;
  }
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, kernel, block, dynamic) !=
          cudaSuccess) {
    return 0;
  }
  return processors * blocks_each;
#endif
}

}  // namespace sinter_helpers
