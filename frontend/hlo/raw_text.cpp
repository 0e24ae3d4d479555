// The lexer's view of text that is not read token by token: values kept as written, strings, places in lines.

#include <algorithm>

#include "frontend/hlo/characters.h"
#include "frontend/hlo/lexer.h"

namespace sinter {

std::string_view Lexer::raw_value(size_t begin) {
  begin = skip_blanks(begin);
  problem_ = {};
  std::string closers;  // the brackets that are open, innermost last
  size_t open_offset = begin;
  size_t at = begin;
  const auto fail = [&](size_t offset, std::string_view code, std::string message) {
    problem_ = {std::string(code), std::move(message), "", Loc{static_cast<uint32_t>(offset)}};
    position_ = std::min(begin + 1, text_.size());
    return std::string_view();
  };
  while (at < text_.size()) {
    const char c = text_[at];
    if (c == '"') {
      const size_t end = string_end(at);
      if (end == std::string_view::npos) return fail(at, "E0102", "this string does not end on its line");
      at = end;
    } else if (c == '{' || c == '[' || c == '(') {
      if (closers.empty()) open_offset = at;
      closers += c == '{' ? '}' : c == '[' ? ']' : ')';
      ++at;
    } else if (c == '}' || c == ']' || c == ')') {
      if (closers.empty()) break;
      if (closers.back() != c) {
        return fail(at, "E0104", std::string("expected '") + closers.back() + "' before '" + c + "'");
      }
      closers.pop_back();
      ++at;
    } else if (!closers.empty()) {
      ++at;
    } else if (c == ',') {
      break;
    } else if (is_blank(c) || text_.substr(at, 2) == "/*" || text_.substr(at, 2) == "//") {
      const size_t next = skip_blanks(at);
      const char following = at_or_nul(text_, next);
      const bool bracket = following == '{' || following == '[' || following == '(';
      const bool number = text_[at - 1] == ']' && (is_digit(following) || following == '-' || following == '.');
      if (at == begin || (!bracket && !number)) break;
      at = next;
    } else {
      ++at;
    }
  }
  if (!closers.empty()) return fail(open_offset, "E0104", "this bracket is not closed");
  position_ = at;
  return text_.substr(begin, at - begin);
}

bool Lexer::definition_at(size_t offset) const {
  Lexer ahead(text_);
  ahead.seek(offset);
  Token token = ahead.next();
  if (token.kind == TokenKind::kIdentifier && token.text == "ROOT") token = ahead.next();
  if (token.kind != TokenKind::kIdentifier && token.kind != TokenKind::kName) return false;
  return ahead.next().kind == TokenKind::kEqual;
}

bool Lexer::first_on_line(size_t offset) const {
  while (offset > 0 && text_[offset - 1] != '\n') {
    --offset;
    if (!is_blank(text_[offset])) return false;
  }
  return true;
}

std::string unescape(std::string_view quoted) {
  if (quoted.size() < 2) return {};
  const std::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char c = text[++i];
    switch (c) {
      case 'n':
        result += '\n';
        break;
      case 'r':
        result += '\r';
        break;
      case 't':
        result += '\t';
        break;
      case 'a':
        result += '\a';
        break;
      case 'b':
        result += '\b';
        break;
      case 'f':
        result += '\f';
        break;
      case 'v':
        result += '\v';
        break;
      case 'x':
      case 'X': {
        unsigned value = 0;
        while (i + 1 < text.size() && is_hex_digit(text[i + 1])) {
          const char digit = text[++i];
          value =
              (value * 16 + static_cast<unsigned>(is_digit(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10)) & 0xFF;
        }
        result += static_cast<char>(value);
        break;
      }
      default:
        if (c >= '0' && c <= '7') {
          unsigned value = static_cast<unsigned>(c - '0');
          for (int digits = 1; digits < 3 && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '7';
               ++digits) {
            value = value * 8 + static_cast<unsigned>(text[++i] - '0');
          }
          result += static_cast<char>(value & 0xFF);
        } else {
          result += c;  // \" \' \\ \?
        }
    }
  }
  return result;
}

}  // namespace sinter
