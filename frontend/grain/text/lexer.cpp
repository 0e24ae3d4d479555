// Grain text to tokens. A line goes on in brackets, after an operator and before one (grammar.ebnf, "Ends of lines").
#include "frontend/grain/text/lexer.h"

#include <algorithm>
#include <array>

namespace sinter::grain {
namespace {

constexpr std::array<std::string_view, 39> kKeywords = {
    "import", "from", "dim", "const",   "require", "record", "weights", "extern", "fn",   "entry",
    "into",   "for",  "in",  "reverse", "unroll",  "carry",  "while",   "if",     "then", "else",
    "with",   "and",  "or",  "not",     "true",    "false",  "inf",     "nan",    "sum",  "prod",
    "mean",   "max",  "min", "any",     "all",     "argmax", "argmin",  "reduce", "where"};

// The longest come first.
constexpr std::array<std::string_view, 37> kSigns = {
    "**", "->", "..", "<<", ">>", "<=", ">=", "==", "!=", "+=", "*=", "&&", "||", "+", "-", "*", "/", "%", "&",
    "|",  "^",  "~",  "<",  ">",  "=",  "(",  ")",  "[",  "]",  "{",  "}",  ",",  ":", ";", ".", "!", "?"};

constexpr std::array<std::string_view, 22> kOperators = {
    "**", "..", "<<", ">>", "<=", ">=", "==", "!=", "+=", "*=", "+",
    "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~",  "<",  ".",  "&&"};

template <size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A line that ends in this goes on.
bool line_goes_on_after(const Token& token) {
  constexpr std::array<std::string_view, 14> kWords = {",",   "{",  ":",   "->",   "=",  "then",  "else",
                                                       "and", "or", "not", "with", "in", "carry", "from"};
  if (token.kind != TokenKind::kSign && token.kind != TokenKind::kKeyword) return false;
  return is_one_of(token.text, kOperators) || is_one_of(token.text, kWords) || token.text == "||";
}

// A line that begins with this goes on with the one before.
bool line_goes_on_before(const Token& token) {
  constexpr std::array<std::string_view, 13> kWords = {")",    "]",   "{",  "->",    ",",    "=",    "then",
                                                       "else", "and", "or", "where", "with", "carry"};
  if (token.kind != TokenKind::kSign && token.kind != TokenKind::kKeyword) return false;
  return is_one_of(token.text, kOperators) || is_one_of(token.text, kWords) || token.text == ">" ||
         token.text == "||" || token.text == "from" || token.text == ":";
}

class Lexer {
 public:
  explicit Lexer(Diagnostics& diagnostics) : diagnostics_(diagnostics), text_(diagnostics.source().text) {}

