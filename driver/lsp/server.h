// sinter lsp: a language server for Grain, on standard input and output.
#pragma once

#include <iosfwd>

namespace sinter {

// Answers what arrives at the file descriptor until `exit`; false if the client left without `shutdown`.
bool serve(int in, std::ostream& out);

}  // namespace sinter
