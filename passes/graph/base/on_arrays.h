// Functions of numbers, applied to arrays.
#pragma once

#include <vector>

#include "ir/module/module.h"

namespace sinter {

// True for a computation on scalars of elementwise operations, whose root may be a tuple of several.
bool gives_elements(const Computation& function);

// What such a function gives for arrays of `dims`, element by element: a value for each result. The operations are
// copied before `position`.
std::vector<Instruction*> on_arrays(Instruction& position, const Computation& function,
                                    const std::vector<Instruction*>& arguments, const std::vector<int64_t>& dims);

}  // namespace sinter
