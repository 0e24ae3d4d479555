// Statements and comments of the kernel IR as C++ text.
#pragma once

#include <string>

#include "emitter/kernels/print_expr.h"
#include "ir/kernel/kernel.h"

namespace sinter {

// The statements of a block, one or more lines each, indented.
std::string print_block(const Block& block, int indent, ExprPrinter& printer);

// `// text`, wrapped at kLineWidth; a wrapped line keeps the leading blanks of the text. The text is made harmless
// (comment_text).
std::string print_comment(const std::string& text, int indent);
// The same on one line however long, without a line break: for the end of a line of code.
std::string print_trailing_comment(const std::string& text);

}  // namespace sinter
