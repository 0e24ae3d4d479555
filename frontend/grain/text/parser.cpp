// Tokens, errors and recovery: what cannot be read is left out up to the end of its statement.
#include "frontend/grain/text/parser.h"

#include <algorithm>

namespace sinter::grain {
namespace {

// Words of the language that do not stand inside expressions.
bool is_easily_a_name(std::string_view word) {
  constexpr std::string_view kWords[] = {"import", "from", "dim",   "const", "require", "record", "weights",
                                         "extern", "fn",   "entry", "into",  "reverse", "unroll", "carry"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") {
      while (i < text.size() && text[i] != '\n') ++i;
    }
    const char c = i < text.size() ? text[i] : ' ';
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

Parser::Parser(Diagnostics& diagnostics, std::shared_ptr<const Source> source, int number)
    : diagnostics_(diagnostics),
      source_(std::move(source)),
      tokens_(read_tokens(diagnostics).tokens),
      number_(number) {}

bool Parser::accept(std::string_view sign) {
  if (!at(sign)) return false;
  take();
  return true;
}

void Parser::fail(Loc loc, std::string_view code, std::string message, std::string hint) {
  diagnostics_.error(loc, code, std::move(message), std::move(hint));
  throw Abandoned();
}

void Parser::unexpected(std::string_view wanted) {
  const Token& found = token();
  if (found.is("&&") || found.is("||") || found.is("!")) {
    const std::string word = found.is("&&") ? "and" : found.is("||") ? "or" : "not";
    fail(found.loc, "E0600", "'" + std::string(found.text) + "' is written '" + word + "' in Grain");
  }
  if (found.is(";")) {
    fail(found.loc, "E0600", "a statement ends with its line, not with ';'", "leave out the ';'");
  }
  if (found.kind == TokenKind::kKeyword && refused_words_.contains(std::string(found.text))) throw Abandoned();
  // A definition, or an array, that is called like one.
  if (found.kind == TokenKind::kKeyword && is_easily_a_name(found.text) && (peek().is("=") || peek().is("["))) {
    refused_words_.insert(std::string(found.text));
    fail(found.loc, "E0606", "'" + std::string(found.text) + "' is a word of the language and cannot be a name",
         "give it another name");
  }
  std::string what = "'" + std::string(found.text) + "' stands here";
  if (found.kind == TokenKind::kNewline) what = "the line ends here";
  if (found.kind == TokenKind::kEnd) what = "the file ends here";
  if (found.kind == TokenKind::kString) what = "a text stands here";
  if (found.kind == TokenKind::kPrimed) what = "'" + std::string(found.text) + "'' stands here";
  fail(found.loc, "E0600", what + ", where " + std::string(wanted) + " belongs");
}

Token Parser::expect(std::string_view sign, std::string_view what) {
  if (!at(sign)) unexpected(what);
  return take();
}

Token Parser::expect_name(std::string_view what) {
  if (at(TokenKind::kKeyword)) {
    const std::string word(token().text);
    refused_words_.insert(word);
    const std::string hint = is_reduction(word) && peek().is("=") ? "call it 'top', say: top " + rest_of_line(at_ + 1)
                                                                  : "give it another name";
    fail(token().loc, "E0606", "'" + word + "' is a word of the language and cannot be a name", hint);
  }
  if (!at(TokenKind::kName)) unexpected(what);
  return take();
}

Token Parser::expect_string(std::string_view what) {
  if (!at(TokenKind::kString)) unexpected(what);
  return take();
}

std::string Parser::quote(uint32_t begin, uint32_t end) const {
  return one_line(std::string_view(source_->text).substr(begin, end - begin));
}

std::string Parser::rest_of_line(size_t from) const {
  size_t last = from;
  while (tokens_[last].kind != TokenKind::kNewline && tokens_[last].kind != TokenKind::kEnd) ++last;
  return last == from ? "" : quote(tokens_[from].loc.offset, tokens_[last - 1].end);
}

// From the token where a statement or item began to behind its end, a block included.
void Parser::skip_from(size_t begin) {
  const size_t reached = at_;
  at_ = begin;
  int depth = 0;
  while (!at(TokenKind::kEnd)) {
    if (at("{")) ++depth;
    if (at("}") && depth-- == 0) return;
    const bool ends = depth == 0 && at(TokenKind::kNewline);
    if (ends && at_ >= begin) break;
    take();
  }
  // Where braces do not match, the next statement still stands behind what was read.
  if (at(TokenKind::kEnd) && reached > begin) {
    at_ = reached;
    while (!at(TokenKind::kEnd) && !at(TokenKind::kNewline) && !at("}")) take();
  }
}

}  // namespace sinter::grain
