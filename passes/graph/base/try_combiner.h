// Whether the function of a reduction or window, where it is no single operation, may be applied in parts. XLA leaves
// the order of application open; the evaluator applies it in order, and so do we, but where parts of a row give what
// the row gives.
#pragma once

#include <optional>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Found by trying it on a few thousand values, small and special ones and the constants it names among them: that it is
// associative, and that the initial values change nothing where they stand once more in a row. Functions that only
// compare and choose keep every bit; floats that are computed are compared as f64, to more digits than f32 has. A
// function that passes is one by its values: of orders and ties all cases are tried, of rational functions two
// different ones agree nowhere but by chance. NaNs are not tried, nor infinities where values are computed: what
// becomes of those depends on where they stand (docs/numerics.md).
//
// `known`: by array, the value that all its elements have, where they have one. A function that is none of any numbers
// may be one of what such elements combine to: counts that begin with ones are whole and positive.
using ElementValues = std::vector<std::optional<Literal>>;
bool may_be_parted(const Computation& function, const std::vector<Literal>& initials, const ElementValues& known = {});

// All of it, and that an initial value combined with any other, on either side, gives the other.
bool begins_with_nothing(const Computation& function, const std::vector<Literal>& initials);

// The first half of it, of a function that is applied to elements alone: that it is associative.
bool is_associative(const Computation& function);

}  // namespace sinter
