// Values that are known when the program is compiled.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/module/module.h"

namespace sinter {

// Whether an operation may be carried out on constants here: every machine gives the same bits.
bool may_fold(const Instruction& instruction);

// What a constant is, an index, or a value that is computed of such by a few operations on arrays of up to `most`
// elements; nullopt: it is none.
std::optional<Literal> known_value(const Instruction& value, int64_t most);

}  // namespace sinter
