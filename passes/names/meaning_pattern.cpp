#include "passes/names/meaning_pattern.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/constants.h"

namespace sinter {

namespace {

using Kind = MeaningPattern::Kind;

class PatternReader {
 public:
  explicit PatternReader(std::string_view text) : text_(text) {}

  MeaningPattern read() {
    MeaningPattern pattern;
    std::string_view word = next_word();
    for (; at_ < text_.size() && text_[at_] == ' '; word = next_word()) {
      ++at_;
      if (word == "under:") {
        pattern.divides = true;
      } else if (word == "spread:") {
        pattern.is_spread = true;
      } else if (word.starts_with("in:")) {
        pattern.function = word.substr(3);
      } else {
        pattern.type = word;
      }
    }
    if (word.size() == 1 && word[0] >= 'a' && word[0] <= 'z') {
      pattern.letter = word[0];
    } else if (word == "#") {
      pattern.kind = Kind::kConstant;
    } else if (word == "#small") {
      pattern.kind = Kind::kSmall;
    } else if (word == "count") {
      pattern.kind = Kind::kCount;
    } else if (word == "1/count") {
      pattern.kind = Kind::kInverseCount;
    } else if (word == "coefficient") {
      pattern.kind = Kind::kCoefficient;
    } else if (word[0] == '@' || word[0] == '~') {
      pattern.kind = Kind::kMeaning;
      pattern.meaning = word.substr(1);
      pattern.only_given = word[0] == '~';
    } else if (word[0] == '-' || (word[0] >= '0' && word[0] <= '9')) {
      pattern.kind = Kind::kNumber;
      pattern.number = std::strtod(std::string(word).c_str(), nullptr);
    } else {
      read_op(word, &pattern);
    }
    return pattern;
  }