  // Every token, with a newline behind each line that has any.
  TokenList read() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        end_line();
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        read_comment();
      } else if (is_letter(c)) {
        read_word();
      } else if (is_digit(c)) {
        read_number();
      } else if (c == '"') {
        read_string();
      } else {
        read_sign();
      }
    }
    end_line();
    add(TokenKind::kEnd, text_.size(), 0);
    return std::move(list_);
  }

 private:
  char at(size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  void fail(size_t offset, std::string_view code, std::string message, std::string hint = "") {
    diagnostics_.error({static_cast<uint32_t>(offset)}, code, std::move(message), std::move(hint));
  }

  void add(TokenKind kind, size_t begin, size_t length) {
    Token token;
    token.kind = kind;
    token.text = text_.substr(begin, length);
    token.loc = {static_cast<uint32_t>(begin)};
    token.end = static_cast<uint32_t>(begin + length);
    token.begins_line = line_is_empty_;
    if (kind != TokenKind::kNewline) {
      token.doc = doc_;
      doc_ = {};
      line_is_empty_ = false;
    }
    list_.tokens.push_back(token);
  }

  void end_line() {
    if (!line_is_empty_) add(TokenKind::kNewline, std::min(at_, text_.size()), 0);
    line_is_empty_ = true;
    ++at_;
  }

  void read_comment() {
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view comment = text_.substr(at_, end - at_);
    while (!comment.empty() && (comment.back() == '\r' || comment.back() == ' ')) comment.remove_suffix(1);
    list_.comments.push_back({{static_cast<uint32_t>(at_)}, comment, line_is_empty_});
    if (comment.starts_with("///")) {
      const size_t begin = doc_.empty() ? at_ : static_cast<size_t>(doc_.data() - text_.data());
      doc_ = text_.substr(begin, at_ + comment.size() - begin);
    }
    at_ = end;
  }

  void read_word() {
    const size_t begin = at_;
    while (is_letter(at(at_)) || is_digit(at(at_))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (at(at_) == '\'') {
      add(TokenKind::kPrimed, begin, at_ - begin);
      list_.tokens.back().end = static_cast<uint32_t>(++at_);
      return;
    }
    add(is_keyword(word) ? TokenKind::kKeyword : TokenKind::kName, begin, at_ - begin);
  }

  void read_number() {
    const size_t begin = at_;
    bool is_float = false;
    if (at(at_) == '0' && (at(at_ + 1) == 'x' || at(at_ + 1) == 'X')) {
      at_ += 2;
      while (is_digit(at(at_)) || is_letter(at(at_))) ++at_;
    } else {
      while (is_digit(at(at_)) || at(at_) == '_') ++at_;
      if (at(at_) == '.' && is_digit(at(at_ + 1))) {
        is_float = true;
        ++at_;
        while (is_digit(at(at_)) || at(at_) == '_') ++at_;
      } else if (at(at_) == '.' && at(at_ + 1) != '.') {
        const std::string number(text_.substr(begin, at_ - begin));
        fail(begin, "E0601", "a number needs digits on both sides of its point",
             "write " + number + ".0, or " + number + ": numbers take the type of what they meet");
        ++at_;
      }
      const size_t sign = at(at_ + 1) == '-' || at(at_ + 1) == '+' ? 1 : 0;
      if ((at(at_) == 'e' || at(at_) == 'E') && is_digit(at(at_ + 1 + sign))) {
        is_float = true;
        at_ += 1 + sign;
        while (is_digit(at(at_))) ++at_;
      }
      const size_t end = at_;
      while (is_letter(at(at_)) || is_digit(at(at_))) ++at_;
      if (at_ > end) {
        const std::string number(text_.substr(begin, end - begin));
        fail(begin, "E0601", "numbers have no suffix: '" + std::string(text_.substr(begin, at_ - begin)) + "'",
             number + " takes the type of what it meets");
        add(TokenKind::kNumber, begin, end - begin);
        list_.tokens.back().is_float = is_float;
        return;
      }
    }
    add(TokenKind::kNumber, begin, at_ - begin);
    list_.tokens.back().is_float = is_float;
  }

  void read_string() {
    const size_t begin = ++at_;
    while (at_ < text_.size() && at(at_) != '"' && at(at_) != '\n') ++at_;
    if (at(at_) != '"') fail(begin - 1, "E0601", "a string ends on its line, with a \"");
    add(TokenKind::kString, begin, at_ - begin);
    if (at(at_) == '"') ++at_;
    list_.tokens.back().loc = {static_cast<uint32_t>(begin - 1)};
    list_.tokens.back().end = static_cast<uint32_t>(at_);
  }

  void read_sign() {
    for (const std::string_view sign : kSigns) {
      if (text_.substr(at_, sign.size()) != sign) continue;
      if (sign == "." && is_digit(at(at_ + 1)) && !follows_value()) {
        const size_t begin = at_++;
        while (is_digit(at(at_))) ++at_;
        fail(begin, "E0601", "a number needs digits on both sides of its point",
             "write 0" + std::string(text_.substr(begin, at_ - begin)));
        add(TokenKind::kNumber, begin + 1, at_ - begin - 1);
        return;
      }
      add(TokenKind::kSign, at_, sign.size());
      at_ += sign.size();
      return;
    }
    size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    fail(at_, "E0605", "nothing in Grain is written '" + std::string(text_.substr(at_, end - at_)) + "'",
         "names are letters, digits and _; comments begin with //");
    at_ = end;
  }

  bool follows_value() const {
    if (list_.tokens.empty()) return false;
    const Token& last = list_.tokens.back();
    return last.end == at_ && (last.kind == TokenKind::kName || last.kind == TokenKind::kNumber ||
                               last.kind == TokenKind::kPrimed || last.is(")") || last.is("]"));
  }

  Diagnostics& diagnostics_;
  std::string_view text_;
  size_t at_ = 0;
  bool line_is_empty_ = true;
  std::string_view doc_;
  TokenList list_;
};

}  // namespace

bool is_keyword(std::string_view word) { return is_one_of(word, kKeywords); }

bool is_reduction(std::string_view word) {
  constexpr std::array<std::string_view, 10> kReductions = {"sum", "prod", "mean",   "max",    "min",
                                                            "any", "all",  "argmax", "argmin", "reduce"};
  return is_one_of(word, kReductions);
}

TokenList read_lines(Diagnostics& diagnostics) { return Lexer(diagnostics).read(); }

TokenList read_tokens(Diagnostics& diagnostics) {
  TokenList lines = read_lines(diagnostics);
  std::vector<Token> joined;
  joined.reserve(lines.tokens.size());
  // The brackets that are open: a block in brackets, which is an error of its own, still has lines.
  std::vector<char> open;
  for (size_t i = 0; i < lines.tokens.size(); ++i) {
    const Token& token = lines.tokens[i];
    if (token.kind == TokenKind::kNewline) {
      const bool in_brackets = !open.empty() && open.back() != '{';
      const Token& next = lines.tokens[i + 1];
      if (in_brackets || joined.empty() || joined.back().kind == TokenKind::kNewline ||
          line_goes_on_after(joined.back()) || line_goes_on_before(next)) {
        continue;
      }
    }
    if (token.is("(") || token.is("[") || token.is("{")) open.push_back(token.text[0]);
    if ((token.is(")") || token.is("]") || token.is("}")) && !open.empty()) open.pop_back();
    if (token.is("}") && !joined.empty() && joined.back().kind != TokenKind::kNewline && !joined.back().is("{")) {
      Token newline = token;
      newline.kind = TokenKind::kNewline;
      newline.text = {};
      newline.end = token.loc.offset;
      newline.doc = {};
      joined.push_back(newline);
    }
    joined.push_back(token);
  }
  lines.tokens = std::move(joined);
  return lines;
}

}  // namespace sinter::grain
