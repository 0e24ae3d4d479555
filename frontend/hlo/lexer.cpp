// Tokens of HLO text: identifiers, numbers in their many forms, strings.

#include "frontend/hlo/lexer.h"

#include <algorithm>
#include <cstdio>

#include "frontend/hlo/characters.h"

namespace sinter {

namespace {

// Matchers return the offset past the match, or npos.
constexpr size_t kNoMatch = std::string_view::npos;

size_t skip_digits(std::string_view text, size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// -?digits
size_t match_integer(std::string_view text, size_t at) {
  if (at_or_nul(text, at) == '-') ++at;
  const size_t end = skip_digits(text, at);
  return end > at ? end : kNoMatch;
}

// A number with a point or an exponent.
size_t match_decimal(std::string_view text, size_t at) {
  if (at_or_nul(text, at) == '-') ++at;
  size_t end = skip_digits(text, at);
  size_t digits = end - at;
  bool decimal = false;
  if (at_or_nul(text, end) == '.' && !(at_or_nul(text, end + 1) == '.')) {
    const size_t fraction = skip_digits(text, end + 1);
    digits += fraction - end - 1;
    if (digits == 0) return kNoMatch;
    end = fraction;
    decimal = true;
  }
  if (digits > 0 && (at_or_nul(text, end) == 'e' || at_or_nul(text, end) == 'E')) {
    const char sign = at_or_nul(text, end + 1);
    const size_t exponent = end + 1 + (sign == '+' || sign == '-' ? 1 : 0);
    const size_t exponent_end = skip_digits(text, exponent);
    if (exponent_end > exponent) {
      end = exponent_end;
      decimal = true;
    }
  }
  return decimal ? end : kNoMatch;
}

// At least two of the characters.
size_t match_label_run(std::string_view text, size_t at, std::string_view letters) {
  size_t end = at;
  while (end < text.size() && (is_digit(text[end]) || letters.find(text[end]) != std::string_view::npos)) ++end;
  return end - at >= 2 ? end : kNoMatch;
}

// b01f_01io->b01f
size_t match_dim_labels(std::string_view text, size_t at) {
  at = match_label_run(text, at, "bf?");
  if (at == kNoMatch || at_or_nul(text, at) != '_') return kNoMatch;
  at = match_label_run(text, at + 1, "io?");
  if (at == kNoMatch || text.substr(at, 2) != "->") return kNoMatch;
  return match_label_run(text, at + 2, "bf?");
}

// 3x3
size_t match_sizes(std::string_view text, size_t at) {
  size_t end = skip_digits(text, at);
  if (end == at) return kNoMatch;
  bool several = false;
  while (at_or_nul(text, end) == 'x' && is_digit(at_or_nul(text, end + 1))) {
    end = skip_digits(text, end + 1);
    several = true;
  }
  return several && at_or_nul(text, end) != '_' ? end : kNoMatch;
}

// lo_hi or lo_hi_interior
size_t match_one_padding(std::string_view text, size_t at) {
  size_t end = match_integer(text, at);
  int parts = 1;
  while (end != kNoMatch && parts < 3 && at_or_nul(text, end) == '_') {
    end = match_integer(text, end + 1);
    ++parts;
  }
  return parts >= 2 ? end : kNoMatch;
}

size_t match_padding(std::string_view text, size_t at) {
  size_t end = match_one_padding(text, at);
  while (end != kNoMatch && at_or_nul(text, end) == 'x') {
    const size_t more = match_one_padding(text, end + 1);
    if (more == kNoMatch) break;
    end = more;
  }
  return end;
}

// "'x'", or "byte 0x01" for what cannot be shown.
std::string show(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte < 0x7F) return std::string("'") + c + "'";
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "byte 0x%02x", byte);
  return buffer;
}

}  // namespace

Token Lexer::make(TokenKind kind, size_t begin, size_t end) {
  position_ = end;
  return {kind, text_.substr(begin, end - begin), Loc{static_cast<uint32_t>(begin)}};
}

