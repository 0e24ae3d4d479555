#include "passes/lower/describe/choose_formulas.h"

#include <algorithm>
#include <cctype>

namespace sinter {

std::vector<Formula> formulas_alone(const std::vector<Formula>& lines, const std::set<std::string>& wanted,
                                    const std::set<std::string>& in_text) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::set<std::string> read = wanted;
  std::vector<Formula> result;
  // What a line reads stands above it.
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (read.count(line->name) == 0) continue;
    for (size_t begin = 0; begin < line->text.size();) {
      size_t end = begin;
      while (end < line->text.size() && is_word(line->text[end])) ++end;
      std::string word = line->text.substr(begin, end - begin);
      if (end > begin && in_text.count(word) == 0) read.insert(std::move(word));
      begin = std::max(end, begin + 1);
    }
    result.push_back(*line);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace sinter
