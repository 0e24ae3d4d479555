// Grain text in one layout: indentation by blocks and brackets, one blank where blanks belong. Lines stay lines,
// comments stay, and so do columns that a person aligned before '=', 'with' and comments.
#pragma once

#include <optional>
#include <string>

#include "ir/support/diagnostics.h"

namespace sinter {

// Formatting what it gives changes nothing. nullopt if the text does not parse; what is wrong is reported.
std::optional<std::string> format_grain(Diagnostics& diagnostics);

}  // namespace sinter
