// Runs clang-format-19 with the style that emitted folders ship.
#pragma once

#include <string>

namespace sinter {

// The text as clang-format leaves it; the text itself where there is no clang-format-19 on this machine.
std::string clang_formatted(const std::string& text);

}  // namespace sinter