 private:
  std::string_view next_word() {
    const size_t begin = at_;
    at_ = std::min(text_.find_first_of(" (),", at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  void read_op(std::string_view word, MeaningPattern* pattern) {
    pattern->kind = Kind::kOp;
    std::optional<Opcode> opcode = opcode_from_name(word);
    if (!opcode) {
      const size_t dash = word.find('-');
      opcode = opcode_from_name(word.substr(0, dash));
      check(opcode && dash != std::string_view::npos, "meanings.def", "no opcode " + std::string(word));
      pattern->detail = word.substr(dash + 1);
    }
    pattern->opcode = *opcode;
    pattern->has_operands = at_ < text_.size() && text_[at_] == '(';
    if (!pattern->has_operands) return;
    while (text_[at_] != ')') {
      at_ += text_[at_] == ',' ? 2 : 1;
      pattern->operands.push_back(read());
    }
    ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool is_commutative(Opcode opcode) {
  return opcode == Opcode::kAdd || opcode == Opcode::kMultiply || opcode == Opcode::kMaximum ||
         opcode == Opcode::kMinimum || opcode == Opcode::kAnd || opcode == Opcode::kOr || opcode == Opcode::kXor;
}

bool is_of_type(const Instruction& instruction, const std::string& type) {
  if (type.empty()) return true;
  if (!instruction.shape.is_array()) return false;
  const DType dtype = instruction.shape.dtype;
  if (type == "pred") return dtype == DType::kPred;
  if (type == "float") return is_float(dtype);
  if (type == "int") return is_integer(dtype);
  return dtype_name(dtype) == type;
}

bool is_close(double value, double wanted) { return std::abs(value - wanted) <= 1e-6 * std::abs(wanted); }

std::optional<double> constant_of(const Instruction& instruction) {
  if (!instruction.shape.is_array()) return std::nullopt;
  if (const std::optional<int64_t> integer = splat_integer(instruction)) return static_cast<double>(*integer);
  return splat_real(instruction);
}

bool loses_nothing(DType from, DType to) { return !is_float(from) || is_float(to); }

// What "add" of reduce-add and scatter-add, "lt" of compare-lt, "rows" of gather-rows ask for.
bool has_detail(const Instruction& instruction, const std::string& detail) {
  if (detail.empty()) return true;
  const Attributes& attributes = instruction.attributes;
  switch (instruction.opcode) {
    case Opcode::kReduce:
      if (instruction.operands().size() != 2) return false;
      [[fallthrough]];
    case Opcode::kScatter: {
      const std::optional<Opcode> combiner = simple_combiner(**attributes.to_apply);
      return combiner && opcode_name(*combiner) == detail;
    }
    case Opcode::kCompare: {
      std::string direction = *attributes.direction;
      for (char& c : direction) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return direction == detail;
    }
    case Opcode::kGather: {
      const bool rows = attributes.offset_dims && !attributes.offset_dims->empty();
      return rows == (detail == "rows");
    }
    default:
      return false;
  }
}

// Whether all that reads the value divides by it, maybe by a view of it.
bool only_divides(const Instruction& value, int depth = 0) {
  const auto divides = [&](const Instruction* user) {
    if (user->opcode == Opcode::kDivide) return user->operand(1) == &value && user->operand(0) != &value;
    return depth < 3 && &through_views(*user) == &through_views(value) && only_divides(*user, depth + 1);
  };
  return !value.users().empty() && std::all_of(value.users().begin(), value.users().end(), divides);
}

bool combine_alike(const Instruction& a, const Instruction& b) {
  if (a.operands().size() != 2 || b.operands().size() != 2) return false;
  const std::optional<Opcode> combiner = simple_combiner(**a.attributes->to_apply);
  return combiner && combiner == simple_combiner(**b.attributes->to_apply);
}

// What a reduction reduces, the parts that it may be made in seen as one: of filled up parts, what is in them.
const Instruction& reduced_of_all(const Instruction& reduce) {
  const Instruction* reduced = reduce.operand(0);
  if (reduced->opcode == Opcode::kReduce && combine_alike(reduce, *reduced)) {
    reduced = reduced->operand(0);
    if (reduced->opcode == Opcode::kReshape) reduced = reduced->operand(0);
    if (reduced->opcode == Opcode::kPad) reduced = reduced->operand(0);
  }
  return *reduced;
}

}  // namespace

MeaningPattern read_meaning_pattern(std::string_view text) { return PatternReader(text).read(); }

const Instruction& through_views(const Instruction& instruction) {
  const Instruction* value = &instruction;
  for (;;) {
    switch (value->opcode) {
      case Opcode::kConvert:
        if (!loses_nothing(value->operand(0)->shape.dtype, value->shape.dtype)) return *value;
        [[fallthrough]];
      case Opcode::kBitcast:
      case Opcode::kBroadcast:
      case Opcode::kCopy:
      case Opcode::kReshape:
      case Opcode::kTranspose:
        value = value->operand(0);
        continue;
      default:
        return *value;
    }
  }
}

bool is_partial(const Instruction& reduce) {
  const auto goes_on = [&](const Instruction* user) {
    return user->opcode == Opcode::kReduce && user->operand(0) == &reduce && combine_alike(*user, reduce);
  };
  const std::vector<Instruction*>& users = reduce.users();
  return reduce.opcode == Opcode::kReduce && !users.empty() && std::all_of(users.begin(), users.end(), goes_on);
}

bool MeaningMatcher::matches(const MeaningPattern& pattern, const Instruction& instruction, MeaningValues* values) {
  if (--steps_left_ < 0 || !is_of_type(instruction, pattern.type)) return false;
  if (!pattern.function.empty() && instruction.metadata->op_name.find(pattern.function) == std::string::npos)
    return false;
  if (pattern.divides && !only_divides(instruction)) return false;
  switch (pattern.kind) {
    case Kind::kValue: {
      const Instruction*& value = (*values)[static_cast<size_t>(pattern.letter - 'a')];
      if (value == nullptr) value = &instruction;
      return value == &instruction;
    }
    case Kind::kMeaning:
      return has_meaning_(instruction, pattern, *this);
    case Kind::kOp:
      return instruction.opcode == pattern.opcode && has_detail(instruction, pattern.detail) &&
             (!pattern.has_operands || matches_operands(pattern, instruction, values));
    default:
      break;
  }
  if (pattern.kind == Kind::kCoefficient && instruction.opcode == Opcode::kSelect)
    return constant_of(*instruction.operand(1)) && constant_of(*instruction.operand(2));
  const std::optional<double> constant = constant_of(instruction);
  if (!constant) return false;
  switch (pattern.kind) {
    case Kind::kNumber:
      return is_close(*constant, pattern.number);
    case Kind::kSmall:
      return *constant > 0 && *constant <= 1e-3;
    case Kind::kCount:
      return *constant == summed_;
    case Kind::kInverseCount:
      return summed_ > 1 && is_close(*constant, 1 / summed_);
    default:
      return true;
  }
}

bool MeaningMatcher::matches_operand(const MeaningPattern& pattern, const Instruction& operand, MeaningValues* values) {
  const Instruction& value = through_views(operand);
  if (pattern.is_spread && value.shape.element_count() >= operand.shape.element_count()) return false;
  return matches(pattern, value, values);
}

bool MeaningMatcher::matches_operands(const MeaningPattern& pattern, const Instruction& instruction,
                                      MeaningValues* values) {
  const std::vector<Instruction*>& operands = instruction.operands();
  if (instruction.opcode == Opcode::kReduce) {
    const Instruction& reduced = reduced_of_all(instruction);
    if (!matches_operand(pattern.operands[0], reduced, values)) return false;
    summed_ = static_cast<double>(reduced.shape.element_count()) /
              static_cast<double>(std::max<int64_t>(1, instruction.shape.element_count()));
    return true;
  }
  if (operands.size() < pattern.operands.size()) return false;
  const auto in_order = [&](size_t first, size_t second) {
    MeaningValues found = *values;
    if (!matches_operand(pattern.operands[0], *operands[first], &found)) return false;
    for (size_t i = 1; i < pattern.operands.size(); ++i) {
      if (!matches_operand(pattern.operands[i], *operands[i == 1 ? second : i], &found)) return false;
    }
    *values = found;
    return true;
  };
  if (in_order(0, 1)) return true;
  return is_commutative(instruction.opcode) && pattern.operands.size() == 2 && in_order(1, 0);
}

}  // namespace sinter
