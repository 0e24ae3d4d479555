#include "review/diff/kernel_comment.h"

#include <sstream>

#include "ir/support/is_word.h"

namespace sinter {

namespace {

std::string in_one_blank(const std::string& text) {
  std::istringstream words(text);
  std::string result, word;
  while (words >> word) result += (result.empty() ? "" : " ") + word;
  return result;
}

}  // namespace

KernelComment read_kernel_comment(const std::string& text) {
  KernelComment comment;
  std::istringstream lines(text);
  std::string line;
  bool title = true;
  while (std::getline(lines, line) && line.starts_with("//")) {
    if (title) {
      title = false;
      continue;
    }
    const std::string rest = line.size() > 3 ? line.substr(3) : "";
    if (rest.empty()) continue;
    const bool indented = rest.starts_with("  ");
    const std::string words = in_one_blank(rest);
    if (!indented) {
      comment.launch += (comment.launch.empty() ? "" : " ") + words;
    } else if (words.starts_with("in ") || words.starts_with("out ") || words.starts_with("tmp ")) {
      comment.arrays.push_back(words);
    } else if (rest.find(" = ") != std::string::npos && rest.size() > 2 && rest[2] != ' ') {
      comment.formulas.push_back(words);
    } else if (!comment.formulas.empty()) {
      comment.formulas.back() += " " + words;
    }
  }
  return comment;
}

std::vector<std::string> nameless(const KernelComment& comment) {
  std::map<std::string, std::string> names;
  std::vector<std::string> result;
  for (const std::string& array : comment.arrays) {
    std::istringstream words(array);
    std::string kind, name, shape;
    words >> kind >> name >> shape;
    names.emplace(name, "%" + std::to_string(names.size()));
    // "a_0 .. a_3": several arrays in one line keep their names.
    result.push_back(kind + " " + (shape == ".." ? array : shape));
  }
  for (const std::string& formula : comment.formulas) {
    const size_t equals = formula.find(" = ");
    names.emplace(formula.substr(0, equals), "%" + std::to_string(names.size()));
  }
  for (const std::string& formula : comment.formulas) {
    std::string text;
    for (size_t i = 0; i < formula.size();) {
      if (!is_word(formula[i])) {
        text += formula[i++];
        continue;
      }
      size_t end = i;
      while (end < formula.size() && is_word(formula[end])) ++end;
      const std::string word = formula.substr(i, end - i);
      // "add(" is the operation, "add" the value.
      const bool is_call = end < formula.size() && formula[end] == '(';
      const bool is_attribute = i > 0 && formula[i - 1] == '=';
      const auto found = names.find(word);
      text += found == names.end() || is_call || is_attribute ? word : found->second;
      i = end;
    }
    result.push_back(text);
  }
  return result;
}

}  // namespace sinter
