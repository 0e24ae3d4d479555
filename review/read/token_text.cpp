#include "review/read/token_text.h"

#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <map>
#include <vector>

namespace sinter {

clang::LangOptions raw_language() {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = language.CPlusPlus17 = language.CPlusPlus20 = true;
  language.LineComment = language.Bool = true;
  return language;
}

namespace {

struct RawToken {
  std::string text;
  bool begins_line = false, is_name = false, is_number = false, is_hash = false;
};

std::vector<RawToken> raw_tokens(llvm::StringRef text) {
  const clang::LangOptions language = raw_language();
  const std::string copy = text.str();  // a lexer reads to the zero behind it
  const char *begin = copy.c_str(), *end = begin + copy.size();
  clang::Lexer lexer(clang::SourceLocation(), language, begin, begin, end);
  std::vector<RawToken> tokens;
  for (clang::Token token; !lexer.LexFromRawLexer(token) || token.isNot(clang::tok::eof);) {
    tokens.push_back({.text = std::string(lexer.getBufferLocation() - token.getLength(), token.getLength()),
                      .begins_line = token.isAtStartOfLine(),
                      .is_name = token.is(clang::tok::raw_identifier),
                      .is_number = token.is(clang::tok::numeric_constant),
                      .is_hash = token.is(clang::tok::hash)});
  }
  return tokens;
}

}  // namespace

std::string token_text(llvm::StringRef text) {
  std::string result;
  bool is_directive = false;
  for (const RawToken& token : raw_tokens(text)) {
    const bool begins_directive = token.begins_line && token.is_hash;
    const bool ends_directive = token.begins_line && is_directive;
    if (token.begins_line) is_directive = begins_directive;
    if (!result.empty()) result += begins_directive || ends_directive ? '\n' : ' ';
    result += token.text;
  }
  return result;
}

bool same_but_for_names(llvm::StringRef before, llvm::StringRef after) {
  std::map<std::string, std::string> now, then;
  const std::vector<RawToken> tokens = raw_tokens(before), others = raw_tokens(after);
  return std::equal(tokens.begin(), tokens.end(), others.begin(), others.end(),
                    [&](const RawToken& a, const RawToken& b) {
                      if (!a.is_name || !b.is_name) return a.text == b.text;
                      return now.try_emplace(a.text, b.text).first->second == b.text &&
                             then.try_emplace(b.text, a.text).first->second == a.text;
                    });
}

bool same_but_for_numbers(llvm::StringRef before, llvm::StringRef after) {
  const auto is_value = [](const RawToken& token) {
    return token.is_number || token.text == "true" || token.text == "false";
  };
  const std::vector<RawToken> tokens = raw_tokens(before), others = raw_tokens(after);
  return std::equal(
      tokens.begin(), tokens.end(), others.begin(), others.end(),
      [&](const RawToken& a, const RawToken& b) { return a.text == b.text || (is_value(a) && is_value(b)); });
}

}  // namespace sinter
