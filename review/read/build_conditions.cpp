#include "review/read/build_conditions.h"

#include <clang/Basic/CharInfo.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <vector>

#include "review/read/token_text.h"

namespace sinter {

namespace {

using Tokens = std::vector<std::string>;

// "#ifndef NDEBUG  // why", from the sign to the end of the last token.
struct Directive {
  size_t begin = 0, end = 0;
  std::string name;
  Tokens tokens;  // behind the name
};

std::vector<Directive> directives_of(const std::string& text) {
  const clang::LangOptions language = raw_language();
  clang::Lexer lexer(clang::SourceLocation(), language, text.c_str(), text.c_str(), text.c_str() + text.size());
  std::vector<Directive> directives;
  bool inside = false;
  for (clang::Token token; !lexer.LexFromRawLexer(token) || token.isNot(clang::tok::eof);) {
    const auto end = static_cast<size_t>(lexer.getBufferLocation() - text.c_str());
    if (token.isAtStartOfLine()) {
      inside = token.is(clang::tok::hash);
      if (inside) directives.push_back({.begin = end - token.getLength(), .end = end});
    } else if (inside) {
      Directive& directive = directives.back();
      const std::string word = text.substr(end - token.getLength(), token.getLength());
      directive.end = end;
      if (directive.name.empty()) {
        directive.name = word;
      } else {
        directive.tokens.push_back(word);
      }
    }
  }
  return directives;
}

struct Condition {
  Tokens tokens;
  bool negated = false;
};

// Of #if, #ifdef, #elif and their like; no tokens of other directives.
Condition condition_of(const Directive& directive) {
  const std::string& name = directive.name;
  Condition condition = {.tokens = directive.tokens};
  if (name == "ifdef" || name == "elifdef") return condition;
  condition.negated = true;
  if (name == "ifndef" || name == "elifndef") return condition;
  condition.negated = false;
  Tokens& tokens = condition.tokens;
  if (name != "if" && name != "elif") {
    tokens.clear();
    return condition;
  }
  // One macro, defined or not, is the same however it is asked for.
  const size_t at = !tokens.empty() && tokens[0] == "!" ? 1 : 0;
  const size_t left = tokens.size() - at;
  if (left == 2 && tokens[at] == "defined") {
    condition = {.tokens = {tokens[at + 1]}, .negated = at == 1};
  } else if (left == 4 && tokens[at] == "defined" && tokens[at + 1] == "(") {
    condition = {.tokens = {tokens[at + 2]}, .negated = at == 1};
  } else {
    tokens.insert(tokens.begin(), "if");  // not the macro of an #ifdef
  }
  return condition;
}

std::string joined(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += (text.empty() ? "" : " ") + token;
  return text;
}

bool is_macro(const std::string& token) {
  const bool is_word = clang::isAsciiIdentifierStart(static_cast<unsigned char>(token[0]));
  return is_word && token != "defined" && token != "if" && token != "true" && token != "false";
}

}  // namespace

std::set<std::string> defined_macros(const std::string& text) {
  std::set<std::string> macros;
  for (const Directive& directive : directives_of(text)) {
    if (directive.name == "define" && !directive.tokens.empty()) macros.insert(directive.tokens[0]);
  }
  return macros;
}

BuildConditions build_conditions(const std::string& text, const std::set<std::string>& own) {
  BuildConditions conditions;
  for (const Directive& directive : directives_of(text)) {
    const Tokens tokens = condition_of(directive).tokens;
    const auto is_own = [&](const std::string& token) { return own.count(token) > 0; };
    const auto macros = std::count_if(tokens.begin(), tokens.end(), is_macro);
    const auto of_code = std::count_if(tokens.begin(), tokens.end(), is_own);
    if (macros == of_code) continue;
    if (of_code > 0 && conditions.mixed.empty()) conditions.mixed = joined(tokens);
    conditions.open.insert(joined(tokens));
  }
  return conditions;
}

std::string with_decided(const std::string& text, const std::map<std::string, bool>& conditions) {
  std::string result;
  size_t copied = 0;
  for (const Directive& directive : directives_of(text)) {
    const Condition condition = condition_of(directive);
    const auto found = conditions.find(joined(condition.tokens));
    if (condition.tokens.empty() || found == conditions.end()) continue;
    const std::string written = text.substr(directive.begin, directive.end - directive.begin);
    result += text.substr(copied, directive.begin - copied);
    result += directive.name.starts_with("elif") ? "#elif " : "#if ";
    result += found->second != condition.negated ? "1" : "0";
    // The end of the line stays; lines that it goes on over are empty.
    const auto lines = std::count(written.begin(), written.end(), '\n');
    for (auto i = lines; i > 0; --i) result += "\\\n";
    copied = directive.end;
  }
  return result + text.substr(copied);
}

}  // namespace sinter