Token Lexer::invalid(size_t begin, size_t end, std::string_view code, std::string message, std::string hint) {
  const Token token = make(TokenKind::kInvalid, begin, end);
  problem_ = {std::string(code), std::move(message), std::move(hint), token.loc};
  return token;
}

size_t Lexer::skip_blanks(size_t offset) const {
  while (offset < text_.size()) {
    if (is_blank(text_[offset])) {
      ++offset;
    } else if (text_.substr(offset, 2) == "//") {
      offset = std::min(text_.find('\n', offset), text_.size());
    } else if (text_.substr(offset, 2) == "/*") {
      const size_t end = text_.find("*/", offset + 2);
      if (end == std::string_view::npos) return offset;
      offset = end + 2;
    } else {
      break;
    }
  }
  return offset;
}

Token Lexer::next() {
  const size_t begin = skip_blanks(position_);
  if (begin >= text_.size()) return make(TokenKind::kEnd, text_.size(), text_.size());
  const char c = text_[begin];
  const char after = at_or_nul(text_, begin + 1);
  if (is_letter(c)) return identifier(begin);
  if (is_digit(c)) return number(begin);
  switch (c) {
    case '%': {
      size_t end = begin + 1;
      if (!is_letter(after)) {
        return invalid(begin, end, "E0101", "'%' must be followed by a name that begins with a letter or '_'");
      }
      while (end < text_.size() && is_identifier_part(text_[end])) ++end;
      if (text_[end - 1] == '-' && at_or_nul(text_, end) == '>') --end;
      Token token = make(TokenKind::kName, begin, end);
      token.text.remove_prefix(1);
      return token;
    }
    case '"':
    case '\'':
      return string(begin);
    case '-':
      if (after == '>') return make(TokenKind::kArrow, begin, begin + 2);
      return number(begin);
    case '.':
      if (text_.substr(begin, 3) == "...") return make(TokenKind::kEllipsis, begin, begin + 3);
      if (is_digit(after)) return number(begin);
      return invalid(begin, begin + 1, "E0101", "unexpected '.'");
    case '<':
      if (after == '=') return make(TokenKind::kLessEqual, begin, begin + 2);
      return invalid(begin, begin + 1, "E0101", "unexpected '<'",
                     "only '<=' exists, before the bound of a dynamic dimension");
    case '/':
      if (after == '*') {
        return invalid(begin, text_.size(), "E0102", "this comment does not end", "close it with */");
      }
      return invalid(begin, begin + 1, "E0101", "unexpected '/'", "comments are /* ... */ or // ...");
    case '?':
      if (const size_t end = match_dim_labels(text_, begin); end != kNoMatch) {
        return make(TokenKind::kDimLabels, begin, end);
      }
      return make(TokenKind::kQuestion, begin, begin + 1);
    case '(':
      return make(TokenKind::kLeftParen, begin, begin + 1);
    case ')':
      return make(TokenKind::kRightParen, begin, begin + 1);
    case '[':
      return make(TokenKind::kLeftBracket, begin, begin + 1);
    case ']':
      return make(TokenKind::kRightBracket, begin, begin + 1);
    case '{':
      return make(TokenKind::kLeftBrace, begin, begin + 1);
    case '}':
      return make(TokenKind::kRightBrace, begin, begin + 1);
    case ',':
      return make(TokenKind::kComma, begin, begin + 1);
    case ':':
      return make(TokenKind::kColon, begin, begin + 1);
    case '=':
      return make(TokenKind::kEqual, begin, begin + 1);
    case '*':
      return make(TokenKind::kStar, begin, begin + 1);
    case '#':
      return make(TokenKind::kHash, begin, begin + 1);
    case '+':
      return make(TokenKind::kPlus, begin, begin + 1);
    case '~':
      return make(TokenKind::kTilde, begin, begin + 1);
    default:
      break;
  }
  // One report for a run of bytes that mean nothing.
  size_t end = begin + 1;
  while (end < text_.size() && static_cast<unsigned char>(text_[end]) >= 0x7F) ++end;
  return invalid(begin, end, "E0101", "unexpected " + show(c),
                 c == '\0' ? "a NUL byte: is this a binary file (.pb)? Sinter reads HLO text" : "");
}

