// What two machines compute with other last bits, made the same on both: functions of few arguments that are known
// beforehand are rounded so coarsely that nothing near a value is rounded to anything else.
#pragma once

#include <complex>
#include <vector>

#include "tests/random/operations/draft.h"

namespace sinter {

// Values not yet settled are instructions, not terms: nothing else may read them. (When reduce_module takes the
// rounding away, what it then finds is no fault.)

// Elements that are close to integers become those; -0 becomes 0. Their magnitude is at most that.
Term settle_integers(Draft& draft, Instruction* value, double magnitude);

// A function's value, which is one of `values` as computed in double: rounded to as many bits as the type, or fewer.
// False, and nothing is added, if that leaves no bits.
bool settle_floats(Draft& draft, Instruction* value, const std::vector<double>& values);

// The same of complex numbers, or of the magnitudes of such: both parts become integers, after a multiplication.
bool settle_parts(Draft& draft, Instruction* value, const std::vector<std::complex<double>>& values);

}  // namespace sinter
