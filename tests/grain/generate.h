// Random well-typed Grain programs. Floats that are summed are multiples of small powers of two, so that every order of
// summing gives the same bits, and the interpreter and the compiled module are compared exactly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/values/literal.h"

namespace sinter::grain_test {

std::string generate_program(uint64_t seed);
// Values for a module's parameters: small integers, quarters, keys.
std::vector<Literal> generate_inputs(const std::vector<Shape>& shapes, uint64_t seed);

}  // namespace sinter::grain_test
