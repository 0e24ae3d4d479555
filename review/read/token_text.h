// C++ text as its tokens: what is left of it without comments and layout.
#pragma once

#include <clang/Basic/LangOptions.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace sinter {

// Of text that no preprocessor has read.
clang::LangOptions raw_language();

// The tokens, a blank between two; directives of the preprocessor in lines of their own.
std::string token_text(llvm::StringRef text);

// Whether both are the same tokens, but that each name may have become one other.
bool same_but_for_names(llvm::StringRef before, llvm::StringRef after);

// Whether both are the same tokens, but that numbers, true and false may be others.
bool same_but_for_numbers(llvm::StringRef before, llvm::StringRef after);

}  // namespace sinter
