// Whether arrays are the ones expected.
#pragma once

#include <string>

#include "ir/values/literal.h"
#include "tests/conformance/value_check.h"

namespace sinter {

// Empty if the arrays agree, else the first difference. Integers and predicates must be equal.
std::string difference(const Literal& got, const Literal& expected, const ValueCheck& check);

}  // namespace sinter
