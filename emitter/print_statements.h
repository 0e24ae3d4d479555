// Statements and comments of the kernel IR as C++ text.
#pragma once

#include <string>

#include "emitter/print_expr.h"
#include "ir/kernel.h"

namespace sinter {

// The statements of a block, one or more lines each, indented.
std::string print_block(const Block& block, int indent, ExprPrinter& printer);

// `// text`, wrapped at kLineWidth; a wrapped line keeps the leading blanks of the text. The text is made harmless:
// printable ASCII, no backslash.
std::string print_comment(const std::string& text, int indent);

}  // namespace sinter
