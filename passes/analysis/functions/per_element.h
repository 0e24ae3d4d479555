// Per-element functions: computations that do the same to every element of their arguments, threefry2x32 and the like.
// A call of one is an elementwise operation with a name; it can be computed at any index, by a function on scalars.
#pragma once

#include <cstdint>
#include <string>

#include "ir/module/module.h"

namespace sinter {

// A function of more operations than this many is read more easily apart, even if it is used once.
constexpr int64_t kVeryLongFunction = 40;

// True if every array in the computation has one element or one common number of elements, every operation is
// elementwise, spreads a single value, or keeps the row-major order (reshape), and the results, an array or a tuple of
// arrays, all have that common number of elements.
bool is_per_element(const Computation& computation);

// How many elementwise operations it has.
int64_t count_operations(const Computation& computation);

// What one element costs, relative to an add (op_table.h).
int64_t element_cost(const Computation& computation);

// What one element of an elementwise operation, or of a call of such a function, costs; 0 of anything else.
int64_t operation_cost(const Instruction& instruction);

// The computation as text without names and shapes: two per-element functions with equal text are the same function on
// scalars.
std::string scalar_signature(const Computation& computation);

}  // namespace sinter
