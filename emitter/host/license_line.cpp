#include "emitter/host/license_line.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace sinter {

namespace {

// "//" or "#"; empty where a file has no comments.
std::string_view comment_of(std::string_view path) {
  for (const std::string_view end : {".cu", ".cuh", ".h", ".hpp", ".cpp", ".hlo"}) {
    if (path.ends_with(end)) return "//";
  }
  for (const std::string_view end : {"CMakeLists.txt", ".clang-format", ".gitattributes"}) {
    if (path.ends_with(end)) return "#";
  }
  return "";
}

}  // namespace

// Identifiers with AND, OR and WITH between them, and parentheses around such: the grammar of SPDX 2.3, annex D. Which
// identifiers there are is its list's matter.
bool is_license_expression(const std::string& text) {
  const auto is_of_identifier = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-.+:").find(c) != std::string::npos;
  };
  bool ends_operand = false;  // what stands before
  int open = 0;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == ' ') {
      ++at;
      continue;
    }
    if (c == '(' || c == ')') {
      if (ends_operand != (c == ')')) return false;
      open += c == '(' ? 1 : -1;
      if (open < 0) return false;
      ++at;
      continue;
    }
    const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_of_identifier);
    const std::string word(text.begin() + static_cast<std::ptrdiff_t>(at), end);
    if (word.empty()) return false;
    const bool is_operator = word == "AND" || word == "OR" || word == "WITH";
    if (is_operator != ends_operand) return false;
    ends_operand = !is_operator;
    at += word.size();
  }
  return ends_operand && open == 0 && text.front() != ' ' && text.back() != ' ';
}

void state_license(const std::string& license, FileSet* files) {
  if (license.empty()) return;
  for (auto& [path, content] : *files) {
    const std::string comment(comment_of(path));
    if (comment.empty()) continue;
    // A comment that opens the file is another paragraph.
    const std::string rest = content.starts_with(comment) ? comment + "\n" : "\n";
    content.insert(0, comment + " SPDX-License-Identifier: " + license + "\n" + rest);
  }
}

}  // namespace sinter
