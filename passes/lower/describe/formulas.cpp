#include "passes/lower/describe/formulas.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "ir/module/device_functions.h"
#include "ir/support/is_word.h"
#include "ir/text/attribute_text.h"
#include "passes/analysis/functions/network.h"
#include "passes/analysis/functions/pairs.h"
#include "passes/analysis/values/constants.h"
#include "passes/demand/demand.h"
#include "passes/lower/arrange/names.h"
#include "passes/lower/describe/dimension_text.h"
#include "passes/lower/write/device_functions.h"
#include "passes/names/value_names.h"

namespace sinter {

namespace {

// An operand that is longer has a line of its own, and so has the longest operand of a line that is.
constexpr size_t kMaxOperand = 60;
constexpr size_t kMaxLine = 78;
// What is read more than once has a line too, unless it is as short as a name.
constexpr size_t kMaxRepeated = 18;
// Operands that are listed; of a concatenation, say, there may be thousands.
constexpr size_t kMaxOperands = 6;
// Numbers of a constant array that are written out.
constexpr int64_t kMaxNumbers = 6;

// How tightly the outermost operator of a text binds.
enum class Binding { kOr, kAnd, kCompare, kSum, kProduct, kPrefix, kAtom };

struct Text {
  std::string text;
  Binding binding = Binding::kAtom;
  bool inside = false;  // a start known to lie in the array it is a place of
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
      const std::string& direction = *instruction.attributes->direction;
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

// `x != x` of floats: is x a NaN?
bool compares_with_itself(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kCompare || instruction.operand(0) != instruction.operand(1)) return false;
  const std::string& direction = *instruction.attributes->direction;
  return is_float(instruction.operand(0)->shape.dtype) && (direction == "NE" || direction == "EQ") &&
         instruction.attributes->comparison_type.value_or("FLOAT") != "TOTALORDER";
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

// True for a reshape that makes or takes away dimensions of one element only. They come and go unsaid within a formula.
bool drops_ones(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kReshape && instruction.opcode != Opcode::kBitcast) return false;
  const auto proper = [](std::vector<int64_t> dims) {
    std::erase(dims, 1);
    return dims;
  };
  const std::vector<int64_t>&from = instruction.operand(0)->shape.dims, &to = instruction.shape.dims;
  return from != to && proper(from) == proper(to);
}

bool reshapes(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kReshape && instruction.opcode != Opcode::kBitcast) return false;
  return instruction.shape.dims != instruction.operand(0)->shape.dims && !drops_ones(instruction);
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

// "[1:31,t]": where a dynamic slice of these extents begins; nothing where a start is neither a number nor the counter
// of a loop nor limited already: it may have to be clamped.
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
    if (!number && start.text != "t" && !start.inside) return "";
    if (number && std::stoll(start.text) + sizes[d] > extents[d]) return "";
    text += start.text;
    if (number && sizes[d] > 1) text += ":" + std::to_string(std::stoll(start.text) + sizes[d]);
    if (!number && sizes[d] > 1) text += ":" + start.text + "+" + std::to_string(sizes[d]);
  }
  return text + "]";
}

// What JAX calls the operation that this one stands for: "argmin" of jit(step)/argmin. Empty where that says no more
// than the opcode.
std::string source_operation(const Instruction& instruction) {
  const std::string& path = instruction.metadata->op_name;
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return "";
  const std::string name = path.substr(slash + 1);
  const bool is_one_word = !name.empty() && std::all_of(name.begin(), name.end(), is_word);
  const bool is_control_flow = name == "while" || name == "body" || name == "cond";
  return is_one_word && !is_control_flow && !name.starts_with("reduce") ? name : "";
}

// What a scatter makes of an element and its update, where that is one line and not the update itself:
// ", to_apply=(old, new) -> tanh(old)".
std::string combined_text(const Computation& combiner) {
  if (combiner.parameters().size() != 2) return "";
  const Instruction* root = combiner.root();
  const FormulaNames names = {{combiner.parameters()[0], "old"}, {combiner.parameters()[1], "new"}};
  const auto known = names.find(root);
  if (known != names.end()) return known->second == "new" ? "" : ", to_apply=(old, new) -> old";
  std::vector<const Instruction*> computed;
  for (const Instruction& instruction : combiner.instructions()) {
    if (instruction.opcode != Opcode::kParameter) computed.push_back(&instruction);
  }
  const std::optional<std::vector<Formula>> lines = formulas(computed, {root}, names, {"old", "new"}, {}, 1);
  return lines && lines->size() == 1 ? ", to_apply=(old, new) -> " + lines->front().text : "";
}

