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

bool is_license_expression(const std::string& text) {
  const auto is_of_one = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-.+: ()").find(c) != std::string::npos;
  };
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  return std::ranges::all_of(text, is_of_one) && std::ranges::any_of(text, is_word) && text.front() != ' ' &&
         text.back() != ' ';
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
