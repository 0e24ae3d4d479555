// C++ text as its tokens: what is left of it without comments and layout.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace sinter {

// The tokens, a blank between two; directives of the preprocessor in lines of their own.
std::string token_text(llvm::StringRef text);

}  // namespace sinter
