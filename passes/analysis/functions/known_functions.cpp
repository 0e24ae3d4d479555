#include "passes/analysis/functions/known_functions.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ir/module/host_functions.h"

namespace sinter {
namespace {

using Word = size_t;

// What words of 32 bits are computed from, each in one form however a text writes it: sums and exclusive ors have
// neither order nor nesting, and two shifts that make a rotation are one. Words of equal form are the same number.
class Words {
 public:
  Word parameter(int64_t number) { return intern({.kind = Kind::kParameter, .number = static_cast<uint32_t>(number)}); }
  Word constant(uint32_t value) { return intern({.kind = Kind::kSum, .number = value}); }
  Word rotated(Word word, uint32_t amount) { return of_one(Kind::kRotation, word, amount); }

  Word sum(Word left, Word right) {
    Form form{.kind = Kind::kSum};
    for (const Word word : {left, right}) {
      const Form& added = forms_[word];
      if (added.kind != Kind::kSum) {
        form.add(word, 1);
        continue;
      }
      form.number += added.number;
      for (const auto& [term, times] : added.terms) form.add(term, times);
    }
    return intern(std::move(form));
  }

  Word exclusive_or(Word left, Word right) {
    Form form{.kind = Kind::kExclusiveOr};
    for (const Word word : {left, right}) {
      const Form& other = forms_[word];
      if (const std::optional<uint32_t> value = constant_of(word)) {
        form.number ^= *value;
      } else if (other.kind != Kind::kExclusiveOr) {
        form.toggle(word);
      } else {
        form.number ^= other.number;
        for (const auto& [term, times] : other.terms) form.toggle(term);
      }
    }
    return form.terms.empty() ? constant(form.number) : intern(std::move(form));
  }

  std::optional<Word> shifted(Word word, Word amount, bool left) {
    const std::optional<uint32_t> by = constant_of(amount);
    if (!by || *by == 0 || *by >= 32) return std::nullopt;
    return of_one(left ? Kind::kShiftLeft : Kind::kShiftRight, word, *by);
  }

  // Of a word shifted both ways, all bits once: a rotation. No other one is known.
  std::optional<Word> inclusive_or(Word left, Word right) {
    if (forms_[left].kind != Kind::kShiftLeft) std::swap(left, right);
    const Form& up = forms_[left];
    const Form& down = forms_[right];
    const bool rotates = up.kind == Kind::kShiftLeft && down.kind == Kind::kShiftRight && up.terms == down.terms &&
                         up.number + down.number == 32;
    if (!rotates) return std::nullopt;
    return rotated(up.terms.begin()->first, up.number);
  }

 private:
  enum class Kind : uint8_t { kParameter, kSum, kExclusiveOr, kRotation, kShiftLeft, kShiftRight };

  struct Form {
    Kind kind;
    uint32_t number = 0;                  // of a parameter, added, or shifted by; a constant is a sum of nothing else
    std::map<Word, uint32_t> terms = {};  // how often each
    auto operator<=>(const Form&) const = default;

    void add(Word term, uint32_t times) {
      if ((terms[term] += times) == 0) terms.erase(term);
    }
    void toggle(Word term) {
      if (terms.erase(term) == 0) terms[term] = 1;
    }
  };

  std::optional<uint32_t> constant_of(Word word) const {
    const Form& form = forms_[word];
    if (form.kind != Kind::kSum || !form.terms.empty()) return std::nullopt;
    return form.number;
  }

  Word of_one(Kind kind, Word word, uint32_t amount) {
    return intern({.kind = kind, .number = amount, .terms = {{word, 1}}});
  }

  Word intern(Form form) {
    const bool is_group = form.kind == Kind::kSum || form.kind == Kind::kExclusiveOr;
    if (is_group && form.number == 0 && form.terms.size() == 1 && form.terms.begin()->second == 1)
      return form.terms.begin()->first;
    const auto [known, fresh] = numbers_.try_emplace(form, forms_.size());
    if (fresh) forms_.push_back(std::move(form));
    return known->second;
  }

