#include "review/diff/compare_code.h"

#include <algorithm>
#include <set>

#include "ir/support/is_word.h"
#include "review/diff/canonical_text.h"
#include "review/diff/simplify_code.h"

namespace sinter {

const char* verdict_name(Verdict verdict) {
  constexpr const char* kNames[] = {"identical",   "text",        "constants", "rounding", "schedule",
                                    "computation", "interface",   "added",     "removed",  "split",
                                    "merged",      "hand-edited", "unknown"};
  return kNames[static_cast<size_t>(verdict)];
}

namespace {

using Tokens = std::vector<CanonicalToken>;

// Both codes, written in one way.
struct Texts {
  Tokens before, after;
};

enum class Equal : uint8_t { kNo, kButForNumbers, kYes };

Equal compare(const Texts& texts) {
  if (texts.before.size() != texts.after.size()) return Equal::kNo;
  Equal equal = Equal::kYes;
  for (size_t i = 0; i < texts.before.size(); ++i) {
    const CanonicalToken &a = texts.before[i], &b = texts.after[i];
    if (a.number != b.number) return Equal::kNo;
    if (a.text == b.text) continue;
    if (!a.number) return Equal::kNo;
    // Of one type.
    if (a.text.substr(a.text.rfind(':')) != b.text.substr(b.text.rfind(':'))) return Equal::kNo;
    equal = Equal::kButForNumbers;
  }
  return equal;
}

std::string value_of(const std::vector<FileConstant>& numbers, const std::string& name) {
  for (const FileConstant& number : numbers) {
    if (number.name == name) return number.value;
  }
  return "";
}

// Names in the source of a number whose values changed.
bool names_changed(const std::string& spelled, const std::set<std::string>& changed) {
  for (size_t i = 0; i < spelled.size();) {
    if (!is_word(spelled[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < spelled.size() && is_word(spelled[end])) ++end;
    if (changed.count(spelled.substr(i, end - i)) > 0) return true;
    i = end;
  }
  return false;
}

std::vector<NumberChange> number_changes(const Code& before, const Code& after, const Texts& texts) {
  std::vector<NumberChange> changes;
  std::set<std::string> changed;
  for (const FileConstant& number : before.numbers) {
    const std::string value = value_of(after.numbers, number.name);
    if (value.empty() || value == number.value || !changed.insert(number.name).second) continue;
    // What follows from another.
    if (names_changed(number.spelled, changed)) continue;
    changed.insert(number.name.substr(number.name.rfind(':') + 1));
    NumberChange change = {.name = number.name, .from = number.value, .to = value, .line = number.line};
    for (const FileConstant& other : after.numbers) {
      if (other.name == number.name && change.line_after == 0) change.line_after = other.line;
    }
    changes.push_back(std::move(change));
  }
  for (size_t i = 0; i < texts.before.size(); ++i) {
    const CanonicalToken &a = texts.before[i], &b = texts.after[i];
    if (!a.number || a.text == b.text) continue;
    if (names_changed(a.spelled, changed) && names_changed(b.spelled, changed)) continue;
    const bool follows = a.line == 0 && std::any_of(changes.begin(), changes.end(), [&](const NumberChange& change) {
                           return change.from == a.shown && change.to == b.shown;
                         });
    if (follows) continue;
    const auto known = std::find_if(changes.begin(), changes.end(), [&](const NumberChange& change) {
      return change.name.empty() && change.from == a.shown && change.to == b.shown;
    });
    if (known != changes.end()) {
      ++known->count;
      if (a.line > 0 && (known->line == 0 || a.line < known->line)) {
        known->line = a.line;
        known->line_after = b.line;
      }
    } else {
      changes.push_back({.from = a.shown, .to = b.shown, .line = a.line, .line_after = b.line});
    }
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const NumberChange& a, const NumberChange& b) { return a.line < b.line; });
  return changes;
}

std::vector<Rename> renames_of(const Code& before, const Code& after, const Texts& texts) {
  std::vector<Rename> renames;
  std::set<std::pair<std::string, std::string>> seen;
  for (size_t i = 0; i < texts.before.size(); ++i) {
    const int a = texts.before[i].entity, b = texts.after[i].entity;
    if (a < 0 || b < 0) continue;
    const std::string &from = before.entities[a].name, &to = after.entities[b].name;
    if (from != to && seen.insert({from, to}).second) renames.push_back({from, to});
  }
  return renames;
}

class Comparer {
 public:
  Comparer(const Code& before, const Code& after, const std::map<std::string, std::string>& renamed)
      : before_(before), after_(after), renamed_(renamed) {}

  CodeComparison run() {
    for (const Code* code : {&before_, &after_}) {
      if (!code->not_followed.empty()) {
        return {.verdict = Verdict::kUnknown, .reason = "does not follow " + code->not_followed[0]};
      }
    }
    const SimplifyOptions plain;
    const Texts texts = write(plain, {});
    if (compare(texts) == Equal::kYes) {
      return {.verdict = Verdict::kText, .renames = renames_of(before_, after_, texts)};
    }
    const CanonicalOptions shape = {.without_numbers = true};
    const Texts shapes = write(plain, shape);
    if (compare(shapes) != Equal::kNo) {
      return {.verdict = Verdict::kConstants, .numbers = number_changes(before_, after_, shapes)};
    }
    const SimplifyOptions expanded = {.contractions = false};
    if (compare(write(expanded, {})) == Equal::kYes) {
      return {.verdict = Verdict::kRounding, .reason = contraction_counts(texts)};
    }
    const SimplifyOptions bare = {.hints = false};
    const Texts unhinted = write(bare, shape);
    if (compare(unhinted) != Equal::kNo) {
      return {.verdict = Verdict::kSchedule,
              .numbers = number_changes(before_, after_, unhinted),
              .reason = "how far loops are unrolled, or the bounds of launches"};
    }
    if (only_parameters_moved()) {
      return {.verdict = Verdict::kInterface, .reason = "the same but for the order of its parameters"};
    }
    return {.verdict = Verdict::kComputation};
  }

 private:
  static std::vector<int> kernels_of(const Code& code) {
    std::vector<int> kernels;
    for (size_t i = 0; i < code.entities.size(); ++i) {
      if (code.entities[i].kernel) kernels.push_back(static_cast<int>(i));
    }
    return kernels;
  }

  using Names = std::vector<std::string>;

  static void find_names(const Code& code, const CodeNode& node, Names* names) {
    if (node.kind == CodeNode::Kind::kName) names->push_back(code.entities[node.entity].name);
    for (const CodeNode& part : node.parts) find_names(code, part, names);
  }

  static Names parameters_of(const Code& code, int function) {
    Names names;
    for (const CodeNode& part : code.entities[function].definition.parts) {
      if (part.kind == CodeNode::Kind::kWord && part.text == "parameters") find_names(code, part, &names);
    }
    return names;
  }

  // The call that is given the kernel; nullptr if there is none.
  static const CodeNode* launch_of(const CodeNode& node, int kernel) {
    for (const CodeNode& part : node.parts) {
      if (const CodeNode* found = launch_of(part, kernel)) return found;
    }
    const bool is_given = std::any_of(node.parts.begin(), node.parts.end(), [&](const CodeNode& part) {
      return part.kind == CodeNode::Kind::kName && part.entity == kernel;
    });
    return is_given && node.text == "call" ? &node : nullptr;
  }

  // What is passed for each parameter of a kernel, by their names; empty if that cannot be told.
  static std::map<std::string, Names> arguments_of(const Code& code, int kernel) {
    const Names parameters = parameters_of(code, kernel);
    for (const int root : code.roots) {
      const CodeNode* launch = launch_of(code.entities[root].definition, kernel);
      if (launch == nullptr || launch->parts.size() < parameters.size()) continue;
      std::map<std::string, Names> arguments;
      for (size_t i = 0; i < parameters.size(); ++i) {
        find_names(code, launch->parts[launch->parts.size() - parameters.size() + i], &arguments[parameters[i]]);
      }
      return arguments;
    }
    return {};
  }

  // One kernel, whose parameters stand in another order and have their names still, here and where it is launched.
  bool only_parameters_moved() {
    const std::vector<int> kernels = kernels_of(before_), others = kernels_of(after_);
    if (kernels.size() != 1 || others.size() != 1) return false;
    if (parameters_of(before_, kernels[0]) == parameters_of(after_, others[0])) return false;
    const std::map<std::string, Names> arguments = arguments_of(before_, kernels[0]);
    if (arguments.empty() || arguments != arguments_of(after_, others[0])) return false;
    const Texts texts = write({}, {.any_parameter_order = true}, kernels, others);
    if (compare(texts) != Equal::kYes) return false;
    for (size_t i = 0; i < texts.before.size(); ++i) {
      const int a = texts.before[i].entity, b = texts.after[i].entity;
      if (a < 0 || b < 0 || !before_.entities[a].parameter) continue;
      if (before_.entities[a].name != after_.entities[b].name) return false;
    }
    return true;
  }

  Texts write(const SimplifyOptions& simplify_options, const CanonicalOptions& options) {
    return write(simplify_options, options, before_.roots, after_.roots);
  }

  Texts write(const SimplifyOptions& simplify_options, const CanonicalOptions& options, const std::vector<int>& roots,
              const std::vector<int>& others) {
    Code before = before_, after = after_;
    simplify(&before, simplify_options);
    simplify(&after, simplify_options);
    return {canonical_text(std::move(before), roots, options),
            canonical_text(std::move(after), others, options, renamed_)};
  }

  static std::ptrdiff_t contractions(const Tokens& tokens) {
    return std::count_if(tokens.begin(), tokens.end(), [](const CanonicalToken& token) {
      return token.text.ends_with("function fmaf") || token.text.ends_with("function fma");
    });
  }

  // Helpers may have some that stay.
  static std::string contraction_counts(const Texts& texts) {
    const std::ptrdiff_t more = contractions(texts.after) - contractions(texts.before);
    if (more < 0) return std::to_string(-more) + " fmaf -> mul and add";
    if (more > 0) return std::to_string(more) + " mul and add -> fmaf";
    return "other products are part of an fmaf";
  }

  const Code &before_, &after_;
  const std::map<std::string, std::string>& renamed_;
};

}  // namespace

CodeComparison compare_code(const Code& before, const Code& after, const std::map<std::string, std::string>& renamed) {
  return Comparer(before, after, renamed).run();
}

}  // namespace sinter
