// part_shared<Shared>(): the object of type Shared of a part of a launch, in memory that is the same
// for all of its parts. The launch asks for the largest, with .shared_bytes.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class Shared>
__device__ __forceinline__ Shared& part_shared() {
#ifdef SINTER_CPU
  return sinter_cpu::block_shared<Shared>();
#else
  extern __shared__ __align__(1024) unsigned char dynamic_shared[];
  return *reinterpret_cast<Shared*>(dynamic_shared);
#endif
}

}  // namespace sinter_helpers
