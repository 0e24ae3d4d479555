// The stream of an `rng`, which HLO leaves open: Philox with a key made from the instruction's name, so that a program
// draws the same numbers in every run and every build.
#pragma once

#include <cstdint>
#include <string_view>

#include "ir/module.h"

namespace sinter {

// FNV-1a.
inline uint64_t random_stream_key(std::string_view name) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

// True for the types that `rng` draws: uniform integers and reals, normal reals.
inline bool is_drawn(const Instruction& rng) {
  const DType dtype = rng.shape.dtype;
  if (is_integer(dtype)) return rng.attributes.distribution == "rng_uniform" && dtype_bits(dtype) >= 8;
  return dtype == DType::kF16 || dtype == DType::kBF16 || dtype == DType::kF32 || dtype == DType::kF64;
}

}  // namespace sinter
