// The CUDA C++ language on the CPU: keywords, thread coordinates, barriers, warp exchanges and
// atomics.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cpu/scheduler.h"

inline namespace sinter_helpers {

#define __global__
#define __device__
#define __host__
#define __constant__
// Blocks of a launch run one after another in one thread of the host; those of a cooperative
// launch, which do not, have block_shared alone.
#define __shared__ thread_local
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

#define threadIdx (sinter_cpu::thread_index())
#define blockIdx (sinter_cpu::block_index())
#define blockDim (sinter_cpu::block_size())
#define gridDim (sinter_cpu::grid_size())
inline constexpr int warpSize = sinter_cpu::kWarpSize;

// --- barriers and fences
// -------------------------------------------------------------------------------------------------

inline void __syncthreads(sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::Scheduler::get().block_barrier(place);
}

// The same; true for all threads if `value` is for one.
inline int __syncthreads_or(int value, sinter_cpu::Place place = sinter_cpu::Place::current()) {
  static char block;
  auto& scheduler = sinter_cpu::Scheduler::get();
  int& any = *static_cast<int*>(scheduler.shared(&block, sizeof(int), alignof(int)));
  scheduler.block_barrier(place);
  __atomic_store_n(&any, 0, __ATOMIC_RELAXED);
  scheduler.block_barrier(place);
  if (value != 0) __atomic_store_n(&any, 1, __ATOMIC_RELAXED);
  scheduler.block_barrier(place);
  return __atomic_load_n(&any, __ATOMIC_RELAXED);
}

inline void __syncwarp(uint32_t lanes = 0xffffffff,
                       sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::Scheduler::get().warp_barrier(lanes, place);
}

// One CPU thread runs all CUDA threads, so the compiler alone could reorder accesses. For
// ThreadSanitizer every fence follows all earlier ones.
inline void __threadfence() {
  static char token;
  sinter_cpu::acquire(&token);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  sinter_cpu::release(&token);
}
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }

[[noreturn]] inline void __trap(sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::Scheduler::get().trap(place);
}

inline void __nanosleep(unsigned) {}

// --- warp exchanges
// -------------------------------------------------------------------------------------------------

namespace sinter_cpu {

// A shuffle within groups of `width` lanes (a power of two); `source` is the lane read, own lane if
// out of the group.
template <class T>
T shuffle(uint32_t lanes, T value, int source, const char* call, Place place) {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "shuffles move 4 or 8 bytes");
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = Scheduler::get().exchange(lanes, bits, source, call, place);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

inline int lane() { return static_cast<int>(thread_index().x % kWarpSize); }

}  // namespace sinter_cpu

template <class T>
T __shfl_sync(uint32_t lanes, T value, int source, int width = 32,
              sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const int first = sinter_cpu::lane() / width * width;
  return sinter_cpu::shuffle(lanes, value, first + (source & (width - 1)), "__shfl_sync", place);
}

template <class T>
T __shfl_xor_sync(uint32_t lanes, T value, int mask, int width = 32,
                  sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const int lane = sinter_cpu::lane();
  const int source = lane ^ mask;
  const bool inside = source < lane / width * width + width;  // lower groups may be read
  return sinter_cpu::shuffle(lanes, value, inside ? source : lane, "__shfl_xor_sync", place);
}

template <class T>
T __shfl_up_sync(uint32_t lanes, T value, unsigned distance, int width = 32,
                 sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const int lane = sinter_cpu::lane();
  const int source = lane - static_cast<int>(distance);
  const bool inside = source >= lane / width * width;
  return sinter_cpu::shuffle(lanes, value, inside ? source : lane, "__shfl_up_sync", place);
}

template <class T>
T __shfl_down_sync(uint32_t lanes, T value, unsigned distance, int width = 32,
                   sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const int lane = sinter_cpu::lane();
  const int source = lane + static_cast<int>(distance);
  const bool inside = source < lane / width * width + width;
  return sinter_cpu::shuffle(lanes, value, inside ? source : lane, "__shfl_down_sync", place);
}

inline uint32_t __ballot_sync(uint32_t lanes, int predicate,
                              sinter_cpu::Place place = sinter_cpu::Place::current()) {
  return static_cast<uint32_t>(
      sinter_cpu::Scheduler::get().exchange(lanes, predicate != 0, -1, "__ballot_sync", place));
}

inline int __any_sync(uint32_t lanes, int predicate,
                      sinter_cpu::Place place = sinter_cpu::Place::current()) {
  return sinter_cpu::Scheduler::get().exchange(lanes, predicate != 0, -1, "__any_sync", place) != 0;
}

