// sinter lsp: a language server for Grain, on standard input and output.
#pragma once

#include <iosfwd>

namespace sinter {

// Answers until `exit`; false if the client left without `shutdown`.
bool serve(std::istream& in, std::ostream& out);

}  // namespace sinter
