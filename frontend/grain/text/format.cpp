#include "frontend/grain/text/format.h"

#include <algorithm>

#include "frontend/grain/text/lexer.h"
#include "frontend/grain/text/parser.h"

namespace sinter {
namespace grain {
namespace {

bool is_value_end(const Token& token) {
  return token.kind == TokenKind::kName || token.kind == TokenKind::kPrimed || token.kind == TokenKind::kNumber ||
         token.kind == TokenKind::kString || token.is(")") || token.is("]") || token.is("true") || token.is("false") ||
         token.is("inf") || token.is("nan");
}

bool is_prefix(const Token& token, const Token* before) {
  if (!token.is("-") && !token.is("~")) return false;
  // `; pad -inf`
  if (before != nullptr && before->kind == TokenKind::kName && before->text == "pad") return true;
  return before == nullptr || !is_value_end(*before);
}

// What stands between two tokens of a line: 0 or 1 blanks; `gap` is what was there.
size_t blanks(const Token* before_left, const Token& left, const Token& right, size_t gap) {
  if (left.is("(") || left.is("[") || left.is(".") || left.is("..")) return 0;
  if (left.kind == TokenKind::kNumber && right.is(".")) return 1;  // 2.k is no number
  if (right.is(")") || right.is("]") || right.is(",") || right.is(";") || right.is(".") || right.is("..")) return 0;
  if (right.is(":")) return left.is(",") ? 1 : 0;
  if (left.is(":")) return 1;
  if (is_prefix(left, before_left)) return 0;
  // Types and comparisons share these signs.
  if (left.is("<") || left.is(">") || right.is("<") || right.is(">")) return std::min<size_t>(gap, 1);
  const bool is_word = left.kind == TokenKind::kName || (left.kind == TokenKind::kKeyword && is_reduction(left.text));
  if (right.is("(") || right.is("[")) {
    if (is_word || left.kind == TokenKind::kPrimed || left.is(")") || left.is("]")) return 0;
    return 1;
  }
  // max= and the like are one operator.
  if (right.is("=") && (left.is("max") || left.is("min") || left.is("and") || left.is("or")) && gap == 0) return 0;
  return 1;
}

class Formatter {
 public:
  Formatter(const std::string& text, const TokenList& list) : text_(text), list_(list) {}

  std::string format() {
    size_t token = 0, comment = 0;
    for (size_t begin = 0; begin < text_.size();) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      std::vector<const Token*> tokens;
      while (token < list_.tokens.size() && list_.tokens[token].loc.offset < end) {
        const Token& next = list_.tokens[token++];
        if (next.kind != TokenKind::kNewline && next.kind != TokenKind::kEnd) tokens.push_back(&next);
      }
      const Comment* behind = nullptr;
      while (comment < list_.comments.size() && list_.comments[comment].loc.offset < end)
        behind = &list_.comments[comment++];
      // Ends of lines stand at the end.
      while (token < list_.tokens.size() && list_.tokens[token].kind == TokenKind::kNewline &&
             list_.tokens[token].loc.offset <= end)
        ++token;
      add_line(tokens, behind);
      begin = end + 1;
    }
    while (out_.ends_with("\n\n")) out_.pop_back();
    return out_;
  }