// The lanes that have the same value, found bit by bit.
inline uint32_t __match_any_sync(uint32_t lanes, int value,
                                 sinter_cpu::Place place = sinter_cpu::Place::current()) {
  uint32_t same = lanes;
  for (int bit = 0; bit < 32; ++bit) {
    const bool set = (static_cast<uint32_t>(value) >> bit & 1) != 0;
    const auto with_bit = static_cast<uint32_t>(
        sinter_cpu::Scheduler::get().exchange(lanes, set, -1, "__match_any_sync", place));
    same &= set ? with_bit : ~with_bit;
  }
  return same;
}

// True if no lane that takes part has a false predicate.
inline int __all_sync(uint32_t lanes, int predicate,
                      sinter_cpu::Place place = sinter_cpu::Place::current()) {
  return sinter_cpu::Scheduler::get().exchange(lanes, predicate == 0, -1, "__all_sync", place) == 0;
}

// Lanes run one at a time, and each is its own company.
inline uint32_t __activemask() { return uint32_t{1} << sinter_cpu::lane(); }

// --- atomics: relaxed, and return the old value
// ----------------------------------------------------------------------

namespace sinter_cpu {

template <class T, class Change>
T atomic_change(T* address, Change change) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  static_assert(sizeof(T) == sizeof(Bits), "atomics are 4 or 8 bytes wide");
  auto* bits = reinterpret_cast<Bits __attribute__((may_alias))*>(address);
  Bits old = __atomic_load_n(bits, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      bits, &old, std::bit_cast<Bits>(static_cast<T>(change(std::bit_cast<T>(old)))), true,
      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return std::bit_cast<T>(old);
}

}  // namespace sinter_cpu

template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  return sinter_cpu::atomic_change(address, [&](T old) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) +
                            static_cast<std::make_unsigned_t<T>>(value));
    } else {
      return old + value;
    }
  });
}
template <class T>
T atomicSub(T* address, std::type_identity_t<T> value) {
  static_assert(std::is_integral_v<T>);
  return atomicAdd(address, static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(value)));
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  static_assert(std::is_integral_v<T>);
  return sinter_cpu::atomic_change(address, [&](T old) { return old < value ? value : old; });
}
template <class T>
T atomicMin(T* address, std::type_identity_t<T> value) {
  static_assert(std::is_integral_v<T>);
  return sinter_cpu::atomic_change(address, [&](T old) { return value < old ? value : old; });
}
template <class T>
T atomicAnd(T* address, std::type_identity_t<T> value) {
  return sinter_cpu::atomic_change(address, [&](T old) { return old & value; });
}
template <class T>
T atomicOr(T* address, std::type_identity_t<T> value) {
  return sinter_cpu::atomic_change(address, [&](T old) { return old | value; });
}
template <class T>
T atomicXor(T* address, std::type_identity_t<T> value) {
  return sinter_cpu::atomic_change(address, [&](T old) { return old ^ value; });
}
template <class T>
T atomicExch(T* address, std::type_identity_t<T> value) {
  return sinter_cpu::atomic_change(address, [&](T) { return value; });
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  static_assert(std::is_integral_v<T>);
  return sinter_cpu::atomic_change(address, [&](T old) { return old == expected ? desired : old; });
}
// Counts from 0 to `last` and starts again.
inline unsigned atomicInc(unsigned* address, unsigned last) {
  return sinter_cpu::atomic_change(address,
                                   [&](unsigned old) { return old >= last ? 0u : old + 1; });
}

// --- shared memory, grids, waiting
// -------------------------------------------------------------------------------------------------

namespace sinter_cpu {

// The block's object of type Shared.
template <class Shared>
Shared& block_shared() {
  static_assert(
      std::is_trivially_default_constructible_v<Shared> && std::is_trivially_destructible_v<Shared>,
      "shared memory is not initialised");
  static char type;
  return *static_cast<Shared*>(Scheduler::get().shared(&type, sizeof(Shared), alignof(Shared)));
}

// Waits until all threads of a cooperative grid are here.
inline void grid_sync(Place place = Place::current()) { Scheduler::get().grid_barrier(place); }

// Waits until `condition` holds, which another thread brings about.
template <class Condition>
void spin_until(Condition condition, Place place = Place::current()) {
  bool spun = false;
  while (!condition()) {
    Scheduler::get().spin(place);
    spun = true;
  }
  if (spun) Scheduler::get().spun();
}

}  // namespace sinter_cpu

}  // namespace sinter_helpers
