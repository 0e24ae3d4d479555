// Copies from device to shared memory that run while the thread goes on (cp.async).
//
//   copy_async(...); copy_async(...);
//   commit_copies();                    one group, of this thread
//   wait_copies<n>();                   all of this thread's groups but the last n have arrived
//   __syncthreads();                    those of the other threads too
#pragma once

#include "device/launch.cuh"

#ifdef SINTER_CPU
#include "cpu/async_copy.h"
#else

inline namespace sinter_eb34b753 {

// 16 bytes, both addresses aligned to them; zeros where `inside` is false, and `from` is not read.
__device__ __forceinline__ void copy_async(void* to, const void* from, bool inside) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  const int bytes = inside ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(bytes)
               : "memory");
}

// The same, always inside.
__device__ __forceinline__ void copy_async(void* to, const void* from) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
}

__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int kGroupsLeft>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroupsLeft) : "memory");
}

}  // namespace sinter_eb34b753

#endif
