#include "passes/lower/describe/formula_lines.h"

#include <algorithm>
#include <utility>

#include "passes/lower/describe/choose_formulas.h"
#include "passes/lower/stages/base/formula_text.h"

namespace sinter {

namespace {

// The blank at which a line of so many columns ends: in as few brackets as there is one, then the last. 0: there is
// none.
size_t line_end(const std::string& text, size_t room) {
  size_t end = 0;
  int depth = 0, least = 0;
  for (size_t i = 0; i <= room && i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == '}' || text[i] == ']') --depth;
    if (text[i] != ' ' || (end > 0 && depth > least)) continue;
    end = i;
    least = depth;
  }
  return end;
}

// Longer names do not push the formulas of all others to the right.
constexpr size_t kMaxAligned = 32;

// "out = out, with [t,:] replaced by row" is "out[t,:] = row".
void say_part(Formula* line) {
  const std::string opening = line->name + ", with [", middle = "] replaced by ";
  const size_t at = line->text.find(middle);
  if (!line->text.starts_with(opening) || at == std::string::npos) return;
  line->name += line->text.substr(opening.size() - 1, at + 1 - (opening.size() - 1));
  line->text.erase(0, at + middle.size());
}

}  // namespace

std::string padded(const std::string& text, size_t size) {
  return text.size() >= size ? text + " " : text + std::string(size - text.size(), ' ');
}

void add_entry(const std::string& opening, std::string text, std::vector<std::string>* lines) {
  const size_t room = std::max(kCommentWidth - std::min(kCommentWidth, opening.size()), size_t{20});
  std::string line = opening;
  while (text.size() > room) {
    const size_t end = line_end(text, room);
    if (end == 0) break;
    lines->push_back(line + text.substr(0, end));
    text.erase(0, end + 1);
    line.assign(opening.size(), ' ');
  }
  lines->push_back(line + text);
}

void add_formulas(std::vector<Formula> list, const std::string& indent, std::vector<std::string>* lines) {
  size_t width = 0;
  for (Formula& formula : list) {
    say_part(&formula);
    if (formula.name.size() <= kMaxAligned) width = std::max(width, formula.name.size());
  }
  for (const Formula& formula : list) add_entry(indent + padded(formula.name, width + 1) + "= ", formula.text, lines);
}

std::vector<std::string> formula_text(const std::vector<const Instruction*>& computed,
                                      const std::set<const Instruction*>& named, const FormulaNames& names,
                                      const std::set<std::string>& taken, size_t most) {
  constexpr size_t kMostTried = 400;
  std::optional<std::vector<Formula>> list = formulas(computed, named, names, taken, {}, kMostTried);
  if (list && list->size() > most) {
    std::set<std::string> wanted;
    for (const Instruction* value : named) wanted.insert(names.at(value));
    list = formulas_alone(*list, wanted, taken, most);
  }
  std::vector<std::string> lines;
  if (list && list->size() <= most) add_formulas(*list, "  ", &lines);
  return lines;
}

}  // namespace sinter
