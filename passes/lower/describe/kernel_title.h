// What the title of a kernel's comment counts as computed: "dot, reduce, exponential", and no arithmetic of places.
#pragma once

#include <string>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Names of the operations, the heaviest first, each once: those on elements. What only says where elements are read or
// written, and numbers that are the same for all elements and no floats, are left out.
std::vector<std::string> operations_of_title(const std::vector<const Instruction*>& computed,
                                             const std::vector<const Instruction*>& outputs);

// Of an update (a dynamic-update-slice, a scatter of one array), the shape of what it writes; nullptr for all else.
const Shape* written_part(const Instruction& instruction);

}  // namespace sinter