  std::vector<Form> forms_;
  std::map<Form, Word> numbers_;
};

// As in templates/device/threefry2x32.cuh.
std::vector<Word> threefry2x32(Words& words) {
  constexpr std::array<std::array<uint32_t, 4>, 2> kRotations = {{{13, 15, 26, 6}, {17, 29, 16, 24}}};
  std::array<Word, 3> keys = {words.parameter(0), words.parameter(1)};
  keys[2] = words.exclusive_or(words.exclusive_or(keys[0], keys[1]), words.constant(0x1BD11BDA));
  Word x0 = words.sum(words.parameter(2), keys[0]);
  Word x1 = words.sum(words.parameter(3), keys[1]);
  for (uint32_t group = 1; group <= 5; ++group) {
    for (const uint32_t rotation : kRotations[(group - 1) % 2]) {
      x0 = words.sum(x0, x1);
      x1 = words.exclusive_or(words.rotated(x1, rotation), x0);
    }
    x0 = words.sum(x0, keys[group % 3]);
    x1 = words.sum(words.sum(x1, keys[(group + 1) % 3]), words.constant(group));
  }
  return {x0, x1};
}

class Reader {
 public:
  explicit Reader(Words& words) : words_(words) {}

  // What the computation gives, if it is made of words alone.
  std::optional<std::vector<Word>> results_of(const Computation& computation) {
    const Instruction* root = computation.root();
    for (const Instruction& instruction : computation.instructions()) {
      if (&instruction == root && root->opcode == Opcode::kTuple) continue;
      if (!instruction.shape.is_array() || instruction.shape.dtype != DType::kU32) return std::nullopt;
      const std::optional<Word> word = word_of(instruction);
      if (!word) return std::nullopt;
      words_of_[&instruction] = *word;
    }
    if (root->opcode != Opcode::kTuple) return std::vector<Word>{words_of_.at(root)};
    std::vector<Word> results;
    for (const Instruction* result : root->operands()) results.push_back(words_of_.at(result));
    return results;
  }

 private:
  Word operand(const Instruction& instruction, size_t position) const {
    return words_of_.at(instruction.operand(position));
  }

  std::optional<Word> word_of(const Instruction& instruction) {
    switch (instruction.opcode) {
      case Opcode::kParameter:
        return words_.parameter(instruction.parameter_number);
      case Opcode::kConstant:
        if (instruction.literal.is_elided() || !(instruction.shape.is_scalar() || instruction.literal.is_splat()))
          return std::nullopt;
        return words_.constant(static_cast<uint32_t>(instruction.literal.integer_at(0)));
      case Opcode::kBroadcast:
      case Opcode::kReshape:
        return operand(instruction, 0);
      case Opcode::kAdd:
        return words_.sum(operand(instruction, 0), operand(instruction, 1));
      case Opcode::kXor:
        return words_.exclusive_or(operand(instruction, 0), operand(instruction, 1));
      case Opcode::kOr:
        return words_.inclusive_or(operand(instruction, 0), operand(instruction, 1));
      case Opcode::kShiftLeft:
      case Opcode::kShiftRightLogical:
        return words_.shifted(operand(instruction, 0), operand(instruction, 1),
                              instruction.opcode == Opcode::kShiftLeft);
      default:
        return std::nullopt;
    }
  }

  Words& words_;
  std::unordered_map<const Instruction*, Word> words_of_;
};

}  // namespace

bool is_user_function(const Computation& computation) {
  const Instruction* root = computation.root();
  if (root->opcode != Opcode::kTuple || root->operands().empty()) return false;
  const std::vector<Instruction*> parameters = computation.parameters();
  const Instruction& first = *root->operand(0);
  return std::all_of(root->operands().begin(), root->operands().end(), [&](const Instruction* result) {
    return device_result(*result) && to_string(device_function(*result)) == to_string(device_function(first)) &&
           device_result(*result)->type == device_result(first)->type &&
           std::equal(parameters.begin(), parameters.end(), result->operands().begin(), result->operands().end());
  });
}

std::optional<KnownFunction> known_function(const Computation& computation) {
  if (is_user_function(computation)) {
    const Instruction& first = *computation.root()->operand(0);
    const DeviceFunctionName name = device_function(first);
    KnownFunction function = {.name = "::" + name.function,
                              .header = name.header,
                              .type = "::" + device_result(first)->type,
                              .value = plain_name(name)};
    for (const Instruction* result : computation.root()->operands())
      function.members.push_back(device_result(*result)->member);
    return function;
  }
  static const KnownFunction threefry = {.name = "threefry2x32",
                                         .header = "device/threefry2x32.cuh",
                                         .type = "Threefry2x32",
                                         .members = {"first", "second"},
                                         .value = "random_words"};
  if (computation.parameters().size() != 4) return std::nullopt;
  Words words;
  const std::optional<std::vector<Word>> results = Reader(words).results_of(computation);
  return results && *results == threefry2x32(words) ? std::optional(threefry) : std::nullopt;
}

}  // namespace sinter
