#include "review/modules/module_changes.h"

#include <algorithm>
#include <functional>
#include <set>

#include "ir/text/print.h"

namespace sinter {

namespace {

// ", dimensions={1}, to_apply=plus".
std::string named_attributes(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kParameter) return "";
  std::string text = attributes_text(instruction);
  std::erase(text, '%');
  return text;
}

// Tuples and their elements are no computation.
bool is_plumbing(const Instruction& instruction) {
  return instruction.opcode == Opcode::kTuple || instruction.opcode == Opcode::kGetTupleElement;
}

// What many kernels have for themselves: it says nothing of which kernel is which.
bool is_made_anywhere(const Instruction& instruction) {
  return is_plumbing(instruction) || instruction.opcode == Opcode::kConstant ||
         instruction.opcode == Opcode::kBroadcast || instruction.opcode == Opcode::kIota;
}

}  // namespace

std::string instruction_line(const Instruction& instruction) {
  std::string text = instruction.name + " = ";
  std::string operation = operation_text(instruction, true);
  if (instruction.opcode == Opcode::kConstant) {
    text += operation;
  } else {
    const std::string word(opcode_name(instruction.opcode));
    const size_t end = operation.find(' ' + word) + 1 + word.size();
    std::string operands;
    for (const Instruction* operand : instruction.operands()) {
      operands += (operands.empty() ? "" : ", ") + operand->name;
    }
    if (instruction.opcode == Opcode::kParameter) operands = std::to_string(instruction.parameter_number);
    text += operation.substr(0, end) + "(" + operands + ")" + named_attributes(instruction);
  }
  const std::string python = python_line(instruction);
  return python.empty() ? text : text + "  " + python;
}

namespace {

using Set = std::set<const Instruction*>;

Set set_of(const RecordedModule& module, const std::vector<std::string>& kernels) {
  Set set;
  for (const std::string& kernel : kernels) {
    const std::vector<const Instruction*>& list = module.kernels.at(kernel);
    set.insert(list.begin(), list.end());
  }
  return set;
}

std::string kernel_of(const RecordedModule& module, const Instruction* instruction) {
  for (const auto& [name, list] : module.kernels) {
    if (std::find(list.begin(), list.end(), instruction) != list.end()) return name;
  }
  return "";
}

// In the order of their module's text.
std::vector<const Instruction*> in_order(const Module& module, const std::function<bool(const Instruction*)>& is_in) {
  std::vector<const Instruction*> list;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (is_in(&instruction)) list.push_back(&instruction);
    }
  }
  return list;
}

std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return isdigit(static_cast<unsigned char>(c)) != 0; });
  return text;
}

// The lines of two computations that only one of them has.
void add_lines_of_one(const Computation& has, const Computation& lacks, const std::string& sign,
                      std::vector<std::string>* lines) {
  std::set<std::string> others;
  for (const Instruction& instruction : lacks.instructions()) others.insert(instruction_line(instruction));
  for (const Instruction& instruction : has.instructions()) {
    const std::string line = instruction_line(instruction);
    if (!others.contains(line)) lines->push_back(sign + " in " + has.name + ": " + line);
  }
}

// What is applied to elements, where its name does not say that it is another: "- in best: gt = pred[] compare(a, b),
// direction=GT".
void add_applied(const Instruction& before, const Instruction& after, ModuleChanges* changes) {
  const std::vector<Computation*> called = before.called_computations(), others = after.called_computations();
  if (!bodies_of(before).empty() || called.size() != others.size()) return;
  for (size_t i = 0; i < called.size(); ++i) {
    add_lines_of_one(*called[i], *others[i], "-", &changes->lines);
    add_lines_of_one(*others[i], *called[i], "+", &changes->lines);
  }
}

// Sums over more elements, say, whose result is as it was.
bool other_operand_shapes(const Instruction& before, const Instruction& after) {
  const std::vector<Instruction*>&list = before.operands(), &others = after.operands();
  if (list.size() != others.size() || is_plumbing(before)) return false;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i]->shape != others[i]->shape) return true;
  }
  return false;
}

void add_change(const Alignment& alignment, const Instruction& before, ModuleChanges* changes) {
  const Instruction* after = alignment.after(&before);
  if (after == nullptr) {
    if (!is_plumbing(before)) changes->lines.push_back("- " + instruction_line(before));
    return;
  }
  const Difference difference = compare_instructions(alignment, before, *after);
  if (difference == Difference::kShape || other_operand_shapes(before, *after)) changes->shapes = true;
  if (difference != Difference::kOperation && difference != Difference::kOperands) return;
  if (is_plumbing(before) && is_plumbing(*after)) return;
  // Numbers that a text renumbers are no difference.
  const std::string gone = "- " + instruction_line(before), added = "+ " + instruction_line(*after);
  changes->lines.insert(changes->lines.end(), {gone, added});
  const bool constants = before.opcode == Opcode::kConstant && after->opcode == Opcode::kConstant;
  if (constants && before.shape == after->shape) changes->values.insert(changes->values.end(), {gone, added});
  if (without_digits(named_attributes(before)) == without_digits(named_attributes(*after))) {
    add_applied(before, *after, changes);
  }
}

