// Copies from device to shared memory that run while the thread goes on (cp.async).
//
//   copy_async(...); copy_async(...);   16 bytes each, or copy_async<8>, copy_async<4>
//   commit_copies();                    one group, of this thread
//   wait_copies<n>();                   all of this thread's groups but the last n have arrived
//   __syncthreads();                    those of the other threads too
#pragma once

#include "device/launch.cuh"

#ifdef SINTER_CPU
#include "cpu/async_copy.h"
#else

inline namespace sinter_helpers {

// So many bytes, both addresses aligned to them; zeros where `inside` is false, and `from` is not
// read. Only 16 bytes pass by the cache of the multiprocessor.
template <int kBytes = 16>
__device__ __forceinline__ void copy_async(void* to, const void* from, bool inside) {
  static_assert(kBytes == 16 || kBytes == 8 || kBytes == 4, "what the hardware copies");
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  const int bytes = inside ? kBytes : 0;
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from),
                 "r"(bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(address), "l"(from),
                 "r"(bytes), "n"(kBytes)
                 : "memory");
  }
}

// The same, always inside.
template <int kBytes = 16>
__device__ __forceinline__ void copy_async(void* to, const void* from) {
  static_assert(kBytes == 16 || kBytes == 8 || kBytes == 4, "what the hardware copies");
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(kBytes)
                 : "memory");
  }
}

__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int kGroupsLeft>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroupsLeft) : "memory");
}

}  // namespace sinter_helpers

#endif