Token Lexer::identifier(size_t begin) {
  size_t end = begin + 1;
  while (end < text_.size() && is_identifier_part(text_[end])) ++end;
  const char after = at_or_nul(text_, end);
  if (after == ':') {
    Token token = make(TokenKind::kNameColon, begin, end + 1);
    token.text.remove_suffix(1);
    return token;
  }
  if (after == '=') {
    Token token = make(TokenKind::kAttributeName, begin, end + 1);
    token.text.remove_suffix(1);
    return token;
  }
  if (after == '>' && text_[end - 1] == '-') {
    // `b01f_01io->b01f`, or `a->b` written without a blank.
    if (const size_t labels = match_dim_labels(text_, begin); labels != kNoMatch) {
      return make(TokenKind::kDimLabels, begin, labels);
    }
    --end;
  }
  if (after == '?') {
    if (const size_t labels = match_dim_labels(text_, begin); labels != kNoMatch) {
      return make(TokenKind::kDimLabels, begin, labels);
    }
  }
  if (after == '(' && text_.substr(begin, end - begin) == "nan" && text_.substr(end, 3) == "(0x") {
    return nan_payload(begin, end);
  }
  return make(TokenKind::kIdentifier, begin, end);
}

// nan(0x7fffff): `end` is the offset of the parenthesis.
Token Lexer::nan_payload(size_t begin, size_t end) {
  size_t digits_end = end + 3;
  while (digits_end < text_.size() && is_hex_digit(text_[digits_end])) ++digits_end;
  if (digits_end == end + 3 || at_or_nul(text_, digits_end) != ')') {
    return invalid(begin, digits_end, "E0112", "malformed NaN payload",
                   "it is written nan(0x1), in hexadecimal digits");
  }
  return make(TokenKind::kSpecial, begin, digits_end + 1);
}

Token Lexer::number(size_t begin) {
  if (const size_t end = match_decimal(text_, begin); end != kNoMatch) return make(TokenKind::kDecimal, begin, end);
  if (const size_t end = match_dim_labels(text_, begin); end != kNoMatch)
    return make(TokenKind::kDimLabels, begin, end);
  if (const size_t end = match_sizes(text_, begin); end != kNoMatch) return make(TokenKind::kSizes, begin, end);
  if (const size_t end = match_padding(text_, begin); end != kNoMatch) return make(TokenKind::kPadding, begin, end);
  if (const size_t end = match_integer(text_, begin); end != kNoMatch) return make(TokenKind::kInteger, begin, end);
  const std::string_view word = text_.substr(begin + 1, 3);
  if ((word == "inf" || word == "nan") && !is_identifier_part(at_or_nul(text_, begin + 4))) {
    if (word == "nan" && text_.substr(begin + 4, 3) == "(0x") return nan_payload(begin, begin + 4);
    return make(TokenKind::kSpecial, begin, begin + 4);
  }
  return invalid(begin, begin + 1, "E0101", "unexpected '-'");
}

size_t Lexer::string_end(size_t begin) const {
  const char quote = text_[begin];
  for (size_t i = begin + 1; i < text_.size() && text_[i] != '\n'; ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == quote) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

Token Lexer::string(size_t begin) {
  const size_t end = string_end(begin);
  if (end == std::string_view::npos) {
    return invalid(begin, std::min(text_.find('\n', begin), text_.size()), "E0102",
                   "this string does not end on its line");
  }
  return make(TokenKind::kString, begin, end);
}

}  // namespace sinter
