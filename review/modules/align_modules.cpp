#include "review/modules/align_modules.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "ir/ops/op_table.h"
#include "ir/support/is_word.h"
#include "ir/text/print.h"

namespace sinter {

namespace {

bool has_bodies(const Instruction& instruction) {
  return instruction.opcode == Opcode::kWhile || instruction.opcode == Opcode::kConditional ||
         instruction.opcode == Opcode::kCall || instruction.opcode == Opcode::kFusion;
}

// "f32[64,97]{1,0}" -> "f32[#,#]{1,0}": types and layouts stay. Else "dimensions={1}" would be "{#}", and a number that
// is an axis is no extent: of attributes only those of slices, pads and windows have extents.
std::string without_numbers(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool digit = isdigit(static_cast<unsigned char>(text[i])) != 0;
    const bool in_word = i > 0 && is_word(text[i - 1]);
    if (digit && !in_word) {
      while (i + 1 < text.size() && isdigit(static_cast<unsigned char>(text[i + 1])) != 0) ++i;
      result += '#';
    } else {
      result += text[i];
    }
  }
  return result;
}

// A small computation as one text: what it makes of its parameters.
std::string applied_text(const Computation& computation) {
  std::map<const Instruction*, size_t> numbers;
  std::string text = "{";
  for (const Instruction& instruction : computation.instructions()) {
    text += operation_text(instruction, true) + "(";
    for (const Instruction* operand : instruction.operands()) text += std::to_string(numbers[operand]) + " ";
    text += ");";
    const size_t number = numbers.size();
    numbers.emplace(&instruction, number);
  }
  return text + "}";
}

// The attributes, with what is applied in place of its name.
std::string meaning_of_attributes(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kConstant || instruction.opcode == Opcode::kParameter) return "";
  std::string text = attributes_text(instruction);
  for (const Computation* called : instruction.called_computations()) {
    const std::string name = "%" + called->name;
    const std::string content = has_bodies(instruction) ? "" : applied_text(*called);
    const size_t at = text.find(name);
    if (at != std::string::npos) text.replace(at, name.size(), content);
  }
  return text;
}

std::string value_text(const Instruction& constant) {
  const auto hash = constant.annotations->frontend_attributes.find("sha256");
  if (hash != constant.annotations->frontend_attributes.end()) return hash->second;
  return to_string(constant.literal);
}

using Hashes = std::unordered_map<const Instruction*, size_t>;

// Of an instruction with all that it is made from.
class Hasher {
 public:
  explicit Hasher(bool numbers) : numbers_(numbers) {}

  void run(const Computation& computation, Hashes* hashes) {
    for (const Instruction& instruction : computation.instructions()) {
      std::string text = operation_text(instruction, numbers_);
      if (instruction.opcode == Opcode::kParameter) text += std::to_string(instruction.parameter_number);
      for (const Instruction* operand : instruction.operands()) text += "|" + std::to_string((*hashes)[operand]);
      for (const Computation* body : bodies_of(instruction)) text += "|" + std::to_string(of_body(*body));
      (*hashes)[&instruction] = std::hash<std::string>()(text);
    }
  }

 private:
  size_t of_body(const Computation& body) {
    const auto known = bodies_.find(&body);
    if (known != bodies_.end()) return known->second;
    Hashes hashes;
    run(body, &hashes);
    return bodies_[&body] = hashes[body.root()];
  }

  bool numbers_;
  std::unordered_map<const Computation*, size_t> bodies_;
};

class Aligner {
 public:
  Alignment run(const Module& before, const Module& after) {
    align(*before.entry(), *after.entry());
    return std::move(alignment_);
  }

 private:
  bool is_free(const Instruction* before, const Instruction* after) const {
    return alignment_.after(before) == nullptr && alignment_.before(after) == nullptr;
  }

  void pair(const Instruction* before, const Instruction* after) {
    alignment_.pair(before, after);
    left_.emplace_back(before, after);
  }

