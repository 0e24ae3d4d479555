#include "review/read/plain_text.h"

#include <algorithm>

#include "emitter/text/user_header.h"
#include "review/read/token_text.h"

namespace sinter {

namespace {

// Behind "[[", "[=[", ... at `at`, the end of what they open; npos where nothing is opened.
size_t end_of_bracket(const std::string& text, size_t at) {
  size_t open = at + 1;
  while (open < text.size() && text[open] == '=') ++open;
  if (text[at] != '[' || open >= text.size() || text[open] != '[') return std::string::npos;
  std::string close = text.substr(at, open - at + 1);
  for (char& c : close) c = c == '[' ? ']' : c;
  const size_t end = text.find(close, open + 1);
  return end == std::string::npos ? text.size() : end + close.size();
}

size_t end_of_string(const std::string& text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// What stands for space behind that much of a CMake file: parentheses are words of their own, and a command's name and
// its "(" are in one line.
std::string space_between(const std::string& before, char after, bool new_line) {
  const bool opened = before.ends_with('(') && !before.ends_with("\\(");
  if (opened || after == ')') return "";
  if (after != '(') return " ";
  return new_line ? "\n" : "";
}

// Words, brackets and strings, without comments and layout.
std::string cmake_text(const std::string& text) {
  std::string result;
  bool blank = false, new_line = false;
  const bool has_make_variables = text.find("$(") != std::string::npos;  // of which parentheses are a part
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    bool is_said = true;
    if (text[i] == '#') {
      end = i + 1 < text.size() ? end_of_bracket(text, i + 1) : std::string::npos;
      if (end == std::string::npos) end = std::min(text.find('\n', i), text.size());
      is_said = false;
    } else if (text[i] == '"') {
      end = end_of_string(text, i);
    } else if (text[i] == '\\') {
      end = std::min(i + 2, text.size());
    } else if (text[i] == '[' && end_of_bracket(text, i) != std::string::npos) {
      end = end_of_bracket(text, i);
    } else if (isspace(static_cast<unsigned char>(text[i])) != 0) {
      is_said = false;
    }
    if (is_said && blank && !result.empty()) {
      result += has_make_variables ? " " : space_between(result, text[i], new_line);
    }
    if (is_said) result.append(text, i, end - i);
    blank = !is_said;
    new_line = blank && (new_line || text[i] == '\n');
    i = end;
  }
  return result;
}

}  // namespace

bool same_plain_text(const std::string& path, const std::string& before, const std::string& after) {
  if (path.ends_with(".txt") || path.ends_with(".cmake")) return cmake_text(before) == cmake_text(after);
  return may_be_included(path) && token_text(before) == token_text(after);
}

}  // namespace sinter
