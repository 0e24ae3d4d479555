// Tokens of Grain text. Lines that go on are joined here: a kNewline token stands only where a statement can end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/support/diagnostics.h"

namespace sinter::grain {

enum class TokenKind : uint8_t {
  kName,
  kPrimed,   // x'; the text is without the prime
  kKeyword,  // grammar.ebnf's quoted words
  kNumber,
  kString,  // the text is without the quotes
  kSign,    // operators and punctuation
  kNewline,
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  Loc loc;
  uint32_t end = 0;          // offset behind its last character
  bool is_float = false;     // of a number: it has a point or an exponent
  bool begins_line = false;  // first on its line
  std::string_view doc;      // the text of the last of the `///` lines before it, from the first one's text on

  bool is(std::string_view sign) const {
    return (kind == TokenKind::kSign || kind == TokenKind::kKeyword) && text == sign;
  }
};

// A comment, for tools that keep them.
struct Comment {
  Loc loc;
  std::string_view text;  // with its slashes
  bool begins_line = false;
};

struct TokenList {
  std::vector<Token> tokens;  // the last one is kEnd
  std::vector<Comment> comments;
};

bool is_keyword(std::string_view word);
// sum, prod, mean, max, ...: a word that is followed by [indices](...).
bool is_reduction(std::string_view word);

// What is no token is reported and left out.
TokenList read_tokens(Diagnostics& diagnostics);
// The same without joining: a kNewline token ends every line that has tokens. For the formatter.
TokenList read_lines(Diagnostics& diagnostics);

}  // namespace sinter::grain