// What follows the operands of an op that has a line: ", dimensions={1}, to_apply=maximum".
std::string attributes_text(const Instruction& instruction) {
  const Attributes& attributes = instruction.attributes;
  std::string text;
  const bool reduces = instruction.opcode == Opcode::kReduce || instruction.opcode == Opcode::kReduceWindow ||
                       instruction.opcode == Opcode::kScatter;
  const bool joins = instruction.opcode == Opcode::kConcatenate && instruction.shape.dims.size() > 1;
  if (attributes.dimensions && (instruction.opcode == Opcode::kReduce || joins)) {
    text += ", " + attribute_text(attributes, AttributeId::k_dimensions);
  }
  if (attributes.window && !attributes.window->empty())
    text += ", " + attribute_text(attributes, AttributeId::k_window);
  if (attributes.feature_group_count.value_or(1) != 1)
    text += ", " + attribute_text(attributes, AttributeId::k_feature_group_count);
  if (attributes.batch_group_count.value_or(1) != 1)
    text += ", " + attribute_text(attributes, AttributeId::k_batch_group_count);
  if (instruction.opcode == Opcode::kDot) {
    const std::string dimensions = dot_text(instruction);
    if (!dimensions.empty()) text += ", einsum=" + dimensions;
  }
  if (reduces) {
    if (const auto combiner = simple_combiner(**attributes.to_apply)) {
      text += ", to_apply=" + std::string(opcode_name(*combiner));
    } else if (instruction.opcode == Opcode::kScatter) {
      text += combined_text(**attributes.to_apply);
    } else if (const std::string name = source_operation(instruction); !name.empty()) {
      text += ", to_apply=" + name;
    }
  }
  return text;
}

// True for a broadcast along leading dimensions: the shapes in an expression are aligned at their ends, and what is
// short goes on.
bool aligns_at_end(const Instruction& broadcast) {
  const std::vector<int64_t>& dimensions = *broadcast.attributes->dimensions;
  const size_t leading = broadcast.shape.dims.size() - dimensions.size();
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] != static_cast<int64_t>(leading + i)) return false;
  }
  return true;
}

class Formulas {
 public:
  Formulas(FormulaNames names, std::set<std::string> taken, const StartNames& starts)
      : names_(std::move(names)), taken_(std::move(taken)), starts_(starts) {}

  std::optional<std::vector<Formula>> run(const std::vector<const Instruction*>& computed,
                                          const std::set<const Instruction*>& results, size_t most,
                                          UnknownNames* unknown) {
    count_uses(computed);
    find_starts(computed);
    for (const Instruction* instruction : computed) {
      add_start(*instruction);
      Text text = spell(*instruction);
      const bool elementwise = family_of(*instruction) == Family::kElementwise;
      const bool moves =
          family_of(*instruction) == Family::kIndexMap && instruction->opcode != Opcode::kDynamicUpdateSlice;
      const bool shared = uses_[instruction] > 1 && (!moves_elements(*instruction) || reshapes(*instruction)) &&
                          text.text.size() > kMaxRepeated;
      if (results.count(instruction) > 0 || names_.count(instruction) > 0 || shared || (!elementwise && !moves) ||
          text.text.size() > kMaxOperand) {
        if (drops_ones(*instruction)) {
          const std::string operand = text.text;
          // An index that is one number takes its dimension away.
          if (!operand.ends_with("]")) text = {reshape_text(*instruction, operand)};
        }
        add_line(instruction, std::move(text));
        if (lines_.size() > most) return std::nullopt;
      } else {
        inlined_[instruction] = std::move(text);
      }
    }
    if (lines_.size() + start_lines_.size() > most) return std::nullopt;
    std::vector<Formula> lines;
    for (const Instruction* instruction : computed) {
      const auto start = start_lines_.find(instruction);
      if (start != start_lines_.end()) lines.push_back(start->second);
      const auto line = lines_.find(instruction);
      if (line == lines_.end()) continue;
      lines.push_back({names_.at(instruction), line->second + attributes_text(*instruction), instruction});
    }
    if (unknown != nullptr) {
      for (const auto& [value, name] : unknown_) unknown->emplace(name, value);
    }
    return lines;
  }