  // Each two computations are aligned once: what calls them first says with which.
  void align(const Computation& before, const Computation& after) {
    if (!seen_.insert(&before).second || !seen_.insert(&after).second) return;
    const size_t outer = left_.size();
    pair_parameters(before, after);
    for (const bool numbers : {true, false}) pair_by_hash(before, after, numbers);
    if (is_free(before.root(), after.root())) {
      if (before.root()->opcode == after.root()->opcode) pair(before.root(), after.root());
    }
    spread(outer);
    // What stands in the same place may be replaced by another operation.
    for (const Instruction& user : after_text_reversed(before)) {
      const Instruction* other = alignment_.after(&user);
      if (other == nullptr || other->operands().size() != user.operands().size()) continue;
      for (size_t i = 0; i < user.operands().size(); ++i) {
        const Instruction *a = user.operand(i), *b = other->operand(i);
        if (!is_free(a, b) || a->operands().size() != b->operands().size()) continue;
        pair(a, b);
        spread(outer);
      }
    }
    for (const Instruction& instruction : before.instructions()) {
      const Instruction* other = alignment_.after(&instruction);
      if (other == nullptr) continue;
      const std::vector<const Computation*> bodies = bodies_of(instruction), others = bodies_of(*other);
      for (size_t i = 0; i < bodies.size() && bodies.size() == others.size(); ++i) align(*bodies[i], *others[i]);
    }
  }

  static std::vector<std::reference_wrapper<const Instruction>> after_text_reversed(const Computation& computation) {
    std::vector<std::reference_wrapper<const Instruction>> list(computation.instructions().begin(),
                                                                computation.instructions().end());
    std::reverse(list.begin(), list.end());
    return list;
  }

  static std::string stem(const std::string& name) { return name.substr(0, name.find_last_not_of("0123456789._") + 1); }

  // By name, since they may change places, then by number.
  void pair_parameters(const Computation& before, const Computation& after) {
    const std::vector<Instruction*> list = before.parameters(), others = after.parameters();
    for (const bool by_name : {true, false}) {
      for (const Instruction* a : list) {
        for (const Instruction* b : others) {
          const bool same = by_name ? stem(a->name) == stem(b->name) && a->shape.dims.size() == b->shape.dims.size()
                                    : a->parameter_number == b->parameter_number;
          if (same && is_free(a, b)) pair(a, b);
        }
      }
    }
  }

  void pair_by_hash(const Computation& before, const Computation& after, bool numbers) {
    Hashes hashes, others;
    Hasher(numbers).run(before, &hashes);
    Hasher(numbers).run(after, &others);
    std::unordered_map<size_t, std::deque<const Instruction*>> free;
    for (const Instruction& instruction : after.instructions()) {
      if (alignment_.before(&instruction) == nullptr) free[others[&instruction]].push_back(&instruction);
    }
    for (const Instruction& instruction : before.instructions()) {
      if (alignment_.after(&instruction) != nullptr) continue;
      const auto found = free.find(hashes[&instruction]);
      if (found == free.end() || found->second.empty()) continue;
      pair(&instruction, found->second.front());
      found->second.pop_front();
    }
  }

  // From pairs to their operands and users.
  void spread(size_t down_to) {
    while (left_.size() > down_to) {
      const auto [before, after] = left_.back();
      left_.pop_back();
      spread_to_operands(*before, *after);
      spread_to_users(*before, *after);
    }
  }

  void spread_to_operands(const Instruction& before, const Instruction& after) {
    const std::vector<Instruction*>&list = before.operands(), &others = after.operands();
    if (list.size() == others.size()) {
      for (size_t i = 0; i < list.size(); ++i) {
        if (is_free(list[i], others[i]) && list[i]->opcode == others[i]->opcode) pair(list[i], others[i]);
      }
      if (list.size() == 2 && op_def(before.opcode).commutative) {
        for (size_t i = 0; i < 2; ++i) {
          if (is_free(list[i], others[1 - i]) && list[i]->opcode == others[1 - i]->opcode) pair(list[i], others[1 - i]);
        }
      }
      return;
    }
    // Of more or fewer operands those that are alike, in their order.
    size_t next = 0;
    for (const Instruction* operand : list) {
      for (size_t i = next; i < others.size(); ++i) {
        if (!is_free(operand, others[i]) || operation_text(*operand, false) != operation_text(*others[i], false)) {
          continue;
        }
        pair(operand, others[i]);
        next = i + 1;
        break;
      }
    }
  }

