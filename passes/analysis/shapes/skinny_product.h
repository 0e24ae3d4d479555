// A few vectors times a large matrix, as in decoding: its time is that of reading the matrix.
#pragma once

#include <cstdint>

#include "ir/module/module.h"

namespace sinter {

// The most vectors that such a kernel multiplies.
inline constexpr int64_t kMostVectors = 16;

// True for a dot of 1 to 16 vectors and a large matrix, on either side: a kernel of its own reads the matrix as fast as
// memory gives it (passes/stages/products/gemv_form.h).
bool is_skinny_product(const Instruction& instruction);

// The same of a matrix that is read in no time, but by so few threads, where each has an element, that these take
// longer than a launch: it is part of another kernel, or one of its own, as the cost model says.
bool is_small_skinny_product(const Instruction& instruction);

}  // namespace sinter
