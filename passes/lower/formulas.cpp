#include "passes/lower/formulas.h"

#include <algorithm>
#include <optional>

#include "ir/attribute_text.h"
#include "passes/schedule/demand.h"
#include "passes/schedule/value_names.h"

namespace sinter {

namespace {

// An operand that is longer has a line of its own, and so has the longest operand of a line that is.
constexpr size_t kMaxOperand = 44;
constexpr size_t kMaxLine = 76;
// Operands that are listed; of a concatenation, say, there may be thousands.
constexpr size_t kMaxOperands = 6;

// How tightly the outermost operator of a text binds.
enum class Binding { kOr, kAnd, kCompare, kSum, kProduct, kPrefix, kAtom };

struct Text {
  std::string text;
  Binding binding = Binding::kAtom;
};

struct Operator {
  std::string_view text;
  Binding binding;
};

std::optional<Operator> infix_operator(const Instruction& instruction) {
  const bool pred = instruction.shape.is_array() && instruction.shape.dtype == DType::kPred;
  switch (instruction.opcode) {
    case Opcode::kAdd:
      return Operator{"+", Binding::kSum};
    case Opcode::kSubtract:
      return Operator{"-", Binding::kSum};
    case Opcode::kMultiply:
      return Operator{"*", Binding::kProduct};
    case Opcode::kDivide:
      return Operator{"/", Binding::kProduct};
    case Opcode::kAnd:
      return pred ? std::optional(Operator{"and", Binding::kAnd}) : std::nullopt;
    case Opcode::kOr:
      return pred ? std::optional(Operator{"or", Binding::kOr}) : std::nullopt;
    case Opcode::kCompare: {
      const std::string& direction = *instruction.attributes.direction;
      const std::string_view text = direction == "EQ"   ? "=="
                                    : direction == "NE" ? "!="
                                    : direction == "LT" ? "<"
                                    : direction == "LE" ? "<="
                                    : direction == "GT" ? ">"
                                                        : ">=";
      return Operator{text, Binding::kCompare};
    }
    default:
      return std::nullopt;
  }
}

bool moves_elements(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kBitcast:
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kReverse:
    case Opcode::kSlice:
    case Opcode::kTranspose:
      return true;
    default:
      return false;
  }
}

// True if extents alone do not say which dimensions of `result` the operand has: f32[8] in f32[8,8].
bool is_ambiguous(const std::vector<int64_t>& operand, const std::vector<int64_t>& result) {
  // ways[i]: in how many ways the first i extents can stand among those of `result` met so far; two are enough.
  std::vector<int> ways(operand.size() + 1, 0);
  ways[0] = 1;
  for (const int64_t extent : result) {
    for (size_t i = operand.size(); i-- > 0;) {
      if (operand[i] == extent) ways[i + 1] = std::min(2, ways[i + 1] + ways[i]);
    }
  }
  return ways.back() > 1;
}

// "[0:30,1:31]", "[:,4:8]"
std::string slice_text(const Instruction& slice) {
  std::string text;
  for (size_t d = 0; d < slice.attributes.slice->size(); ++d) {
    const SliceBounds& bounds = (*slice.attributes.slice)[d];
    text += text.empty() ? "[" : ",";
    const bool whole = bounds.start == 0 && bounds.limit == slice.operand(0)->shape.dims[d];
    if (bounds.limit == bounds.start + 1 && !whole) {
      text += std::to_string(bounds.start);
      continue;
    }
    text += whole ? ":" : std::to_string(bounds.start) + ":" + std::to_string(bounds.limit);
    if (bounds.stride != 1) text += ":" + std::to_string(bounds.stride);
  }
  return text + "]";
}

// "[1:31,t]": where a dynamic slice of these extents begins; nothing where a start is neither a number nor the counter
// of a loop: it may have to be clamped.
std::string window_text(const Instruction& instruction, size_t first_start, const std::vector<int64_t>& extents,
                        const std::vector<int64_t>& sizes, const std::vector<Text>& operands) {
  if (instruction.operands().size() != first_start + extents.size()) return "";  // one vector of starts
  std::string text = "[";
  for (size_t d = 0; d < extents.size(); ++d) {
    const Text& start = operands[first_start + d];
    if (d > 0) text += ",";
    if (sizes[d] == extents[d]) {
      text += ":";
      continue;
    }
    constexpr size_t kMostDigits = 18;  // of an int64_t
    const bool number = start.text.find_first_not_of("0123456789") == std::string::npos && !start.text.empty() &&
                        start.text.size() <= kMostDigits;
    if (!number && start.text != "t") return "";
    text += start.text;
    if (number && sizes[d] > 1) text += ":" + std::to_string(std::stoll(start.text) + sizes[d]);
    if (!number && sizes[d] > 1) text += ":" + start.text + "+" + std::to_string(sizes[d]);
  }
  return text + "]";
}

// What follows the operands of an op that has a line: ", dimensions={1}, to_apply=maximum".
std::string attributes_text(const Instruction& instruction) {
  const Attributes& attributes = instruction.attributes;
  std::string text;
  const bool reduces = instruction.opcode == Opcode::kReduce || instruction.opcode == Opcode::kReduceWindow;
  const bool joins = instruction.opcode == Opcode::kConcatenate && instruction.shape.dims.size() > 1;
  if (attributes.dimensions && (instruction.opcode == Opcode::kReduce || joins)) {
    text += ", " + attribute_text(attributes, AttributeId::k_dimensions);
  }
  if (attributes.window && !attributes.window->empty())
    text += ", " + attribute_text(attributes, AttributeId::k_window);
  if (reduces) {
    if (const auto combiner = simple_combiner(**attributes.to_apply)) {
      text += ", to_apply=" + std::string(opcode_name(*combiner));
    }
  }
  return text;
}

class Formulas {
 public:
  Formulas(FormulaNames names, std::set<std::string> taken) : names_(std::move(names)), taken_(std::move(taken)) {}