  // The one user of an operation in a place.
  const Instruction* only_user(const Instruction& value, Opcode opcode, bool before) const {
    const Instruction* found = nullptr;
    for (const Instruction* user : value.users()) {
      const bool free = before ? alignment_.after(user) == nullptr : alignment_.before(user) == nullptr;
      if (!free || user->opcode != opcode || user == found) continue;
      if (found != nullptr) return nullptr;
      found = user;
    }
    return found;
  }

  void spread_to_users(const Instruction& before, const Instruction& after) {
    for (const Instruction* user : before.users()) {
      if (alignment_.after(user) != nullptr || only_user(before, user->opcode, true) != user) continue;
      const Instruction* other = only_user(after, user->opcode, false);
      if (other != nullptr) pair(user, other);
    }
  }

  Alignment alignment_;
  std::vector<std::pair<const Instruction*, const Instruction*>> left_;
  std::set<const Computation*> seen_;
};

}  // namespace

Alignment align(const Module& before, const Module& after) { return Aligner().run(before, after); }

std::string attributes_text(const Instruction& instruction) {
  std::string text = print(instruction, {.metadata = false, .large_constants = false});
  const size_t end = text.find(')', text.find(std::string(opcode_name(instruction.opcode)) + "(", text.find(" = ")));
  text = end == std::string::npos ? "" : text.substr(end + 1);
  text.erase(std::min(text.find(", frontend_attributes={"), text.size()));
  // Which function of the user's own a call is of, and what numbers it is given.
  for (const auto& [key, value] : instruction.annotations->frontend_attributes) {
    const bool is_function = key.starts_with("sinter_device_") || key.starts_with("sinter_row_");
    if (is_function || key.starts_with("sinter_host_")) text += ", " + key + "=\"" + value + "\"";
  }
  return text;
}

std::vector<const Computation*> bodies_of(const Instruction& instruction) {
  if (!has_bodies(instruction)) return {};
  const std::vector<Computation*> called = instruction.called_computations();
  return {called.begin(), called.end()};
}

std::string operation_text(const Instruction& instruction, bool numbers) {
  const std::string shape = to_string(instruction.shape, false) + " ";
  std::string text = (numbers ? shape : without_numbers(shape)) + std::string(opcode_name(instruction.opcode));
  const std::string attributes = meaning_of_attributes(instruction);
  text += numbers ? attributes : without_numbers(attributes);
  if (instruction.opcode == Opcode::kConstant && numbers) text += " " + value_text(instruction);
  return text;
}

Difference compare_instructions(const Alignment& alignment, const Instruction& before, const Instruction& after) {
  Difference difference = Difference::kNone;
  if (operation_text(before, true) != operation_text(after, true)) {
    if (operation_text(before, false) != operation_text(after, false)) return Difference::kOperation;
    // A number that is no extent is a part of the operation: an axis, a constant's value.
    if (before.shape == after.shape) return Difference::kOperation;
    if (before.opcode == Opcode::kConstant && before.shape.dims == after.shape.dims) return Difference::kOperation;
    difference = Difference::kShape;
  }
  const std::vector<Instruction*>&list = before.operands(), &others = after.operands();
  if (list.size() != others.size()) return Difference::kOperation;
  std::vector<const Instruction*> mapped;
  for (const Instruction* operand : list) mapped.push_back(alignment.after(operand));
  const bool swapped = list.size() == 2 && op_def(before.opcode).commutative && mapped[0] == others[1] &&
                       mapped[1] == others[0] && mapped[0] != nullptr && mapped[1] != nullptr;
  for (size_t i = 0; i < list.size() && !swapped; ++i) {
    if (mapped[i] == others[i]) continue;
    // What only one module has is said of itself.
    const bool follows = mapped[i] == nullptr || alignment.before(others[i]) == nullptr;
    if (!follows) return Difference::kOperands;
  }
  return difference;
}

}  // namespace sinter
