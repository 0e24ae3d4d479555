#include "frontend/python/scan.h"

#include <algorithm>
#include <set>
#include <span>

#include "frontend/python/arithmetic.h"

namespace sinter {

namespace {

using Tokens = std::span<const PythonToken>;

bool opens(const PythonToken& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const PythonToken& token) { return token.is(")") || token.is("]") || token.is("}"); }

PythonRange range_of(Tokens tokens) {
  const PythonRange &first = tokens.front().range, &last = tokens.back().range;
  return {first.line, first.column, last.end_line, last.end_column};
}

// Where tokens outside of brackets are `such`; what stands between `lambda` and its colon is no part of the expression
// around it.
template <class Such>
std::vector<size_t> find_outside(Tokens tokens, const Such& such) {
  std::vector<size_t> found;
  int64_t depth = 0, lambdas = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const PythonToken& token = tokens[i];
    depth -= closes(token) ? 1 : 0;
    if (depth == 0 && token.is_word("lambda")) ++lambdas;
    if (depth == 0 && lambdas > 0 && token.is(":")) {
      --lambdas;
    } else if (depth == 0 && lambdas == 0 && such(token)) {
      found.push_back(i);
    }
    depth += opens(token) ? 1 : 0;
  }
  return found;
}

std::vector<size_t> find_operator(Tokens tokens, std::string_view op) {
  return find_outside(tokens, [&](const PythonToken& token) { return token.is(op); });
}

std::vector<Tokens> split(Tokens tokens, std::string_view op) {
  std::vector<Tokens> parts;
  size_t begin = 0;
  for (const size_t at : find_operator(tokens, op)) {
    parts.push_back(tokens.subspan(begin, at - begin));
    begin = at + 1;
  }
  parts.push_back(tokens.subspan(begin));
  return parts;
}

bool has_for(Tokens tokens) {
  return !find_outside(tokens, [](const PythonToken& token) { return token.is_word("for"); }).empty();
}

// One pair of brackets around all of it.
bool is_bracketed(Tokens tokens, std::string_view open) {
  if (tokens.size() < 2 || !tokens.front().is(open)) return false;
  int64_t depth = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    depth += opens(tokens[i]) ? 1 : closes(tokens[i]) ? -1 : 0;
    if (depth == 0) return i + 1 == tokens.size();
  }
  return false;
}

Tokens inside(Tokens tokens) { return tokens.subspan(1, tokens.size() - 2); }

// (x) is x, as a range too; (x,) is a tuple.
Tokens without_brackets(Tokens tokens) {
  while (is_bracketed(tokens, "(")) {
    const Tokens content = inside(tokens);
    if (content.empty() || has_for(content) || !find_operator(content, ",").empty()) break;
    tokens = content;
  }
  return tokens;
}

// Of a tuple or list that is written down; none of other expressions.
std::vector<Tokens> elements_of(Tokens tokens) {
  tokens = without_brackets(tokens);
  if (tokens.empty()) return {};
  std::vector<Tokens> elements;
  const bool bracketed = is_bracketed(tokens, "(") || is_bracketed(tokens, "[");
  const Tokens content = bracketed ? inside(tokens) : tokens;
  if (has_for(content) && bracketed) return {};
  if (!is_bracketed(tokens, "[") && find_operator(content, ",").empty()) return {};
  for (const Tokens element : split(content, ",")) {
    if (!element.empty()) elements.push_back(element);
  }
  return elements;
}

bool is_starred(Tokens tokens) { return !tokens.empty() && tokens.front().is("*"); }

PythonTarget target_of(Tokens tokens) {
  tokens = without_brackets(tokens);
  PythonTarget target;
  if (tokens.size() == 1 && tokens[0].kind == PythonToken::Kind::kName) {
    target.name = tokens[0].text;
    return target;
  }
  bool after_star = false;  // there, nobody knows which element a variable is
  for (const Tokens element : elements_of(tokens)) {
    after_star = after_star || is_starred(element);
    target.elements.push_back(after_star ? PythonTarget() : target_of(element));
  }
  return target;
}

