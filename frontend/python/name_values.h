// Values are named after the variables of the Python program that an HLO text was made from.
//
// The rule: the text gives an instruction a stack of frames, each a range of a Python file. An instruction whose range
// is that of an assigned expression is that variable. So is one whose range is that of what a function returns, where
// the range of the function's call is assigned: `done = ended(x)` names the `|` of `return (x > 1) | (x < 0)`. What a
// loop's step returns goes by what the step unpacks its state to.
#pragma once

#include <vector>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// `sources` are those of module.tables.files, one each; one without name is not known. Sets the variables of
// ir/module/variable.h. A source whose lines the frames do not fit gives a warning and names nothing. Gives those that
// were read.
std::vector<Source> name_values(Module& module, const std::vector<Source>& sources, Diagnostics& diagnostics);

}  // namespace sinter
