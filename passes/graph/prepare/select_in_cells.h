// The choice of windows that move by several elements, and what it leaves: see select_in_cells.cpp.
#pragma once

#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Puts other operations in the place of a select-and-scatter of this window; false, with nothing changed: its windows
// are large, many lie over an element, or the result is no whole cells.
bool select_in_cells(Instruction& instruction, const std::vector<WindowDimension>& window);

}  // namespace sinter
