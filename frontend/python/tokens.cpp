#include "frontend/python/tokens.h"

#include <algorithm>
#include <cctype>

#include "ir/support/is_word.h"

namespace sinter {

namespace {

bool is_name_byte(char c) { return is_word(c) || static_cast<unsigned char>(c) >= 0x80; }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<PythonLine> lines() {
    std::vector<PythonLine> lines;
    while (at_ < text_.size()) {
      const int64_t indentation = skip_indentation();
      PythonLine line{.indentation = indentation, .tokens = {}};
      read_line(&line.tokens);
      if (!line.tokens.empty()) lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void advance(size_t count = 1) {
    for (; count > 0 && at_ < text_.size(); --count, ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
  }

  int64_t skip_indentation() {
    int64_t columns = 0;
    for (; peek() == ' ' || peek() == '\t' || peek() == '\f'; advance()) {
      columns = peek() == '\t' ? columns / 8 * 8 + 8 : columns + 1;
    }
    return columns;
  }

  void read_line(std::vector<PythonToken>* tokens) {
    int64_t depth = 0;
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == '\n' && depth == 0) {
        advance();
        return;
      }
      if (c == '#') {
        while (at_ < text_.size() && peek() != '\n') advance();
      } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
        advance(peek(1) == '\n' ? 2 : 3);
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        advance();
      } else {
        tokens->push_back(read_token());
        const std::string_view text = tokens->back().text;
        if (tokens->back().kind != PythonToken::Kind::kOperator) continue;
        if (text == "(" || text == "[" || text == "{") ++depth;
        if (text == ")" || text == "]" || text == "}") depth = std::max<int64_t>(depth - 1, 0);
      }
    }
  }

  PythonToken read_token() {
    const size_t begin = at_;
    PythonToken token;
    token.range.line = line_;
    token.range.column = column();
    size_t prefix = 0;
    while (prefix < 2 && std::isalpha(static_cast<unsigned char>(peek(prefix))) != 0) ++prefix;
    const auto quote_at = [&](size_t ahead) { return peek(ahead) == '"' || peek(ahead) == '\''; };
    if (quote_at(0) || (prefix > 0 && quote_at(1) && is_prefix(1)) || (prefix > 1 && quote_at(2) && is_prefix(2))) {
      token.kind = PythonToken::Kind::kString;
      read_string();
    } else if (std::isdigit(static_cast<unsigned char>(peek())) != 0 ||
               (peek() == '.' && std::isdigit(static_cast<unsigned char>(peek(1))) != 0)) {
      token.kind = PythonToken::Kind::kNumber;
      read_number();
    } else if (is_name_byte(peek())) {
      token.kind = PythonToken::Kind::kName;
      while (is_name_byte(peek())) advance();
    } else {
      read_operator();
    }
    token.range.end_line = line_;
    token.range.end_column = column();
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }

  bool is_prefix(size_t length) const {
    const std::string_view letters = "rRbBuUfFtT";
    return std::all_of(text_.begin() + at_, text_.begin() + at_ + length,
                       [&](char c) { return letters.find(c) != std::string_view::npos; });
  }

  void read_string() {
    bool formatted = false;
    for (; peek() != '"' && peek() != '\''; advance()) formatted = formatted || std::tolower(peek()) == 'f';
    const char quote = peek();
    const bool triple = peek(1) == quote && peek(2) == quote;
    advance(triple ? 3 : 1);
    while (at_ < text_.size()) {
      if (peek() == '\\') {
        advance(2);
      } else if (formatted && peek() == '{' && peek(1) == '{') {
        advance(2);
      } else if (formatted && peek() == '{') {
        read_field(triple ? '\0' : quote);
      } else if (peek() == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
        advance(triple ? 3 : 1);
        return;
      } else if (peek() == '\n' && !triple) {
        return;
      } else {
        advance();
      }
    }
  }

  // {expression:format} of a formatted string. Its strings may have the quotes of the string around it.
  void read_field(char around) {
    int64_t depth = 0;
    while (at_ < text_.size() && !(peek() == '\n' && around != '\0')) {
      const char c = peek();
      if (c == '"' || c == '\'') {
        read_string();
        continue;
      }
      if (c == '{' || c == '[' || c == '(') ++depth;
      if (c == '}' || c == ']' || c == ')') --depth;
      advance();
      if (depth == 0) return;
    }
  }

  void read_number() {
    const bool hexadecimal = peek() == '0' && std::tolower(peek(1)) == 'x';
    for (; is_name_byte(peek()) || peek() == '.'; advance()) {
      const bool exponent = !hexadecimal && std::tolower(peek()) == 'e' && (peek(1) == '+' || peek(1) == '-');
      if (exponent) advance();
    }
  }

  void read_operator() {
    static constexpr std::string_view kLong[] = {"**=", "//=", ">>=", "<<=", "...", "**", "//", ">>",
                                                 "<<",  "<=",  ">=",  "==",  "!=",  "->", ":=", "+=",
                                                 "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", "@="};
    for (const std::string_view op : kLong) {
      if (text_.substr(at_, op.size()) == op) return advance(op.size());
    }
    advance();
  }

  int64_t column() const { return static_cast<int64_t>(at_ - line_start_); }

  std::string_view text_;
  size_t at_ = 0, line_start_ = 0;
  int64_t line_ = 1;
};

}  // namespace

std::vector<PythonLine> python_lines(std::string_view text) { return Tokenizer(text).lines(); }

}  // namespace sinter
