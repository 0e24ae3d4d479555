#include "passes/lower/describe/loop_formulas.h"

#include <algorithm>

#include "passes/analysis/loops/while_analysis.h"
#include "passes/lower/describe/choose_formulas.h"
#include "passes/names/value_names.h"
#include "passes/schedule/groups/group_values.h"

namespace sinter {

namespace {

// The element of the state that an instruction of a loop's body or condition is; -1: it is none.
int64_t state_element(const Instruction& instruction, const Computation& computation) {
  const bool is_element = instruction.opcode == Opcode::kGetTupleElement &&
                          instruction.operand(0)->opcode == Opcode::kParameter &&
                          instruction.operand(0)->parent() == &computation;
  return is_element ? *instruction.attributes->tuple_index : -1;
}

// What the step makes of the element.
const Instruction* next_of(const Instruction& loop, int64_t element) {
  const Instruction* root = (*loop.attributes->body)->root();
  if (root->opcode != Opcode::kTuple) return root;
  return element < std::ssize(root->operands()) ? root->operand(static_cast<size_t>(element)) : nullptr;
}

// The variable that an assignment sets, or the thread's own array that it sets an element of.
const Variable* assigned_variable(const Expr& target) {
  if (target.kind == Expr::Kind::kVariable) return target.variable;
  const bool is_element = target.kind == Expr::Kind::kSubscript && target.operands[0]->kind == Expr::Kind::kVariable &&
                          target.operands[0]->type.kind == CType::Kind::kArray;
  return is_element ? target.operands[0]->variable : nullptr;
}

void collect_assigned(const Block& block, const Instruction& loop,
                      std::map<const Instruction*, std::vector<std::string>>* found) {
  for (const Statement& statement : block) {
    const bool is_of_loop = statement.kind == Statement::Kind::kAssign && statement.origin != nullptr &&
                            statement.origin->parent() == *loop.attributes->body;
    const Variable* assigned = is_of_loop ? assigned_variable(*statement.target) : nullptr;
    if (assigned != nullptr) {
      std::vector<std::string>& names = (*found)[statement.origin];
      const std::string& name = assigned->name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    collect_assigned(statement.body, loop, found);
    collect_assigned(statement.other, loop, found);
  }
}

// "b" of b_0_0, b_0_1, b_1_0.
std::string common_stem(const std::vector<std::string>& names) {
  std::string stem = names[0];
  const auto is_stem = [&] {
    return std::ranges::all_of(names, [&](const std::string& name) { return name.starts_with(stem + "_"); });
  };
  while (names.size() > 1 && !is_stem()) {
    std::string shorter = without_number(stem);
    if (shorter == stem) break;
    stem = std::move(shorter);
  }
  return stem;
}

// Lines that are made before those are chosen that a reader takes.
constexpr size_t kMostTried = 400;

// Lines for values around a loop.
constexpr size_t kMostAround = 6;

// Control flow has no formula.
bool is_control(const Instruction& instruction) {
  return instruction.opcode == Opcode::kWhile || instruction.opcode == Opcode::kConditional;
}

class LoopReader {
 public:
  LoopReader(const Instruction& loop, const std::map<int64_t, std::string>& carries, FormulaNames names)
      : loop_(loop), info_(analyze_while(loop)), carries_(carries), names_(std::move(names)) {}

  std::optional<LoopFormulas> read(std::set<std::string> taken, const StartNames& starts, size_t most) {
    const Computation& body = **loop_.attributes->body;
    const std::set<std::string> in_text = taken;
    name_state(body, &taken);
    std::set<const Instruction*> results;
    std::vector<Formula> passed_on;
    for (const auto& [element, name] : carries_) {
      const Instruction* next = next_of(loop_, element);
      if (next == nullptr) return std::nullopt;
      // Of a choice, next_x may be one side: then the whole is what x is set to. What the text computes in another way
      // has no formula, and is next_x here, too: x is the old one until the step ends.
      const bool is_side = std::ranges::any_of(
          names_, [&](const auto& of) { return of.first->parent() == &body && of.second == "next_" + name; });
      const std::string next_name = is_side ? name : "next_" + name;
      const auto named = names_.find(next);
      if (named != names_.end()) {
        if (named->second != "next_" + name) passed_on.push_back({next_name, named->second});
      } else if (is_plumbing(*next)) {
        return std::nullopt;
      } else {
        names_[next] = next_name;
        taken.insert(next_name);
      }
      if (state_element(*next, body) < 0) results.insert(next);
    }
    add_stacks(body, &results);
    const std::vector<const Instruction*> computed = made_of(body, results);
    if (std::any_of(computed.begin(), computed.end(), [](const auto* value) { return is_control(*value); }))
      return std::nullopt;
    std::optional<std::vector<Formula>> lines = formulas(computed, results, names_, taken, starts, kMostTried);
    if (!lines) return std::nullopt;
    std::vector<std::string> left_out;
    if (lines->size() + passed_on.size() > most) {
      std::set<std::string> wanted;
      for (const Instruction* result : results) wanted.insert(names_.at(result));
      const std::vector<Formula> all = std::move(*lines);
      lines = formulas_alone(all, wanted, in_text, most - std::min(most, passed_on.size()));
      left_out = names_left_out(*lines, all);
    }
    LoopFormulas result = {.lines = *lines,
                           .condition = info_.trip_count ? "" : condition(taken, starts),
                           .left_out = std::move(left_out)};
    result.lines.insert(result.lines.end(), passed_on.begin(), passed_on.end());
    explain_around(taken, starts, &result);
    if (result.lines.empty() || result.lines.size() > most) return std::nullopt;
    return result;
  }

 private:
  // Elements of the state go by their variables; what no step changes, by what it is around the loop.
  void name_state(const Computation& computation, std::set<std::string>* taken) {
    const Instruction* start = loop_.operand(0);
    for (const Instruction& instruction : computation.instructions()) {
      const int64_t element = state_element(instruction, computation);
      if (element < 0) continue;
      if (element == info_.counter && info_.trip_count) {
        names_[&instruction] = counter_text();
        continue;
      }
      const auto carried = carries_.find(element);
      if (carried != carries_.end()) {
        names_[&instruction] = carried->second;
        continue;
      }
      if (start->opcode != Opcode::kTuple) continue;
      const Instruction* around = start->operand(static_cast<size_t>(element));
      // What the text calls next_x is one row of it, which a step computes.
      const auto is_next = [&](const std::string& name) {
        return std::ranges::any_of(carries_, [&](const auto& carry) { return name == "next_" + carry.second; });
      };
      if (const auto row = names_.find(around); row != names_.end() && is_next(row->second)) names_.erase(row);
      if (names_.count(around) == 0 && around->opcode == Opcode::kConstant) {
        names_.emplace(&instruction, to_string(around->literal));
        continue;
      }
      // What has no name in the text gets one of its own; arrays of zeros are all the same.
      if (names_.count(around) == 0 && around->opcode == Opcode::kBroadcast) {
        names_.emplace(&instruction, value_name(*around));
        continue;
      }
      const auto [named, is_new] = names_.try_emplace(around, value_name(*around));
      const std::string base = named->second;
      for (int number = 1; is_new && !taken->insert(named->second).second; ++number)
        named->second = base + "_" + std::to_string(number);
      if (is_new) around_.push_back(around);
      names_.emplace(&instruction, named->second);
    }
  }

  // The counter that the condition tests, by that of the text's loop.
  std::string counter_text() const {
    const Carry& counter = info_.carries[static_cast<size_t>(info_.counter)];
    if (counter.start == 0 && counter.step == 1) return "t";
    const std::string step = counter.step == 1 ? "t" : std::to_string(counter.step) + " * t";
    return "(" + std::to_string(counter.start) + " + " + step + ")";
  }

  // Rows that a step leaves behind go by the array that they are stored to.
  void add_stacks(const Computation& body, std::set<const Instruction*>* results) {
    for (const Instruction* user : loop_.users()) {
      if (user->opcode != Opcode::kGetTupleElement) continue;
      const Instruction* next = next_of(loop_, *user->attributes->tuple_index);
      const auto named = names_.find(user);
      const bool stacks = next != nullptr && next->opcode == Opcode::kDynamicUpdateSlice && next->parent() == &body;
      if (!stacks || named == names_.end() || !names_.emplace(next, named->second).second) continue;
      results->insert(next);
      // What it begins with is the same memory.
      if (state_element(*next->operand(0), body) >= 0) names_[next->operand(0)] = named->second;
    }
  }

  // Lines for values around the loop that have a name in these formulas alone. What no few lines say is left out.
  void explain_around(const std::set<std::string>& taken, const StartNames& starts, LoopFormulas* loop) const {
    std::set<std::string> words;
    const auto add_words = [&](const std::string& text) {
      for (std::string& word : words_of(text)) words.insert(std::move(word));
    };
    add_words(loop->condition);
    for (const Formula& line : loop->lines) add_words(line.text);
    std::vector<const Instruction*> read = around_;
    std::erase_if(read, [&](const Instruction* value) { return words.count(names_.at(value)) == 0; });
    if (read.empty()) return;
    std::set<const Instruction*> known;
    for (const auto& [value, name] : names_) known.insert(value);
    for (const Instruction* value : read) known.erase(value);
    const std::set<const Instruction*> results(read.begin(), read.end());
    const std::vector<const Instruction*> computed = made_of(*loop_.parent(), results, known);
    const bool has_formula = std::ranges::none_of(computed, [](const auto* value) { return is_control(*value); });
    const bool is_computed = std::ranges::none_of(read, [](const auto* value) { return is_plumbing(*value); });
    std::optional<std::vector<Formula>> lines;
    if (has_formula && is_computed) lines = formulas(computed, results, names_, taken, starts, kMostAround);
    // A name that the steps set is one row's there, and not the array's.
    const auto is_of_step = [&](const std::string& word) {
      return std::ranges::any_of(carries_, [&](const auto& carry) { return word == carry.second; }) ||
             std::ranges::any_of(loop->lines, [&](const Formula& line) { return word == line.name; });
    };
    const auto reads_step = [&](const Formula& line) { return std::ranges::any_of(words_of(line.text), is_of_step); };
    if (lines && std::ranges::none_of(*lines, reads_step)) {
      loop->around = std::move(*lines);
    } else {
      for (const Instruction* value : read) loop->left_out.push_back(names_.at(value));
    }
  }

  // What results are made of, in the order of the text, but what is known already and what that is made of.
  static std::vector<const Instruction*> made_of(const Computation& body, std::set<const Instruction*> needed,
                                                 const std::set<const Instruction*>& known = {}) {
    std::vector<const Instruction*> result;
    for (auto instruction = body.instructions().rbegin(); instruction != body.instructions().rend(); ++instruction) {
      if (needed.count(&*instruction) == 0 || known.count(&*instruction) > 0) continue;
      needed.insert(instruction->operands().begin(), instruction->operands().end());
      if (!is_plumbing(*instruction)) result.push_back(&*instruction);
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

  std::string condition(std::set<std::string> taken, const StartNames& starts) {
    const Computation& tested = **loop_.attributes->condition;
    name_state(tested, &taken);
    std::vector<const Instruction*> computed;
    for (const Instruction& instruction : tested.instructions()) {
      if (is_control(instruction)) return "";
      if (!is_plumbing(instruction)) computed.push_back(&instruction);
    }
    const std::optional<std::vector<Formula>> lines = formulas(computed, {tested.root()}, names_, taken, starts, 1);
    return lines && lines->size() == 1 ? lines->front().text : "";
  }

  const Instruction& loop_;
  const WhileInfo info_;
  const std::map<int64_t, std::string>& carries_;
  FormulaNames names_;
  std::vector<const Instruction*> around_;  // values around the loop that got a name here, in the state's order
};

}  // namespace

std::map<int64_t, std::string> carry_variables(const Kernel& kernel, const Instruction& loop) {
  std::map<const Instruction*, std::vector<std::string>> assigned;
  collect_assigned(kernel.body, loop, &assigned);
  std::map<const Instruction*, std::vector<int64_t>> elements;
  const int64_t count = loop.shape.is_array() ? 1 : std::ssize(loop.shape.elements);
  for (int64_t element = 0; element < count; ++element) elements[next_of(loop, element)].push_back(element);
  std::map<int64_t, std::string> result;
  for (const auto& [next, names] : assigned) {
    const std::vector<int64_t>& of_next = elements[next];
    for (size_t i = 0; i < of_next.size(); ++i) {
      // Elements of one array, a variable each, go by the array.
      result[of_next[i]] = of_next.size() == names.size() ? names[i] : common_stem(names);
    }
  }
  return result;
}

std::optional<LoopFormulas> loop_formulas(const Instruction& loop, const std::map<int64_t, std::string>& carries,
                                          FormulaNames names, std::set<std::string> taken, const StartNames& starts,
                                          size_t most) {
  if (carries.empty()) return std::nullopt;
  return LoopReader(loop, carries, std::move(names)).read(std::move(taken), starts, most);
}

}  // namespace sinter
