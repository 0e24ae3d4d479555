// The numbers of `rng`, which HLO leaves open: words of Philox under one key, its counter the program's random state,
// so that a program draws the same numbers in every run and every build. The state is what rng-get-and-update-state
// reads and advances.
#pragma once

#include <cstdint>

#include "ir/module/module.h"

namespace sinter {

inline constexpr uint64_t kRandomKey = 0x9E3779B97F4A7C15;
inline constexpr uint64_t kFirstRandomState[2] = {1, 0};  // low word, high word

// True for the types that `rng` draws: uniform integers and reals, normal reals.
inline bool is_drawn(const Instruction& rng) {
  const DType dtype = rng.shape.dtype;
  if (is_integer(dtype)) return rng.attributes->distribution == "rng_uniform" && dtype_bits(dtype) >= 8;
  return dtype == DType::kF16 || dtype == DType::kBF16 || dtype == DType::kF32 || dtype == DType::kF64;
}

// The words an `rng` takes: one an element, two where they are normal (Box and Muller); of 64 bits for types of 64.
struct DrawnWords {
  DType dtype = DType::kU32;
  int64_t count = 0;
  int64_t counters() const { return (count * dtype_bits(dtype) + 127) / 128; }  // Philox makes 128 bits of one
};
inline DrawnWords drawn_words(const Instruction& rng) {
  const int64_t each = rng.attributes->distribution == "rng_normal" ? 2 : 1;
  return {dtype_bits(rng.shape.dtype) == 64 ? DType::kU64 : DType::kU32, each * rng.shape.element_count()};
}

}  // namespace sinter