 private:
  void add_line(const std::vector<const Token*>& tokens, const Comment* comment) {
    if (tokens.empty() && comment == nullptr) {
      if (!out_.empty() && !out_.ends_with("\n\n")) out_ += "\n";
      return;
    }
    // Closing brackets at the line's begin belong to the line that opened them.
    size_t closing = 0;
    while (closing < tokens.size() &&
           (tokens[closing]->is("}") || tokens[closing]->is(")") || tokens[closing]->is("]")))
      ++closing;
    const size_t depth = open_.size() - std::min(closing, open_.size());
    size_t indent = 2 * depth;
    if (depth > 0 && !tokens.empty() && closing == 0 && open_.back().sign != '{' && open_.back().column > 0)
      indent = open_.back().column;
    const bool is_continued = !tokens.empty() && closing == 0 && !ends_ && (open_.empty() || open_.back().sign == '{');
    if (is_continued) indent += tokens[0]->is("->") ? 4 : 2;
    std::string line(indent, ' ');
    // '-' that a line goes on with has what the line before ends with on its left.
    const Token* before = is_continued || !open_.empty() ? last_of_lines_ : nullptr;
    const Token* last = nullptr;
    for (const Token* token : tokens) {
      if (last != nullptr) {
        const size_t gap = token->loc.offset - last->end;
        size_t space = blanks(before, *last, *token, gap);
        const bool aligned = gap > 1 && (token->is("=") || token->is("with") || last->is(":"));
        if (aligned && !token->is("]")) space = gap;
        line.append(space, ' ');
      }
      for (const char c : std::string_view(text_).substr(token->loc.offset, token->end - token->loc.offset)) line += c;
      if (token->is("(") || token->is("[") || token->is("{")) open_.push_back({token->text[0], 0, line.size()});
      if ((token->is(")") || token->is("]") || token->is("}")) && !open_.empty()) open_.pop_back();
      if (last != nullptr) before = last;
      last = token;
    }
    // What is inside a bracket stands under its first character, if anything follows it there.
    for (Open& open : open_) {
      if (open.line == 0) {
        open.line = 1;
        open.column = open.sign != '{' && open.width < line.size() ? open.width : 0;
      }
    }
    if (comment != nullptr) {
      if (last != nullptr) line.append(std::max<size_t>(comment->loc.offset - last->end, 1), ' ');
      line += comment->text;
    }
    out_ += line + "\n";
    if (last != nullptr) {
      ends_ = ends_after(tokens, *last);
      last_of_lines_ = last;
    }
  }

  // Whether a statement may end with this line; the next one's first token may say otherwise.
  bool ends_after(const std::vector<const Token*>& tokens, const Token& last) const {
    (void)tokens;
    if (last.is("{") || last.is("}")) return true;
    const std::string& text = text_;
    size_t next = last.end;
    // The first token of the next line that has one.
    const auto found = std::find_if(list_.tokens.begin(), list_.tokens.end(), [&](const Token& token) {
      return token.loc.offset >= next && token.kind != TokenKind::kNewline;
    });
    if (found == list_.tokens.end() || found->kind == TokenKind::kEnd) return true;
    (void)text;
    return joined_.find(found->loc.offset) == std::string::npos;
  }

 public:
  // Offsets of tokens that begin a line in the middle of a statement.
  struct Joined {
    std::vector<uint32_t> offsets;
    size_t find(uint32_t offset) const {
      return std::binary_search(offsets.begin(), offsets.end(), offset) ? offset : std::string::npos;
    }
  } joined_;

 private:
  struct Open {
    char sign = '(';
    size_t line = 0;
    size_t width = 0;
    size_t column = 0;
  };
  const std::string& text_;
  const TokenList& list_;
  std::string out_;
  std::vector<Open> open_;
  bool ends_ = true;
  const Token* last_of_lines_ = nullptr;  // of those that are written
};

}  // namespace
}  // namespace grain

std::optional<std::string> format_grain(Diagnostics& diagnostics) {
  const Source& source = diagnostics.source();
  const std::shared_ptr<const Source> shared(&source, [](const Source*) {});
  grain::Parser(diagnostics, shared, 0).parse_file();
  if (!diagnostics.ok()) return std::nullopt;
  const grain::TokenList lines = grain::read_lines(diagnostics);
  const grain::TokenList joined = grain::read_tokens(diagnostics);
  grain::Formatter formatter(source.text, lines);
  bool ended = true;
  for (const grain::Token& token : joined.tokens) {
    if (token.kind == grain::TokenKind::kNewline) {
      ended = true;
      continue;
    }
    if (token.begins_line && !ended) formatter.joined_.offsets.push_back(token.loc.offset);
    ended = token.is("{") || token.is("}");
  }
  return formatter.format();
}

}  // namespace sinter