  std::vector<Formula> run(const std::vector<const Instruction*>& computed,
                           const std::set<const Instruction*>& results) {
    count_uses(computed);
    for (const Instruction* instruction : computed) {
      Text text = spell(*instruction);
      const bool elementwise = opcode_family(instruction->opcode) == Family::kElementwise;
      const bool moves =
          opcode_family(instruction->opcode) == Family::kIndexMap && instruction->opcode != Opcode::kDynamicUpdateSlice;
      const bool shared = uses_[instruction] > 1 && !moves_elements(*instruction);
      if (results.count(instruction) > 0 || names_.count(instruction) > 0 || shared || (!elementwise && !moves) ||
          text.text.size() > kMaxOperand) {
        add_line(instruction, std::move(text));
      } else {
        inlined_[instruction] = std::move(text);
      }
    }
    std::vector<Formula> lines;
    for (const Instruction* instruction : computed) {
      const auto line = lines_.find(instruction);
      if (line == lines_.end()) continue;
      lines.push_back({names_.at(instruction), line->second + attributes_text(*instruction)});
    }
    return lines;
  }

 private:
  // How often a value is spelled, seen through what only moves elements.
  void count_uses(const std::vector<const Instruction*>& computed) {
    for (size_t i = computed.size(); i-- > 0;) {
      const int times = moves_elements(*computed[i]) ? std::max(1, std::min(2, uses_[computed[i]])) : 1;
      for (const Instruction* operand : computed[i]->operands()) uses_[operand] += times;
    }
  }

  void add_line(const Instruction* instruction, Text text) {
    if (names_.count(instruction) == 0) {
      const std::string base = value_name(*instruction);
      std::string name = base;
      for (int number = 1; !taken_.insert(name).second; ++number) name = base + "_" + std::to_string(number);
      names_[instruction] = name;
    }
    lines_[instruction] = std::move(text.text);
  }

  // An operand where it is read.
  Text read(const Instruction* operand) {
    const auto named = names_.find(operand);
    if (named != names_.end()) return {named->second};
    const auto inlined = inlined_.find(operand);
    if (inlined != inlined_.end()) return inlined->second;
    // One result of several goes by the operation that gives it.
    if (operand->opcode == Opcode::kGetTupleElement) return {name_of(operand->operand(0))};
    if (operand->opcode == Opcode::kConstant) {
      return {operand->literal.shape().is_scalar() ? to_string(operand->literal) : "constant"};
    }
    return {name_of(operand)};
  }
  std::string name_of(const Instruction* value) const {
    const auto named = names_.find(value);
    return named != names_.end() ? named->second : value_name(*value);
  }

  static std::string inside(const Text& text, Binding around, bool right) {
    const bool loose = right ? text.binding <= around : text.binding < around;
    const bool compares = around == Binding::kCompare && text.binding == Binding::kCompare;
    return loose || compares ? "(" + text.text + ")" : text.text;
  }