// jax.jit(f).lower(x): what the program computes is no value of it.
bool is_tracing(Tokens tokens) {
  static const std::set<std::string_view> tracing = {"lower", "trace", "eval_shape", "make_jaxpr"};
  if (!tokens.back().is(")")) return false;
  size_t open = tokens.size();
  for (int64_t depth = 0; open > 0;) {
    --open;
    depth += closes(tokens[open]) ? 1 : opens(tokens[open]) ? -1 : 0;
    if (depth == 0) break;
  }
  return open > 1 && tokens[open - 2].is(".") && tracing.count(tokens[open - 1].text) > 0;
}

class Scanner {
 public:
  PythonSource scan(std::string_view text) {
    source_.lines.push_back(0);
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      source_.lines.push_back(at + 1);
    for (const PythonLine& line : python_lines(text)) {
      for (const PythonToken& token : line.tokens) {
        source_.begins.emplace(token.range.line, token.range.column);
        source_.ends.emplace(token.range.end_line, token.range.end_column);
      }
      while (!scopes_.empty() && line.indentation <= scopes_.back().indentation) scopes_.pop_back();
      scan_line(line);
    }
    for (const std::string& name : reassigned_) source_.constants.erase(name);
    resolve_steps();
    return std::move(source_);
  }

 private:
  struct Scope {
    int64_t indentation = 0;
    std::string name;
    int64_t function = -1;  // of source_.functions; a class has none
  };

  // A loop that is called in `scope` with a function of this plain name.
  struct LoopCall {
    std::string scope, step;
    PythonLoop kind;
  };

  // The function of that name is the one that stands nearest around the call. What two kinds of loops call is
  // neither's.
  void resolve_steps() {
    std::set<std::string> functions, of_two_kinds;
    for (const PythonFunction& function : source_.functions) functions.insert(function.name);
    for (const LoopCall& call : calls_) {
      std::string scope = call.scope;
      std::string name = scope.empty() ? call.step : scope + ".<locals>." + call.step;
      while (functions.count(name) == 0 && !scope.empty()) {
        const size_t outer = scope.rfind(".<locals>.");
        scope.resize(outer == std::string::npos ? 0 : outer);
        name = scope.empty() ? call.step : scope + ".<locals>." + call.step;
      }
      const auto [known, is_new] = source_.steps.emplace(name, call.kind);
      if (!is_new && known->second != call.kind) of_two_kinds.insert(name);
    }
    for (const std::string& name : of_two_kinds) source_.steps.erase(name);
  }

  static bool opens_block(std::string_view word) {
    static const std::set<std::string_view> words = {"if",     "elif", "else",    "for",   "while", "try",
                                                     "except", "with", "finally", "match", "case"};
    return words.count(word) > 0;
  }

  void scan_line(const PythonLine& line) {
    Tokens tokens = line.tokens;
    if (tokens[0].is("@")) return scan_expressions(tokens);
    const bool is_async = tokens.size() > 1 && tokens[0].is_word("async");
    const Tokens header = is_async ? tokens.subspan(1) : tokens;
    const bool is_function = header[0].is_word("def"), is_class = header[0].is_word("class");
    scan_expressions(tokens);
    if (header.size() > 1 && (is_function || is_class || opens_block(header[0].text))) {
      const std::vector<size_t> colons = find_operator(header, ":");
      // `match = 3` and `case` are names, too.
      const bool is_block = !colons.empty() && !header[1].is("=") && !header[1].is(":");
      if (is_block || header[1].is(":")) {
        if (is_function || is_class) open_scope(line.indentation, header, is_function);
        tokens = header.subspan(colons[0] + 1);
      }
    }
    for (const Tokens statement : split(tokens, ";")) {
      if (!statement.empty()) scan_statement(statement);
    }
  }

