// How simple combiners are written: what they begin with, the function objects and names they go by.
#pragma once

#include <string>

#include "ir/module/opcode.h"
#include "ir/values/literal.h"

namespace sinter {

// The value that changes nothing when combined by a simple combiner.
Literal identity_of(Opcode opcode, DType dtype);

// Whether a reduction that starts with `init` starts with that. Floats count by what they are in the wider type that
// accumulates them.
bool is_identity(Opcode opcode, const Literal& init);

// "sum": an accumulator that is not the result itself, since it is wider.
std::string accumulator_name(Opcode opcode);

// The function object of device/combine.cuh that combines so.
std::string combine_functor(Opcode opcode);

}  // namespace sinter
