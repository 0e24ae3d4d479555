// atomic_combine(&target, value, combine): target becomes combine(target, value), whatever other
// threads do to it. For integers and bool, where the order of many such steps does not matter; of
// types of one byte, `target` is in an array of an even number, that begins at an even address.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/combine.cuh"
#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T, class Combine>
__device__ inline void atomic_combine(T* target, T value, Combine combine) {
  static_assert(std::is_integral_v<T>, "sums of floats have an order");
  if constexpr (sizeof(T) >= 4) {
    // The integer types that CUDA's atomics take: wraparound sums and bitwise operations need no
    // sign.
    using Unsigned = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
    using Signed = std::conditional_t<sizeof(T) == 4, int, long long>;
    using Ordered = std::conditional_t<std::is_signed_v<T>, Signed, Unsigned>;
    auto* const bits = reinterpret_cast<Unsigned*>(target);
    auto* const ordered = reinterpret_cast<Ordered*>(target);
    if constexpr (std::is_same_v<Combine, Add>) {
      atomicAdd(bits, static_cast<Unsigned>(value));
    } else if constexpr (std::is_same_v<Combine, Maximum>) {
      atomicMax(ordered, static_cast<Ordered>(value));
    } else if constexpr (std::is_same_v<Combine, Minimum>) {
      atomicMin(ordered, static_cast<Ordered>(value));
    } else if constexpr (std::is_same_v<Combine, And>) {
      atomicAnd(bits, static_cast<Unsigned>(value));
    } else if constexpr (std::is_same_v<Combine, Or>) {
      atomicOr(bits, static_cast<Unsigned>(value));
    } else if constexpr (std::is_same_v<Combine, Xor>) {
      atomicXor(bits, static_cast<Unsigned>(value));
    } else {
      Unsigned seen = atomicAdd(bits, 0);
      Unsigned expected;
      do {
        expected = seen;
        seen = atomicCAS(bits, expected,
                         static_cast<Unsigned>(combine(static_cast<T>(expected), value)));
      } while (seen != expected);
    }
  } else {
#ifdef SINTER_CPU
    T expected = __atomic_load_n(target, __ATOMIC_RELAXED);
    T next = combine(expected, value);
    while (!__atomic_compare_exchange(target, &expected, &next, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
      next = combine(expected, value);
    }
#else
    // Through the aligned two bytes that hold it, of which a byte beside it stays as it is.
    const auto address = reinterpret_cast<uintptr_t>(target);
    auto* const pair = reinterpret_cast<unsigned short*>(address & ~uintptr_t{1});
    const unsigned shift = static_cast<unsigned>(address & 1) * 8;
    constexpr unsigned kMask = sizeof(T) == 1 ? 0xffu : 0xffffu;
    unsigned short seen = *static_cast<volatile unsigned short*>(pair);
    unsigned short expected;
    do {
      expected = seen;
      const T next = combine(static_cast<T>(expected >> shift & kMask), value);
      seen = atomicCAS(pair, expected,
                       static_cast<unsigned short>((expected & ~(kMask << shift)) |
                                                   (static_cast<unsigned>(next) & kMask) << shift));
    } while (seen != expected);
#endif
  }
}

}  // namespace sinter_helpers
