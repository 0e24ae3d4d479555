#include "review/read/build_conditions.h"

#include <clang/Basic/CharInfo.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <iterator>
#include <optional>

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

// A token may go on in the next line.
std::string without_line_ends(std::string word) {
  for (size_t at = word.find('\\'); at != std::string::npos; at = word.find('\\', at)) {
    const size_t end = word.find_first_not_of(" \t\r", at + 1);
    if (end != std::string::npos && word[end] == '\n') {
      word.erase(at, end + 1 - at);
    } else {
      ++at;
    }
  }
  return word;
}

struct Directives {
  std::vector<Directive> list;
  bool code_before = false, code_behind = false;  // the first, and the last
};

Directives directives_of(const std::string& text) {
  const clang::LangOptions language = raw_language();
  clang::Lexer lexer(clang::SourceLocation(), language, text.c_str(), text.c_str(), text.c_str() + text.size());
  Directives directives;
  bool inside = false;
  for (clang::Token token; !lexer.LexFromRawLexer(token) || token.isNot(clang::tok::eof);) {
    const auto end = static_cast<size_t>(lexer.getBufferLocation() - text.c_str());
    if (token.isAtStartOfLine()) inside = token.is(clang::tok::hash);
    if (!inside) {
      (directives.list.empty() ? directives.code_before : directives.code_behind) = true;
    } else if (token.isAtStartOfLine()) {
      directives.list.push_back({.begin = end - token.getLength(), .end = end});
      directives.code_behind = false;
    } else {
      Directive& directive = directives.list.back();
      const std::string word = without_line_ends(text.substr(end - token.getLength(), token.getLength()));
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
  static const std::set<std::string> kWords = {"defined", "true",  "false", "and",   "or",    "not",
                                               "bitand",  "bitor", "xor",   "compl", "not_eq"};
  return clang::isAsciiIdentifierStart(static_cast<unsigned char>(token[0])) && kWords.count(token) == 0;
}

std::set<std::string> macros_of(const Tokens& tokens, size_t first) {
  std::set<std::string> macros;
  std::copy_if(tokens.begin() + static_cast<ptrdiff_t>(std::min(first, tokens.size())), tokens.end(),
               std::inserter(macros, macros.end()), is_macro);
  return macros;
}

bool defines(const Directive& directive) {
  return (directive.name == "define" || directive.name == "undef") && !directive.tokens.empty();
}

// A condition of a build, and its directive.
struct PlacedCondition {
  BuildCondition condition;
  const Directive* directive = nullptr;
  bool negated = false;
};

// Reads directives from the first to the last, and keeps what is known of macros there.
class ConditionFinder {
 public:
  explicit ConditionFinder(const Directives& directives) : directives_(directives) {
    known_.push_back({.here = {"__cplusplus"}});
  }

  std::vector<PlacedCondition> run() {
    const Directive* guard = this->guard();
    for (const Directive& directive : directives_.list) {
      if (&directive == guard) {
        known_.push_back({});
        guarded_ = known_.size();
      } else {
        read(directive);
      }
    }
    return std::move(found_);
  }

 private:
  // Macros that a region from #if to #endif defines whatever a build says.
  struct Region {
    std::set<std::string> here;                      // in the branch that is being read
    std::optional<std::set<std::string>> in_others;  // in each of those before
    bool has_else = false;
  };

  // The #ifndef around all of a header.
  const Directive* guard() const {
    const std::vector<Directive>& list = directives_.list;
    size_t first = 0;
    while (first < list.size() && list[first].name == "pragma") ++first;
    if (directives_.code_before || directives_.code_behind || first + 2 >= list.size()) return nullptr;
    const Condition condition = condition_of(list[first]);
    const Directive& next = list[first + 1];
    const bool defines = next.name == "define" && next.tokens == condition.tokens;
    if (!condition.negated || condition.tokens.size() != 1 || !defines) return nullptr;
    int depth = 0;
    for (size_t i = first; i < list.size(); ++i) {
      if (list[i].name.starts_with("if")) ++depth;
      if (depth == 1 && list[i].name.starts_with("el")) return nullptr;
      if (list[i].name == "endif" && --depth == 0) return i + 1 == list.size() ? &list[first] : nullptr;
    }
    return nullptr;
  }

  bool is_known(const std::string& macro) const {
    return unknown_.count(macro) == 0 && std::any_of(known_.begin(), known_.end(), [&](const Region& region) {
             return region.here.count(macro) > 0;
           });
  }

  void read(const Directive& directive) {
    const std::string& name = directive.name;
    if (defines(directive)) {
      const std::string& macro = directive.tokens[0];
      ++versions_[macro];
      const std::set<std::string> words = macros_of(directive.tokens, 1);
      const bool all = std::all_of(words.begin(), words.end(), [&](const auto& word) { return is_known(word); });
      if (name == "undef" || !all) unknown_.insert(macro);
      known_.back().here.insert(macro);
    } else if (name.starts_with("if")) {
      add(directive);
      known_.push_back({});
    } else if (name.starts_with("el")) {
      end_branch();
      known_.back().has_else = known_.back().has_else || name == "else";
      if (name != "else") add(directive);
    } else if (name == "endif" && known_.size() > 1) {
      end_branch();
      const Region region = std::move(known_.back());
      const bool is_guard = known_.size() == guarded_;
      known_.pop_back();
      if (region.has_else || is_guard) known_.back().here.insert(region.in_others->begin(), region.in_others->end());
    }
  }

  void end_branch() {
    Region& region = known_.back();
    if (region.in_others) {
      std::erase_if(*region.in_others, [&](const std::string& macro) { return region.here.count(macro) == 0; });
    } else {
      region.in_others = std::move(region.here);
    }
    region.here.clear();
  }

  void add(const Directive& directive) {
    Condition condition = condition_of(directive);
    const bool is_formula = !condition.tokens.empty() && condition.tokens[0] == "if";
    PlacedCondition placed = {.directive = &directive, .negated = condition.negated};
    placed.condition.macros = macros_of(condition.tokens, is_formula ? 1 : 0);
    const std::set<std::string>& macros = placed.condition.macros;
    if (std::all_of(macros.begin(), macros.end(), [&](const auto& macro) { return is_known(macro); })) return;
    placed.condition.key = joined(condition.tokens);
    int version = 0;
    for (const std::string& macro : macros) version += versions_[macro];
    if (version > 0) placed.condition.key += "\n" + std::to_string(version);
    found_.push_back(std::move(placed));
  }

  const Directives& directives_;
  std::vector<Region> known_;      // the last is the innermost
  size_t guarded_ = 0;             // how many regions there are in the guard
  std::set<std::string> unknown_;  // macros that were undefined, or are what a build says
  std::map<std::string, int> versions_;
  std::vector<PlacedCondition> found_;
};

}  // namespace

std::vector<BuildCondition> build_conditions(const std::string& text) {
  std::vector<BuildCondition> conditions;
  const Directives directives = directives_of(text);
  for (PlacedCondition& placed : ConditionFinder(directives).run()) conditions.push_back(std::move(placed.condition));
  return conditions;
}

void add_definitions(const std::string& text, std::map<std::string, MacroDefinitions>* definitions) {
  for (const Directive& directive : directives_of(text).list) {
    if (!defines(directive)) continue;
    MacroDefinitions& macro = (*definitions)[directive.tokens[0]];
    macro.said.push_back(directive.name + " " + joined(directive.tokens));
    macro.words.merge(macros_of(directive.tokens, 1));
  }
}

std::string with_decided(const std::string& text, const std::map<std::string, bool>& conditions) {
  std::string result;
  size_t copied = 0;
  const Directives directives = directives_of(text);
  for (const PlacedCondition& placed : ConditionFinder(directives).run()) {
    const auto found = conditions.find(placed.condition.key);
    if (found == conditions.end()) continue;
    const Directive& directive = *placed.directive;
    const std::string written = text.substr(directive.begin, directive.end - directive.begin);
    result += text.substr(copied, directive.begin - copied);
    result += directive.name.starts_with("elif") ? "#elif " : "#if ";
    result += found->second != placed.negated ? "1" : "0";
    // The end of the line stays; lines that it goes on over are empty.
    const auto lines = std::count(written.begin(), written.end(), '\n');
    for (auto i = lines; i > 0; --i) result += "\\\n";
    copied = directive.end;
  }
  return result + text.substr(copied);
}

}  // namespace sinter
