// Waiting for another block: the writer stores a flag with store_release, the reader spins until
// load_acquire sees it; what the writer wrote before can be read after.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class Condition>
__device__ inline void spin_until(Condition condition) {
#ifdef SINTER_CPU
  sinter_cpu::spin_until(condition);
#else
  while (!condition()) __nanosleep(20);
#endif
}

__device__ inline unsigned load_acquire(const unsigned* flag) {
#ifdef SINTER_CPU
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
#else
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
               : "=r"(value)
               : "l"(__cvta_generic_to_global(flag))
               : "memory");
  return value;
#endif
}

__device__ inline void store_release(unsigned* flag, unsigned value) {
#ifdef SINTER_CPU
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
#else
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(flag)),
               "r"(value)
               : "memory");
#endif
}

}  // namespace sinter_helpers
