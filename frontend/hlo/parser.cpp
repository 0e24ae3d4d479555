// The parser's tokens, errors and recovery, and the values that several parts read.

#include "frontend/hlo/parser.h"

#include <charconv>

namespace sinter {

namespace {

// A token as messages show it.
std::string describe(const Token& token) {
  constexpr size_t kMostShown = 40;
  if (token.kind == TokenKind::kEnd) return "the end of the text";
  std::string text(token.text.substr(0, kMostShown));
  if (token.text.size() > kMostShown) text += "...";
  if (token.kind == TokenKind::kString) return text;
  if (token.kind == TokenKind::kName) text = "%" + text;
  if (token.kind == TokenKind::kNameColon) text += ":";
  if (token.kind == TokenKind::kAttributeName) text += "=";
  return "'" + text + "'";
}

}  // namespace

void Parser::advance() { token_ = lexer_.next(); }

// The token after the current one.
Token Parser::peek() {
  const size_t position = lexer_.position();
  const Token token = lexer_.next();
  lexer_.seek(position);
  return token;
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

bool Parser::expect(TokenKind kind, std::string_view what) { return accept(kind) || expected(what); }

bool Parser::expected(std::string_view what, std::string hint) {
  if (at(TokenKind::kInvalid)) {
    const LexicalProblem& problem = lexer_.problem();
    return fail(problem.loc, problem.code, problem.message, problem.hint);
  }
  return fail(token_.loc, "E0104", "expected " + std::string(what) + ", found " + describe(token_), std::move(hint));
}

bool Parser::fail(Loc loc, std::string_view code, std::string message, std::string hint) {
  diagnostics_.error(loc, code, std::move(message), std::move(hint));
  return false;
}

bool Parser::too_deep() {
  if (nesting_ <= kMaxNesting) return false;
  fail(token_.loc, "E0119", "nested more than " + std::to_string(kMaxNesting) + " levels deep");
  return true;
}

// True at a '}' that is likely to end a computation and not a value: it begins its line, or the text ends or a
// computation begins after it.
bool Parser::ends_computation() {
  if (!at(TokenKind::kRightBrace)) return false;
  if (lexer_.first_on_line(token_.loc.offset)) return true;
  Lexer ahead = lexer_;
  const Token next = ahead.next();
  if (next.kind == TokenKind::kEnd) return true;
  if (next.kind != TokenKind::kName && next.kind != TokenKind::kIdentifier) return false;
  const TokenKind after = ahead.next().kind;
  return next.text == "ENTRY" || after == TokenKind::kLeftBrace || after == TokenKind::kLeftParen;
}

// Leaves the current token at the next definition, or at the '}' that ends the computation. A lone '=' stands in
// definitions only.
void Parser::skip_to_instruction() {
  for (Token previous = token_; !at(TokenKind::kEnd); previous = token_, advance()) {
    if (ends_computation()) return;
    if (!at_name()) continue;
    if (peek().kind != TokenKind::kEqual) continue;
    if (previous.kind == TokenKind::kIdentifier && previous.text == "ROOT" && previous.loc != token_.loc) {
      lexer_.seek(previous.loc.offset);
      advance();
    }
    return;
  }
}

// Leaves the current token at the next line that begins a computation or a source table.
void Parser::skip_to_computation() {
  for (; !at(TokenKind::kEnd); advance()) {
    if (!at_name() || !lexer_.first_on_line(token_.loc.offset)) continue;
    if (at_word("ENTRY") || at_word("FileNames")) return;
    const TokenKind next = peek().kind;
    if (next == TokenKind::kLeftBrace || next == TokenKind::kLeftParen) return;
  }
}

bool Parser::parse_raw(std::string& value) {
  const std::string_view text = lexer_.raw_value(token_.loc.offset);
  if (text.empty()) {
    const LexicalProblem& problem = lexer_.problem();
    if (problem.code.empty()) return expected("a value");
    fail(problem.loc, problem.code, problem.message, problem.hint);
    advance();
    return false;
  }
  value = text;
  advance();
  return true;
}

bool Parser::parse_integer(int64_t& value, std::string_view what) {
  if (!at(TokenKind::kInteger)) return expected(what);
  const char* end = token_.text.data() + token_.text.size();
  const auto [stop, error] = std::from_chars(token_.text.data(), end, value);
  if (error != std::errc() || stop != end) {
    return fail(token_.loc, "E0103", describe(token_) + " does not fit 64 bits");
  }
  advance();
  return true;
}

bool Parser::parse_integer_list(std::vector<int64_t>& values, std::string_view what) {
  values.clear();
  if (!expect(TokenKind::kLeftBrace, what)) return false;
  while (!at(TokenKind::kRightBrace)) {
    if (!values.empty() && !expect(TokenKind::kComma, "',' or '}'")) return false;
    if (!parse_integer(values.emplace_back(), "an integer")) return false;
  }
  advance();
  return true;
}

bool Parser::parse_bool(bool& value) {
  if (!at_word("true") && !at_word("false") &&
      !(at(TokenKind::kInteger) && (token_.text == "0" || token_.text == "1"))) {
    return expected("true or false");
  }
  value = token_.text == "true" || token_.text == "1";
  advance();
  return true;
}

bool Parser::parse_string(std::string& value) {
  if (!at(TokenKind::kString)) return expected("a string in quotes");
  value = unescape(token_.text);
  advance();
  return true;
}

}  // namespace sinter