  void open_scope(int64_t indentation, Tokens header, bool is_function) {
    Scope scope{.indentation = indentation, .name = std::string(header[1].text), .function = -1};
    if (!scopes_.empty())
      scope.name = scopes_.back().name + (scopes_.back().function >= 0 ? ".<locals>." : ".") + scope.name;
    if (is_function) {
      scope.function = static_cast<int64_t>(source_.functions.size());
      PythonFunction& function = source_.functions.emplace_back();
      function.name = scope.name;
      size_t begin = 2;
      while (begin < header.size() && !header[begin].is("(")) ++begin;  // behind [T], too
      size_t end = begin;
      for (int64_t depth = 0; end < header.size(); ++end) {
        depth += opens(header[end]) ? 1 : closes(header[end]) ? -1 : 0;
        if (depth == 0) break;
      }
      if (end < header.size() && end > begin) {
        for (const Tokens parameter : split(header.subspan(begin + 1, end - begin - 1), ",")) {
          if (!parameter.empty() && parameter[0].kind == PythonToken::Kind::kName)
            function.parameters.emplace_back(parameter[0].text);
        }
      }
    }
    scopes_.push_back(std::move(scope));
  }

  PythonFunction* function() {
    return scopes_.empty() || scopes_.back().function < 0 ? nullptr : &source_.functions[scopes_.back().function];
  }

