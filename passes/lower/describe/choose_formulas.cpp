#include "passes/lower/describe/choose_formulas.h"

#include <algorithm>
#include <cctype>

namespace sinter {

namespace {

// Names that a longer list may leave to the text: with more it explains no more than a short one.
constexpr size_t kMostLeftOut = 4;

std::vector<std::string> words_of(const std::string& text) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = std::max(end, begin + 1);
  }
  return words;
}

}  // namespace

std::vector<Formula> formulas_alone(const std::vector<Formula>& lines, const std::set<std::string>& wanted,
                                    const std::set<std::string>& in_text, size_t most) {
  std::set<std::string> shown = wanted;  // names, of which those that have a line are shown
  // What a line reads stands above it.
  size_t count = 0;
  std::vector<bool> chosen(lines.size(), false);
  for (size_t i = lines.size(); i-- > 0;) {
    if (shown.count(lines[i].name) == 0) continue;
    chosen[i] = true;
    ++count;
    for (std::string& word : words_of(lines[i].text)) {
      if (in_text.count(word) == 0) shown.insert(std::move(word));
    }
  }
  std::vector<Formula> few;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (chosen[i]) few.push_back(lines[i]);
  }
  // Then what these read, the last first.
  std::set<std::string> read;
  for (size_t i = lines.size(); i-- > 0;) {
    if (!chosen[i] && read.count(lines[i].name) > 0 && count < most) {
      chosen[i] = true;
      ++count;
    }
    if (!chosen[i]) continue;
    for (std::string& word : words_of(lines[i].text)) read.insert(std::move(word));
  }
  std::vector<Formula> result;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (chosen[i]) result.push_back(lines[i]);
  }
  return names_left_out(result, lines).size() <= kMostLeftOut ? result : few;
}

std::vector<std::string> names_left_out(const std::vector<Formula>& shown, const std::vector<Formula>& all) {
  std::set<std::string> has_line, read;
  for (const Formula& line : shown) {
    has_line.insert(line.name);
    for (std::string& word : words_of(line.text)) read.insert(std::move(word));
  }
  std::vector<std::string> names;
  for (const Formula& line : all) {
    const bool is_new = std::find(names.begin(), names.end(), line.name) == names.end();
    if (read.count(line.name) > 0 && has_line.count(line.name) == 0 && is_new) names.push_back(line.name);
  }
  return names;
}

}  // namespace sinter
