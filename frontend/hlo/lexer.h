// Tokens of HLO text. The rules are XLA's; three of them shape the token kinds: an identifier directly followed by
// ':' is a name (`x: f32[2]`), directly followed by '=' an attribute's name (`dimensions={0}`), and identifiers
// contain dots and dashes (`all-reduce`, `region_0.23`).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/support/source.h"

namespace sinter {

enum class TokenKind : uint8_t {
  kEnd,
  kInvalid,        // Lexer::problem() says what is wrong
  kIdentifier,     // add, f32, ROOT, inf
  kName,           // %add.1; text is without %
  kNameColon,      // x: ; text is without :
  kAttributeName,  // dimensions= ; text is without =
  kInteger,        // -12
  kDecimal,        // 1.5, 1e-3, .5
  kSpecial,        // -inf, -nan, nan(0x1), -nan(0x1)
  kDimLabels,      // b01f_01io->b01f
  kSizes,          // 3x3
  kPadding,        // 0_1x-1_2_3
  kString,         // "..." or '...'; text is with quotes
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kComma,
  kColon,
  kEqual,
  kStar,
  kQuestion,
  kHash,
  kPlus,
  kTilde,
  kArrow,
  kLessEqual,
  kEllipsis,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  Loc loc;
};

// What is wrong with a token, or with raw text.
struct LexicalProblem {
  std::string code;
  std::string message;
  std::string hint;
  Loc loc;
};

// Copying a lexer is cheap: a copy looks ahead. The text must outlive lexer and tokens.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();
  // Continues at an offset, which must lie between tokens.
  void seek(size_t offset) { position_ = offset; }
  size_t position() const { return position_; }
  const LexicalProblem& problem() const { return problem_; }

  // The text of a value that is kept as written, from `begin` on: balanced brackets, strings in them, and what
  // directly continues it (`[2,2]<=[4]T(1,0)`, `mesh["x"=2] {"x"}`, `f32[2]{0} {1,2}`). Continues after it. Empty
  // if there is none, or, with a problem(), if a bracket or string does not end.
  std::string_view raw_value(size_t begin);

  // True if a definition `[ROOT] [%]name =` begins at the offset.
  bool definition_at(size_t offset) const;
  // True if nothing but blanks stands before the offset on its line.
  bool first_on_line(size_t offset) const;
  // The offset of the next character that is neither blank nor comment.
  size_t skip_blanks(size_t offset) const;

 private:
  Token make(TokenKind kind, size_t begin, size_t end);
  Token invalid(size_t begin, size_t end, std::string_view code, std::string message, std::string hint = "");
  Token identifier(size_t begin);
  Token number(size_t begin);
  Token string(size_t begin);
  Token nan_payload(size_t begin, size_t end);
  size_t string_end(size_t begin) const;  // past the closing quote, or npos

  std::string_view text_;
  size_t position_ = 0;
  LexicalProblem problem_;
};

// The value of a kString token: quotes removed, C escapes resolved.
std::string unescape(std::string_view quoted);

}  // namespace sinter
