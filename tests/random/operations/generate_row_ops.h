// Compositions around rows that vectorised row kernels compute.
#pragma once

#include "tests/random/operations/draft.h"

namespace sinter {

// A shape with an axis of 32 to 4,096 elements, mostly the last.
Sizes draw_rows(Random& random, int64_t most_elements);

// Adds operations on arrays of that shape.
void add_row_operations(Draft& draft, const Sizes& whole, int64_t count);

}  // namespace sinter