// The computations that instructions of a program stand in: the entry, and bodies of loops and branches.
Set in_bodies(const Module& module) {
  Set set;
  std::vector<const Computation*> open = {module.entry()};
  std::set<const Computation*> seen;
  while (!open.empty()) {
    const Computation* computation = open.back();
    open.pop_back();
    if (!seen.insert(computation).second) continue;
    for (const Instruction& instruction : computation->instructions()) {
      set.insert(&instruction);
      for (const Computation* body : bodies_of(instruction)) open.push_back(body);
    }
  }
  return set;
}

}  // namespace

std::optional<ModulePair> read_module_pair(const FileSet& before, const FileSet& after) {
  std::optional<RecordedModule> one = read_recorded_module(before), other = read_recorded_module(after);
  if (!one || !other) return std::nullopt;
  ModulePair pair = {.before = std::move(*one), .after = std::move(*other)};
  pair.alignment = align(*pair.before.module, *pair.after.module);
  return pair;
}

ModuleChanges program_changes(const ModulePair& pair) {
  ModuleChanges changes;
  const Set before = in_bodies(*pair.before.module), after = in_bodies(*pair.after.module);
  for (const Instruction* instruction :
       in_order(*pair.before.module, [&](const Instruction* one) { return before.contains(one); })) {
    add_change(pair.alignment, *instruction, &changes);
  }
  for (const Instruction* instruction :
       in_order(*pair.after.module, [&](const Instruction* one) { return after.contains(one); })) {
    if (pair.alignment.before(instruction) != nullptr || is_plumbing(*instruction)) continue;
    changes.lines.push_back("+ " + instruction_line(*instruction));
  }
  return changes;
}

std::optional<ModuleChanges> kernel_changes(const ModulePair& pair, const std::vector<std::string>& before,
                                            const std::vector<std::string>& after) {
  const auto knows = [](const RecordedModule& module, const std::string& kernel) {
    return module.kernels.contains(kernel);
  };
  for (const std::string& kernel : before) {
    if (!knows(pair.before, kernel)) return std::nullopt;
  }
  for (const std::string& kernel : after) {
    if (!knows(pair.after, kernel)) return std::nullopt;
  }
  ModuleChanges changes;
  const Set set = set_of(pair.before, before), others = set_of(pair.after, after);
  const auto moved = [](const RecordedModule& module, const Instruction* instruction, const char* verb) {
    const std::string kernel = kernel_of(module, instruction);
    return kernel.empty() ? "" : std::string("  (") + verb + " in " + kernel + ")";
  };
  for (const Instruction* instruction :
       in_order(*pair.before.module, [&](const Instruction* one) { return set.contains(one); })) {
    const Instruction* other = pair.alignment.after(instruction);
    if (other == nullptr || others.contains(other)) {
      add_change(pair.alignment, *instruction, &changes);
    } else if (!is_made_anywhere(*instruction)) {
      changes.lines.push_back("- " + instruction_line(*instruction) + moved(pair.after, other, "now"));
    }
  }
  for (const Instruction* instruction :
       in_order(*pair.after.module, [&](const Instruction* one) { return others.contains(one); })) {
    const Instruction* other = pair.alignment.before(instruction);
    if (other == nullptr) {
      if (!is_plumbing(*instruction)) changes.lines.push_back("+ " + instruction_line(*instruction));
    } else if (!set.contains(other) && !is_made_anywhere(*instruction)) {
      changes.lines.push_back("+ " + instruction_line(*instruction) + moved(pair.before, other, "was"));
    }
  }
  return changes;
}

std::map<std::string, std::map<std::string, Overlap>> kernel_overlaps(const ModulePair& pair) {
  const auto values = [](const std::vector<const Instruction*>& list) {
    Set set;
    for (const Instruction* instruction : list) {
      if (!is_made_anywhere(*instruction)) set.insert(instruction);
    }
    return set;
  };
  std::map<std::string, std::map<std::string, Overlap>> overlaps;
  std::map<std::string, Set> after;
  for (const auto& [name, list] : pair.after.kernels) after[name] = values(list);
  for (const auto& [name, list] : pair.before.kernels) {
    const Set set = values(list);
    for (const auto& [other, others] : after) {
      Overlap overlap = {.before = set.size(), .after = others.size()};
      for (const Instruction* instruction : set) {
        if (pair.alignment.after(instruction) != nullptr) ++overlap.known_before;
      }
      for (const Instruction* instruction : others) {
        if (pair.alignment.before(instruction) != nullptr) ++overlap.known_after;
      }
      for (const Instruction* instruction : set) {
        if (others.contains(pair.alignment.after(instruction))) ++overlap.both;
      }
      if (overlap.both > 0) overlaps[name][other] = overlap;
    }
  }
  return overlaps;
}

}  // namespace sinter
