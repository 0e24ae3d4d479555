#include "emitter/host/license_line.h"

#include <algorithm>
#include <cctype>
#include <sstream>
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
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-.+: ()").find(c) != std::string::npos;
  };
  if (text.empty() || !std::ranges::all_of(text, is_part) || text.front() == ' ' || text.back() == ' ') return false;
  std::string spaced;
  for (const char c : text) spaced += c == '(' || c == ')' ? std::string{' ', c, ' '} : std::string{c};
  std::istringstream words(spaced);
  bool ends_operand = false;  // what stands before
  int open = 0;
  for (std::string word; words >> word;) {
    const bool begins_operand = word != ")" && word != "AND" && word != "OR" && word != "WITH";
    if (begins_operand == ends_operand) return false;
    if (word == "(") ++open;
    if (word == ")" && --open < 0) return false;
    ends_operand = word == ")" || (begins_operand && word != "(");
  }
  return ends_operand && open == 0;
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
