#include "passes/names/meaning.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "passes/names/meaning_pattern.h"
#include "passes/names/value_names.h"

namespace sinter {

namespace {

// Of a name that is made of others.
constexpr int64_t kMostWords = 3;
constexpr size_t kLongest = 18;

struct Row {
  std::string name;
  MeaningPattern pattern;
  bool is_noun;
};

const std::vector<Row>& all_rows() {
  static const std::vector<Row> rows = {
#define MEANING(name, pattern) {name, read_meaning_pattern(pattern), false},
#define NOUN(name, pattern) {name, read_meaning_pattern(pattern), true},
#include "passes/names/meanings.def"
#undef MEANING
#undef NOUN
  };
  return rows;
}

bool is_row_of(Opcode opcode, const Row& row) {
  if (row.pattern.kind == MeaningPattern::Kind::kOp) return row.pattern.opcode == opcode;
  return opcode == Opcode::kConstant || opcode == Opcode::kBroadcast;
}

// Meanings or nouns of an opcode, in their order.
const std::vector<const Row*>& rows_of(Opcode opcode, bool nouns) {
  using RowsByOpcode = std::array<std::vector<const Row*>, kOpcodeCount>;
  static const std::array<RowsByOpcode, 2> tables = [] {
    std::array<RowsByOpcode, 2> result;
    for (const Row& row : all_rows()) {
      for (int i = 0; i < kOpcodeCount; ++i) {
        if (is_row_of(static_cast<Opcode>(i), row)) result[row.is_noun][i].push_back(&row);
      }
    }
    return result;
  }();
  return tables[nouns][static_cast<size_t>(opcode)];
}

// The meanings of a name, in their order.
const std::vector<const Row*>& meanings_called(const std::string& name) {
  static const llvm::StringMap<std::vector<const Row*>> by_name = [] {
    llvm::StringMap<std::vector<const Row*>> result;
    for (const Row& row : all_rows()) {
      if (!row.is_noun) result[row.name].push_back(&row);
    }
    return result;
  }();
  static const std::vector<const Row*> none;
  const auto found = by_name.find(name);
  return found != by_name.end() ? found->second : none;
}

// "p_0_sum" has two: a number is no word, several are.
int64_t words_in(const std::string& name) {
  int64_t words = 1, numbers = 0;
  for (size_t i = 0; i + 1 < name.size(); ++i) {
    if (name[i] != '_') continue;
    ++(std::isdigit(static_cast<unsigned char>(name[i + 1])) != 0 ? numbers : words);
  }
  return words + std::max<int64_t>(numbers - 1, 0);
}

bool ends_in_word(const std::string& name, const std::string& word) {
  if (!name.ends_with(word)) return false;
  return name.size() == word.size() || name[name.size() - word.size() - 1] == '_';
}

// "params_x_w" -> "w"; of a number, with the word before it.
std::string last_word(const std::string& name) {
  size_t begin = name.rfind('_');
  if (begin != std::string::npos && begin + 1 < name.size() && std::isdigit(name[begin + 1]) != 0)
    begin = begin == 0 ? std::string::npos : name.rfind('_', begin - 1);
  return begin == std::string::npos ? name : name.substr(begin + 1);
}

// What the text or the source calls a value. Names are made of such alone: what another part of the program computes
// may change, and what this part makes of it keeps its name.
std::string given_name(const Instruction& value) {
  if (std::string name = variable_name(value); !name.empty()) return name;
  const bool is_argument = value.opcode == Opcode::kParameter && value.parent() == value.parent()->parent()->entry();
  if (!is_argument || value.metadata->op_name.empty()) return "";
  return identifier(value.metadata->op_name);
}

// "{x}_squared" with the names of the values; empty where one has none, or the whole is too long.
std::string filled_in(const std::string& name, const MeaningValues& values) {
  std::string result;
  std::string before;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '{') {
      result += name[i];
      continue;
    }
    std::string part = given_name(element_source(*values[static_cast<size_t>(name[i + 1] - 'a')]));
    const bool is_last_word = name[i + 2] == '.';
    if (is_last_word) part = last_word(part);
    if (part.empty() || part == "value" || part == before) return "";
    before = part;
    result += part;
    i += is_last_word ? 3 : 2;
  }
  return before.empty() || (words_in(result) <= kMostWords && result.size() <= kLongest) ? result : "";
}

bool may_be_name(const std::string& name) {
  return !name.empty() && !is_c_function(name) && !is_index_name(name) && identifier(name) == name;
}

bool has_meaning(const Instruction& value, const MeaningPattern& pattern, MeaningMatcher& matcher) {
  if (const std::string given = given_name(value); !given.empty() && ends_in_word(given, pattern.meaning)) return true;
  if (pattern.only_given) return false;
  for (const Row* row : meanings_called(pattern.meaning)) {
    MeaningValues values{};
    if (is_row_of(value.opcode, *row) && matcher.matches(row->pattern, value, &values)) return true;
  }
  return false;
}

std::string name_by_rows(const Instruction& instruction, bool nouns) {
  for (const Row* row : rows_of(instruction.opcode, nouns)) {
    MeaningMatcher matcher(has_meaning);
    MeaningValues values{};
    if (!matcher.matches(row->pattern, instruction, &values)) continue;
    std::string name = filled_in(row->name, values);
    if (may_be_name(name)) return name;
  }
  return "";
}

}  // namespace

const Instruction& element_source(const Instruction& instruction) {
  const Instruction* value = &through_views(instruction);
  while (value->opcode == Opcode::kSlice || value->opcode == Opcode::kDynamicSlice)
    value = &through_views(*value->operand(0));
  return *value;
}

std::string meaning_name(const Instruction& instruction) { return name_by_rows(instruction, false); }

std::string noun_name(const Instruction& instruction) { return name_by_rows(instruction, true); }

bool is_noun_of_numbers(const std::string& name) {
  static const llvm::StringSet<> nouns = [] {
    llvm::StringSet<> result;
    for (const Row& row : all_rows()) {
      const bool places = row.pattern.kind != MeaningPattern::Kind::kOp || row.pattern.opcode == Opcode::kGather ||
                          row.pattern.opcode == Opcode::kScatter || row.pattern.opcode == Opcode::kSort;
      if (row.is_noun && !places) result.insert(row.name);
    }
    return result;
  }();
  return nouns.contains(name);
}

}  // namespace sinter
