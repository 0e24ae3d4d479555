// The manual page, in the man macros of roff, written from the outline of the command line.
#pragma once

#include <string>
#include <string_view>

#include "driver/commands/line/outline.h"

namespace sinter {

std::string man_page(const Outline& outline, std::string_view version);

}  // namespace sinter
