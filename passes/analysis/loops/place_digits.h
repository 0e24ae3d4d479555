// Integers that are made as places in a flat array are: (a * 32 + j) * 256 + b is a multiple of 8,192, and 256 times
// the number j of its own place along a dimension, and a rest below 256.
#pragma once

#include <cstdint>
#include <optional>

#include "passes/analysis/loops/ranges.h"

namespace sinter {

// Each element is a multiple of `modulus`, which is 0 where there is no such term, plus `step` times its place along
// the dimension, plus a number in [low, high].
struct PlaceDigits {
  int64_t modulus = 0;
  int64_t step = 0;
  int64_t low = 0, high = 0;
};

// Of any integers: of those that nothing is known of, multiples of 1.
PlaceDigits digits_of(const Instruction& value, int64_t dimension, const Ranges& ranges, int depth = 0);

}  // namespace sinter
