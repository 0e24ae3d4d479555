#include "review/read/token_text.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

namespace sinter {

std::string token_text(llvm::StringRef text) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = language.CPlusPlus17 = language.CPlusPlus20 = true;
  language.LineComment = language.Bool = true;
  const std::string copy = text.str();  // a lexer reads to the zero behind it
  const char *begin = copy.c_str(), *end = begin + copy.size();
  clang::Lexer lexer(clang::SourceLocation(), language, begin, begin, end);
  std::string result;
  bool is_directive = false;
  for (clang::Token token; !lexer.LexFromRawLexer(token) || token.isNot(clang::tok::eof);) {
    const bool begins_directive = token.isAtStartOfLine() && token.is(clang::tok::hash);
    const bool ends_directive = token.isAtStartOfLine() && is_directive;
    if (token.isAtStartOfLine()) is_directive = begins_directive;
    if (!result.empty()) result += begins_directive || ends_directive ? '\n' : ' ';
    result.append(lexer.getBufferLocation() - token.getLength(), token.getLength());
  }
  return result;
}

}  // namespace sinter
