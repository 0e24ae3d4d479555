// Reductions of values and their places by the function of jax.numpy.argmax, or argmin.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/module/module.h"

namespace sinter {

// The operation on values that a function of (a, i, b, j) finds the place for: maximum or minimum.
std::optional<Opcode> found_by(const Computation& function);

// 0, 1, 2, ... along the dimension, each of which the type holds.
bool counts_places_along(const Instruction& places, int64_t dimension);

// Whether nobody reads that element of a tuple.
bool is_unread(const Instruction& tuple, int64_t element);

}  // namespace sinter
