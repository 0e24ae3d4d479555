// Patterns of values, as meanings.def writes them, and whether an instruction has one.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

struct MeaningPattern {
  enum class Kind : uint8_t { kValue, kNumber, kConstant, kSmall, kCount, kInverseCount, kCoefficient, kMeaning, kOp };
  Kind kind = Kind::kValue;
  char letter = 0;          // kValue
  double number = 0;        // kNumber
  std::string meaning;      // kMeaning
  bool only_given = false;  // as the text calls it, whatever it is
  std::string type;         // "int", "float", "f32"; empty for any
  std::string function;     // of `in:relu`; empty for any
  bool divides = false;     // only what is divided by
  bool is_spread = false;   // only a broadcast value
  Opcode opcode = Opcode::kAdd;
  std::string detail;  // "add" of reduce-add, "lt" of compare-lt
  bool has_operands = false;
  std::vector<MeaningPattern> operands;
};

MeaningPattern read_meaning_pattern(std::string_view text);

// The values that a pattern's letters stand for.
using MeaningValues = std::array<const Instruction*, 26>;

// The value that an instruction has the elements of: broadcasts, reshapes, transposes, copies and changes of type that
// lose no fraction are seen through.
const Instruction& through_views(const Instruction& instruction);

// True for a reduction of which others alone go on reducing, by the same operation: it gives what parts come to.
bool is_partial(const Instruction& reduce);

class MeaningMatcher {
 public:
  // Whether a value is of a pattern's meaning.
  using HasMeaning = bool (*)(const Instruction& value, const MeaningPattern& pattern, MeaningMatcher& matcher);
  explicit MeaningMatcher(HasMeaning has_meaning) : has_meaning_(has_meaning) {}

  // The instruction itself; its operands are seen through views.
  bool matches(const MeaningPattern& pattern, const Instruction& instruction, MeaningValues* values);

 private:
  bool matches_operand(const MeaningPattern& pattern, const Instruction& operand, MeaningValues* values);
  bool matches_operands(const MeaningPattern& pattern, const Instruction& instruction, MeaningValues* values);

  HasMeaning has_meaning_;
  int steps_left_ = 400;  // a meaning of a long expression is looked for so far
  double summed_ = 0;     // elements that the last sum has
};

}  // namespace sinter
