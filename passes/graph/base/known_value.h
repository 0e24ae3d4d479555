// Values that are known when the program is compiled.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/module/module.h"

namespace sinter {

// Whether an operation may be carried out on constants here: every machine gives the same bits.
bool may_fold(const Instruction& instruction);

// What is computed here to see what a value is.
struct KnownLimits {
  int64_t most_elements = 0;        // of an array
  int64_t most_in_all = INT64_MAX;  // of all arrays together
  size_t most_steps = 24;
  bool structured = false;  // sums, products and other operations that are not element by element
};

// What a constant is, an index, or a value that is computed of such within the limits; nullopt: it is none.
std::optional<Literal> known_value(const Instruction& value, const KnownLimits& limits);

// Likewise, by a few operations element by element on arrays of up to `most` elements; a constant may be of any size.
std::optional<Literal> known_value(const Instruction& value, int64_t most);

}  // namespace sinter
