// The licence of what is emitted, as whoever compiles states it: an expression of SPDX ("Apache-2.0 OR MIT").
#pragma once

#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

// Whether a text may be such an expression: words of letters, digits, '-', '.', '+' and ':' between blanks and
// brackets.
bool is_license_expression(const std::string& text);

// The first line of each file that can have a comment: `// SPDX-License-Identifier: Apache-2.0`. Nothing, if `license`
// is empty.
void state_license(const std::string& license, FileSet* files);

}  // namespace sinter
