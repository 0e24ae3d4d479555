// Integers of an array that follow from their place along one dimension.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/values/literal.h"

namespace sinter {

// Element i along `dimension` is first + step * ((i + shift) / repeats), rounded down; it is the same along all other
// dimensions. 3, 3, 5, 5, 5, 7: no. 3, 5, 5, 7, 7: first 3, step 2, repeats 2, shift 1.
struct Progression {
  int64_t dimension = 0;
  int64_t first = 0, step = 1;
  int64_t repeats = 1, shift = 0;  // shift < repeats

  int64_t element(int64_t i) const { return first + step * ((i + shift) / repeats); }
};

// nullopt: of no integers, or none such; all elements are equal.
std::optional<Progression> find_progression(const Literal& literal);

}  // namespace sinter
