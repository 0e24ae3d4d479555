// Tests of the evaluator say programs and values as HLO text.
#pragma once

#include <string>

namespace sinter {

// The value of the entry's root, as the text of a constant; diagnostics if it has none. `entry` is the lines of the
// entry computation, the last of them its root; `computations` stand before it.
std::string value_of(const std::string& entry, const std::string& computations = "");

}  // namespace sinter