  void scan_statement(Tokens tokens) {
    if (tokens[0].is_word("return") || tokens[0].is_word("yield")) {
      if (tokens.size() < 2) return;
      give(tokens.subspan(1), {});
      if (tokens[0].is_word("return") && function() != nullptr) function()->returned = target_of(tokens.subspan(1));
      return;
    }
    static const std::set<std::string_view> augmented = {
        "+=", "-=", "*=", "/=", "//=", "%=", "**=", ">>=", "<<=", "&=", "|=", "^=", "@="};
    const std::vector<size_t> changes = find_outside(tokens, [&](const PythonToken& token) {
      return token.kind == PythonToken::Kind::kOperator && augmented.count(token.text) > 0;
    });
    if (!changes.empty()) {
      const PythonTarget target = target_of(tokens.first(changes[0]));
      if (!target.name.empty()) assign(target, range_of(tokens));
      return;
    }
    const std::vector<size_t> colons = find_operator(tokens, ":");
    const bool annotated = !colons.empty() && colons[0] == 1;
    std::vector<Tokens> parts = split(tokens, "=");
    if (parts.size() < 2 || parts.back().empty()) return;
    if (annotated) parts[0] = tokens.first(1);  // x: int = 3
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      if (!parts[i].empty()) bind(parts[i], parts.back());
    }
  }

  // Every variable that is a number, and stays one.
  void assign(const PythonTarget& target, const PythonRange& range) {
    if (scopes_.empty() && !target.name.empty() && !assigned_.insert(target.name).second)
      reassigned_.insert(target.name);
    source_.assigned.insert_or_assign(range, target);
  }

  void bind(Tokens target, Tokens value) {
    value = without_brackets(value);
    const std::vector<Tokens> values = elements_of(value);
    const std::vector<Tokens> targets = elements_of(target);
    const bool in_pairs = !targets.empty() && targets.size() == values.size() &&
                          std::none_of(targets.begin(), targets.end(), is_starred) &&
                          std::none_of(values.begin(), values.end(), is_starred);
    if (in_pairs) {
      for (size_t i = 0; i < targets.size(); ++i) bind(targets[i], values[i]);
      return;
    }
    const PythonTarget named = target_of(target);
    if ((named.name.empty() && named.elements.empty()) || is_tracing(value)) return;
    assign(named, range_of(value));
    if (!named.name.empty()) {
      for (size_t i = 0; i < values.size() && !is_starred(values[i]); ++i) {
        PythonTarget element;
        element.name = named.name + "_" + std::to_string(i);
        source_.assigned.insert_or_assign(range_of(without_brackets(values[i])), std::move(element));
      }
      const std::optional<double> number =
          scopes_.empty() ? evaluate_python(value, source_.constants) : std::optional<double>();
      if (number) source_.constants.insert_or_assign(named.name, *number);
    }
    const bool is_parameter = function() != nullptr && value.size() == 1 &&
                              std::find(function()->parameters.begin(), function()->parameters.end(), value[0].text) !=
                                  function()->parameters.end();
    if (is_parameter && !named.elements.empty()) function()->unpacked.emplace(std::string(value[0].text), named);
  }

  // An expression that is a part of a result, and the parts that it has.
  void give(Tokens tokens, const PythonPath& path, const std::optional<PythonRange>& comprehension = std::nullopt) {
    tokens = without_brackets(tokens);
    if (tokens.empty() || path.size() > 8) return;
    source_.given.insert_or_assign(range_of(tokens), PythonGiven{path, comprehension});
    const std::vector<Tokens> elements = elements_of(tokens);
    for (size_t i = 0; i < elements.size() && !is_starred(elements[i]); ++i) {
      PythonPath part = path;
      part.push_back(static_cast<int64_t>(i));
      give(elements[i], part, comprehension);
    }
  }

  // What stands inside of expressions: (y := f(x)), f(s) for s in states, lambda c: c + 1.
  void scan_expressions(Tokens tokens) {
    for (size_t i = 0; i < tokens.size(); ++i) {
      const Tokens rest = tokens.subspan(i + 1);
      const bool names = i > 0 && tokens[i - 1].kind == PythonToken::Kind::kName;
      if (tokens[i].is(":=") && names) {
        const Tokens value = without_brackets(up_to_end(rest));
        PythonTarget target;
        target.name = tokens[i - 1].text;
        if (!value.empty()) assign(target, range_of(value));
      } else if (tokens[i].is_word("lambda")) {
        const std::vector<size_t> colons = find_outside(rest, [](const PythonToken& token) { return token.is(":"); });
        if (!colons.empty() && colons[0] + 1 < rest.size()) give(up_to_end(rest.subspan(colons[0] + 1)), {});
      } else if (opens(tokens[i])) {
        const Tokens element = up_to_end(rest);
        if (!element.empty() && element.size() < rest.size() && rest[element.size()].is_word("for"))
          give(element, {kSomeElement}, range_of(tokens.subspan(i, bracketed_size(tokens.subspan(i)))));
      }
      if (tokens[i].is("(") && names) scan_call(tokens[i - 1].text, tokens.subspan(i));
    }
  }

  static size_t bracketed_size(Tokens tokens) {
    int64_t depth = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      depth += opens(tokens[i]) ? 1 : closes(tokens[i]) ? -1 : 0;
      if (depth == 0) return i + 1;
    }
    return tokens.size();
  }

  // jax.lax.scan(step, ...), fori_loop(0, n, step, ...), while_loop(goes_on, step, ...)
  void scan_call(std::string_view function, Tokens tokens) {
    static const std::map<std::string_view, std::pair<PythonLoop, size_t>> loops = {
        {"scan", {PythonLoop::kScan, 0}},
        {"fori_loop", {PythonLoop::kFori, 2}},
        {"while_loop", {PythonLoop::kWhile, 1}}};
    const auto loop = loops.find(function);
    if (loop == loops.end()) return;
    const size_t size = bracketed_size(tokens);
    if (size < 3) return;
    const std::vector<Tokens> arguments = split(tokens.subspan(1, size - 2), ",");
    const auto [kind, place] = loop->second;
    if (arguments.size() <= place || arguments[place].size() != 1) return;
    calls_.push_back({scopes_.empty() ? "" : scopes_.back().name, std::string(arguments[place][0].text), kind});
  }

  // The expression that begins here, inside of brackets or up to a comma, a colon, or the `for` of a comprehension.
  static Tokens up_to_end(Tokens tokens) {
    int64_t depth = 0, lambdas = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (depth == 0 && lambdas > 0 && tokens[i].is(":")) {
        --lambdas;
        continue;
      }
      lambdas += depth == 0 && tokens[i].is_word("lambda") ? 1 : 0;
      const bool ends = closes(tokens[i]) || (lambdas == 0 && (tokens[i].is(",") || tokens[i].is(":"))) ||
                        tokens[i].is_word("for") || tokens[i].is("=");
      if (depth == 0 && ends) return tokens.first(i);
      depth += opens(tokens[i]) ? 1 : closes(tokens[i]) ? -1 : 0;
    }
    return tokens;
  }

  PythonSource source_;
  std::vector<Scope> scopes_;
  std::set<std::string> assigned_, reassigned_;
  std::vector<LoopCall> calls_;
};

}  // namespace

PythonSource scan_python(std::string_view text) { return Scanner().scan(text); }

}  // namespace sinter
