#include "passes/lower/describe/choose_formulas.h"

#include <algorithm>
#include <cctype>

#include "ir/support/is_word.h"
#include "passes/names/lightness.h"

namespace sinter {

namespace {

// Names that a longer list may leave to the text: with more it explains no more than a short one.
constexpr size_t kMostLeftOut = 4;

// Which lines are those of `wanted`, or of what these read that the kernel's text has no name for.
std::vector<bool> lines_of(std::set<std::string> wanted, const std::vector<Formula>& lines,
                           const std::set<std::string>& in_text) {
  std::vector<bool> chosen(lines.size(), false);
  // What a line reads stands above it.
  for (size_t i = lines.size(); i-- > 0;) {
    if (wanted.count(lines[i].name) == 0) continue;
    chosen[i] = true;
    for (std::string& word : words_of(lines[i].text)) {
      if (in_text.count(word) == 0) wanted.insert(std::move(word));
    }
  }
  return chosen;
}

size_t count_of(const std::vector<bool>& chosen) {
  return static_cast<size_t>(std::count(chosen.begin(), chosen.end(), true));
}

std::vector<Formula> only(const std::vector<bool>& chosen, const std::vector<Formula>& lines) {
  std::vector<Formula> result;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (chosen[i]) result.push_back(lines[i]);
  }
  return result;
}

}  // namespace

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = std::max(end, begin + 1);
  }
  return words;
}

std::vector<Formula> formulas_alone(const std::vector<Formula>& lines, const std::set<std::string>& wanted,
                                    const std::set<std::string>& in_text, size_t most) {
  std::vector<bool> chosen = lines_of(wanted, lines, in_text);
  // What the kernel is about: its products and reductions.
  std::set<std::string> heavy = wanted;
  for (const Formula& line : lines) {
    if (line.value != nullptr && lightness(*line.value) <= Lightness::kReduction) heavy.insert(line.name);
  }
  const std::vector<bool> with_heavy = lines_of(std::move(heavy), lines, in_text);
  if (count_of(with_heavy) <= most) chosen = with_heavy;
  // Then what these read, the last first; each with what it reads that has no other name.
  std::vector<bool> more = chosen;
  std::set<std::string> read;
  for (size_t i = lines.size(); i-- > 0;) {
    if (!more[i] && read.count(lines[i].name) > 0 && count_of(more) < most) {
      std::vector<bool> with_line = lines_of({lines[i].name}, lines, in_text);
      for (size_t k = 0; k < lines.size(); ++k) with_line[k] = with_line[k] || more[k];
      if (count_of(with_line) <= most) more = std::move(with_line);
    }
    if (!more[i]) continue;
    for (std::string& word : words_of(lines[i].text)) read.insert(std::move(word));
  }
  std::vector<Formula> result = only(more, lines);
  return names_left_out(result, lines).size() <= kMostLeftOut ? result : only(chosen, lines);
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