 private:
  // How often a value is spelled, seen through what only moves elements.
  void count_uses(const std::vector<const Instruction*>& computed) {
    for (size_t i = computed.size(); i-- > 0;) {
      const int times =
          moves_elements(*computed[i]) && !reshapes(*computed[i]) ? std::max(1, std::min(2, uses_[computed[i]])) : 1;
      for (const Instruction* operand : computed[i]->operands()) uses_[operand] += times;
    }
  }

  // The one place that an instruction reads or writes at which is a number only at run time, and how far it may go.
  struct Place {
    const Instruction* start = nullptr;  // an operand
    int64_t limit = 0;
    bool operator<(const Place& other) const { return std::pair(start, limit) < std::pair(other.start, other.limit); }
  };
  static std::optional<Place> place_of(const Instruction& instruction) {
    const Attributes& attributes = instruction.attributes;
    if (instruction.opcode == Opcode::kGather) {
      if (attributes.start_index_map->size() != 1) return std::nullopt;
      const int64_t d = attributes.start_index_map->front();
      return Place{instruction.operand(1), instruction.operand(0)->shape.dims[d] - (*attributes.slice_sizes)[d]};
    }
    const bool updates = instruction.opcode == Opcode::kDynamicUpdateSlice;
    if (!updates && instruction.opcode != Opcode::kDynamicSlice) return std::nullopt;
    const std::vector<int64_t>& extents = instruction.operand(0)->shape.dims;
    const std::vector<int64_t>& sizes = (updates ? *instruction.operand(1) : instruction).shape.dims;
    const size_t first = updates ? 2 : 1;
    if (instruction.operands().size() != first + extents.size()) return std::nullopt;
    std::optional<Place> place;
    for (size_t d = 0; d < extents.size(); ++d) {
      const Instruction* start = instruction.operand(first + d);
      if (sizes[d] == extents[d] || start->opcode == Opcode::kConstant) continue;
      if (place) return std::nullopt;
      place = Place{start, extents[d] - sizes[d]};
    }
    return place;
  }

  // A limited place belongs to one instruction, but all read it that have the same.
  void find_starts(const std::vector<const Instruction*>& computed) {
    for (const Instruction* instruction : computed) {
      const auto names = starts_.find(instruction);
      if (names == starts_.end() || names->second.size() != 1) continue;
      if (const std::optional<Place> place = place_of(*instruction)) start_of_.emplace(*place, *names->second.begin());
    }
  }

  // "start = clamp(0, select, 199)", before the first that reads it.
  void add_start(const Instruction& instruction) {
    const std::optional<Place> place = place_of(instruction);
    const auto start = place ? start_of_.find(*place) : start_of_.end();
    if (start == start_of_.end() || !started_.insert(start->second).second) return;
    start_lines_[&instruction] = {start->second,
                                  "clamp(0, " + read(place->start).text + ", " + std::to_string(place->limit) + ")"};
  }

  // Elements of an array go by it: "dense_part" of a slice of it.
  std::string line_name(const Instruction& instruction) const {
    const Instruction* source = &instruction;
    bool transposed = false;
    while (moves_elements(*source) && source->opcode != Opcode::kBroadcast) {
      transposed |= source->opcode != Opcode::kReshape && source->opcode != Opcode::kBitcast;
      source = source->operand(0);
    }
    const auto named = names_.find(source);
    if (source == &instruction || named == names_.end() || !variable_name(instruction).empty())
      return value_name(instruction);
    const bool is_part = instruction.shape.element_count() < source->shape.element_count();
    return without_direction(named->second) + (is_part ? "_part" : transposed ? "_transposed" : "_reshaped");
  }

