// What a value is, as a name: `mean`, `inv_std`, `x_squared`. The rows of meanings.def say what is called so.
#pragma once

#include <string>

#include "ir/module/module.h"

namespace sinter {

// Empty where no row says what the value is.
std::string meaning_name(const Instruction& instruction);

// The noun of the value's operation: `sum` of an add, `chosen` of a select. Empty where it has none.
std::string noun_name(const Instruction& instruction);
// A noun of arithmetic, `sum`, and not of where elements come from or go, `rows`, `sorted`.
bool is_noun_of_numbers(const std::string& name);

// The value that an instruction gives elements of, moved and changed in type at most: x of broadcast(reshape(x)), and
// of a slice of it.
const Instruction& element_source(const Instruction& instruction);

}  // namespace sinter