  // The text of an instruction; its longest operands get lines until it fits one.
  Text spell(const Instruction& instruction) {
    for (;;) {
      Text text = spell_once(instruction);
      if (text.text.size() <= kMaxLine) return text;
      const Instruction* longest = nullptr;
      for (const Instruction* operand : instruction.operands()) {
        const auto inlined = inlined_.find(operand);
        if (inlined == inlined_.end() || inlined->second.text.size() < 12) continue;
        if (longest == nullptr || inlined->second.text.size() > inlined_.at(longest).text.size()) longest = operand;
      }
      if (longest == nullptr) return text;
      Text line = std::move(inlined_.at(longest));
      inlined_.erase(longest);
      add_line(longest, std::move(line));
    }
  }

  Text spell_once(const Instruction& instruction) {
    std::vector<Text> operands;
    for (size_t i = 0; i < instruction.operands().size() && i < kMaxOperands; ++i) {
      operands.push_back(read(instruction.operand(i)));
    }
    const auto first = [&] { return inside(operands[0], Binding::kAtom, false); };
    if (const auto infix = infix_operator(instruction)) {
      const std::string op = " " + std::string(infix->text) + " ";
      return {inside(operands[0], infix->binding, false) + op + inside(operands[1], infix->binding, true),
              infix->binding};
    }
    switch (instruction.opcode) {
      case Opcode::kCopy:
      case Opcode::kBitcast:
      case Opcode::kReshape:
        return operands[0];
      case Opcode::kNegate:
        return {"-" + inside(operands[0], Binding::kPrefix, true), Binding::kPrefix};
      case Opcode::kConvert:
        return {std::string(dtype_name(instruction.shape.dtype)) + "(" + operands[0].text + ")"};
      case Opcode::kSlice:
        return {first() + slice_text(instruction)};
      case Opcode::kBroadcast: {
        const Shape& from = instruction.operand(0)->shape;
        if (from.element_count() == 1) return operands[0];
        const bool shown = is_ambiguous(from.dims, instruction.shape.dims);
        return {"broadcast(" + operands[0].text + (shown ? ", " + int_list(*instruction.attributes.dimensions) : "") +
                ")"};
      }
      case Opcode::kTranspose: {
        const bool shown = instruction.shape.dims.size() > 2;
        return {"transpose(" + operands[0].text + (shown ? ", " + int_list(*instruction.attributes.dimensions) : "") +
                ")"};
      }
      case Opcode::kReverse:
        return {"reverse(" + operands[0].text + ", " + int_list(*instruction.attributes.dimensions) + ")"};
      case Opcode::kIota: {
        const bool shown = instruction.shape.dims.size() > 1;
        return {"iota(" + (shown ? int_list({*instruction.attributes.iota_dimension}) : std::string()) + ")"};
      }
      case Opcode::kPad:
        return {"pad(" + operands[0].text + ", " + operands[1].text + ", " +
                attribute_text(instruction.attributes, AttributeId::k_padding) + ")"};
      case Opcode::kDynamicSlice: {
        if (instruction.operands().size() > kMaxOperands) break;
        const std::string window =
            window_text(instruction, 1, instruction.operand(0)->shape.dims, instruction.shape.dims, operands);
        if (!window.empty()) return {first() + window};
        break;
      }
      case Opcode::kDynamicUpdateSlice: {
        if (instruction.operands().size() > kMaxOperands) break;
        const std::string window =
            window_text(instruction, 2, instruction.shape.dims, instruction.operand(1)->shape.dims, operands);
        // An array that is written in place is not read, and goes by the result.
        const Instruction* base = instruction.operand(0);
        if (base->opcode == Opcode::kGetTupleElement && names_.count(base) == 0) operands[0] = {name_of(&instruction)};
        if (!window.empty()) return {first() + ", with " + window + " replaced by " + operands[1].text, Binding::kOr};
        break;
      }
      default:
        break;
    }
    std::string text = operation_name(instruction) + "(";
    for (size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? "" : ", ") + operands[i].text;
    return {text + (operands.size() < instruction.operands().size() ? ", ...)" : ")")};
  }

  FormulaNames names_;
  std::set<std::string> taken_;
  std::map<const Instruction*, int> uses_;
  std::map<const Instruction*, Text> inlined_;
  std::map<const Instruction*, std::string> lines_;
};

}  // namespace

std::string operation_name(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kCall) return function_name((*instruction.attributes.to_apply)->name);
  return std::string(opcode_name(instruction.opcode));
}

std::vector<Formula> formulas(const std::vector<const Instruction*>& computed,
                              const std::set<const Instruction*>& results, FormulaNames names,
                              std::set<std::string> taken) {
  return Formulas(std::move(names), std::move(taken)).run(computed, results);
}

}  // namespace sinter