  // The name of a value that has a line.
  const std::string& give_name(const Instruction* instruction) {
    const auto [named, is_new] = names_.try_emplace(instruction);
    if (is_new) named->second = free_name(line_name(*instruction));
    return named->second;
  }
  std::string free_name(const std::string& base) {
    std::string name = base;
    for (int number = 1; !taken_.insert(name).second; ++number) name = base + "_" + std::to_string(number);
    return name;
  }

  void add_line(const Instruction* instruction, Text text) {
    give_name(instruction);
    lines_[instruction] = std::move(text.text);
  }

  // An operand where it is read.
  Text read(const Instruction* operand) {
    // A carry that begins with a constant is another value than the constant.
    if (const std::optional<Literal> constant = splat_value(*operand)) return {to_string(*constant)};
    const auto named = names_.find(operand);
    if (named != names_.end()) return {named->second};
    const auto inlined = inlined_.find(operand);
    if (inlined != inlined_.end()) return inlined->second;
    // One result of several goes by the operation that gives it.
    if (operand->opcode == Opcode::kGetTupleElement) {
      const Instruction& several = *operand->operand(0);
      if (const std::string member = member_of_call(*operand); !member.empty())
        return {name_of(&several) + "." + member};
      return {name_of(&several) + "." +
              member_names(several.shape.elements.size())[static_cast<size_t>(*operand->attributes->tuple_index)]};
    }
    if (operand->opcode == Opcode::kConstant) {
      const bool is_short = operand->literal.shape().element_count() <= kMaxNumbers;
      return {is_short ? to_string(operand->literal) : constant_name(*operand)};
    }
    return {name_of(operand)};
  }
  std::string name_of(const Instruction* value) {
    const auto named = names_.find(value);
    if (named != names_.end()) return named->second;
    const auto [unknown, is_new] = unknown_.try_emplace(value);
    if (is_new) unknown->second = free_name(value_name(*value));
    return unknown->second;
  }

  // True for what an update begins with, where the kernel does not read it: the result's memory holds it before.
  bool is_written_over(const Instruction& update, size_t number) const {
    const bool one_scatter = update.opcode == Opcode::kScatter && update.operands().size() == 3;
    if (number != 0 || (update.opcode != Opcode::kDynamicUpdateSlice && !one_scatter)) return false;
    const Instruction* base = update.operand(0);
    while (names_.count(base) == 0 && (moves_elements(*base) || base->opcode == Opcode::kCopy)) base = base->operand(0);
    return names_.count(base) == 0 && (base->opcode == Opcode::kGetTupleElement || base->opcode == Opcode::kParameter);
  }

  // A start goes by the variable that holds it limited, where the text has one.
  Text read_of(const Instruction& instruction, size_t number) {
    if (is_written_over(instruction, number)) return {give_name(&instruction)};
    const Instruction* operand = instruction.operand(number);
    const std::optional<Place> place = place_of(instruction);
    const size_t first = instruction.opcode == Opcode::kDynamicUpdateSlice ? 2 : 1;
    if (place && number >= first && place->start == operand) {
      const auto start = start_of_.find(*place);
      if (start != start_of_.end()) return {start->second, Binding::kAtom, true};
    }
    return read(goes_unsaid(instruction, *operand) ? operand->operand(0) : operand);
  }

  // A broadcast beside an operand that has the result's shape itself.
  bool goes_unsaid(const Instruction& instruction, const Instruction& operand) const {
    const auto spelled = [&](const Instruction& value) {
      return value.opcode == Opcode::kBroadcast && names_.count(&value) == 0 && inlined_.count(&value) > 0;
    };
    if (family_of(instruction) != Family::kElementwise || !spelled(operand)) return false;
    if (!aligns_at_end(operand)) return false;
    return std::any_of(instruction.operands().begin(), instruction.operands().end(), [&](const Instruction* other) {
      return other->shape.dims == instruction.shape.dims && other->opcode != Opcode::kConstant && !spelled(*other);
    });
  }

