// Constants that stand for what a program is given.
#pragma once

#include <string>

#include "ir/module/module.h"

namespace sinter {

// Constants with this frontend attribute become parameters of the entry, behind its own, one for each value of the
// attribute, which is also the parameter's name and mark. Calls hand them on, loops carry them into their bodies and
// conditions unchanged, conditionals give them to their branches. One in a computation that is called otherwise, or by
// a loop whose state is used as a whole, stays a constant. True if there is any.
bool lift_constants(Module& module, const std::string& attribute);

}  // namespace sinter