  static std::string reshape_text(const Instruction& instruction, const std::string& operand) {
    std::string dims;
    for (const int64_t extent : instruction.shape.dims) dims += (dims.empty() ? "" : ",") + std::to_string(extent);
    return "reshape(" + operand + ", [" + dims + "])";
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
      operands.push_back(read_of(instruction, i));
    }
    const auto first = [&] { return inside(operands[0], Binding::kAtom, false); };
    if (compares_with_itself(instruction)) {
      const bool holds = *instruction.attributes->direction == "NE";
      return {(holds ? "isnan(" : "not isnan(") + operands[0].text + ")", holds ? Binding::kAtom : Binding::kPrefix};
    }
    if (const auto infix = infix_operator(instruction)) {
      const std::string op = " " + std::string(infix->text) + " ";
      return {inside(operands[0], infix->binding, false) + op + inside(operands[1], infix->binding, true),
              infix->binding};
    }
    switch (instruction.opcode) {
      case Opcode::kCopy:
        return operands[0];
      case Opcode::kBitcast:
      case Opcode::kReshape:
        if (!reshapes(instruction)) return operands[0];
        return {reshape_text(instruction, operands[0].text)};
      case Opcode::kNegate:
        return {"-" + inside(operands[0], Binding::kPrefix, true), Binding::kPrefix};
      case Opcode::kConvert:
        return {std::string(dtype_name(instruction.shape.dtype)) + "(" + operands[0].text + ")"};
      case Opcode::kSlice:
        return {first() + slice_text(instruction)};
      case Opcode::kBroadcast: {
        const Shape& from = instruction.operand(0)->shape;
        if (from.element_count() == 1) return operands[0];
        const std::vector<int64_t>& dimensions = *instruction.attributes->dimensions;
        const bool in_order = std::is_sorted(dimensions.begin(), dimensions.end());
        if (in_order && from.element_count() == instruction.shape.element_count()) return operands[0];
        const bool shown = is_ambiguous(from.dims, instruction.shape.dims);
        return {"broadcast(" + operands[0].text + (shown ? ", " + int_list(*instruction.attributes->dimensions) : "") +
                ")"};
      }
      case Opcode::kTranspose: {
        const bool shown = instruction.shape.dims.size() > 2;
        return {"transpose(" + operands[0].text + (shown ? ", " + int_list(*instruction.attributes->dimensions) : "") +
                ")"};
      }
      case Opcode::kReverse:
        return {"reverse(" + operands[0].text + ", " + int_list(*instruction.attributes->dimensions) + ")"};
      case Opcode::kIota: {
        const bool shown = instruction.shape.dims.size() > 1;
        return {"iota(" + (shown ? int_list({*instruction.attributes->iota_dimension}) : std::string()) + ")"};
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
        if (!window.empty()) return {first() + ", with " + window + " replaced by " + operands[1].text, Binding::kOr};
        break;
      }
      case Opcode::kConditional:
        // What its branches are given is theirs.
        return {"conditional(" + operands[0].text + ", ...)"};
      default:
        break;
    }
    std::string text = operation_name(instruction) + "(";
    for (size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? "" : ", ") + operands[i].text;
    return {text + (operands.size() < instruction.operands().size() ? ", ...)" : ")")};
  }

  FormulaNames names_;
  std::set<std::string> taken_;
  const StartNames& starts_;
  std::map<Place, std::string> start_of_;
  std::set<std::string> started_;
  std::map<const Instruction*, Formula> start_lines_;
  std::map<const Instruction*, int> uses_;
  std::map<const Instruction*, Text> inlined_;
  std::map<const Instruction*, std::string> lines_;
  FormulaNames unknown_;
};

}  // namespace

std::string operation_name(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kCall) return called_name(**instruction.attributes->to_apply);
  if (is_attention(instruction)) return "attention";
  if (is_chain(instruction)) return "chain";
  if (is_pairs(instruction)) return "pairs";
  if (is_network(instruction)) return "network";
  if (calls_device_function(instruction)) return device_function(instruction).function;
  if (calls_row_function(instruction)) return row_function(instruction).name.function;
  return std::string(opcode_name(instruction.opcode));
}

std::optional<std::vector<Formula>> formulas(const std::vector<const Instruction*>& computed,
                                             const std::set<const Instruction*>& results, FormulaNames names,
                                             std::set<std::string> taken, const StartNames& starts, size_t most,
                                             UnknownNames* unknown) {
  return Formulas(std::move(names), std::move(taken), starts).run(computed, results, most, unknown);
}

}  // namespace sinter
