#include "review/diff/compare_builds.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "emitter/text/user_header.h"
#include "ir/support/is_word.h"
#include "review/read/build_conditions.h"
#include "review/read/token_text.h"

namespace sinter {

namespace {

// Beyond, there are too many builds to read each.
constexpr size_t kMostConditions = 4;

// The namespace of helpers has the hash of all of them in its name, which is another in each version.
std::string without_version(std::string tokens) {
  const std::string opens = "inline namespace sinter_";
  for (size_t at = tokens.find(opens); at != std::string::npos; at = tokens.find(opens, at + 1)) {
    const size_t hash = at + opens.size();
    tokens.erase(hash, std::min(tokens.find(' ', hash), tokens.size()) - hash);
  }
  return tokens;
}

// Whether nothing stands there but other directives and headers that are no part of either folder.
bool only_includes(const std::string& tokens, const FileSet& files, const FileSet& others) {
  std::istringstream lines(tokens);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# include <")) {
      line.erase(0, line.find('<'));
      std::erase(line, ' ');
      const std::string name = line.substr(1, line.find('>') - 1);
      if (files.count(name) > 0 || others.count(name) > 0) return false;
      continue;
    }
    if (!line.starts_with("# if") && !line.starts_with("# el") && !line.starts_with("# endif") && !line.empty())
      return false;
  }
  return true;
}

std::string with_stems(const std::string& text, const std::map<std::string, std::string>& stems) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string word = text.substr(i, std::max(end, i + 1) - i);
    // The longest: they stand in order.
    const auto found =
        std::find_if(stems.rbegin(), stems.rend(), [&](const auto& stem) { return word.starts_with(stem.first); });
    result += found == stems.rend() ? word : found->second + word.substr(found->first.size());
    i += word.size();
  }
  return result;
}

// "with NDEBUG, unless __CUDA_ARCH__ >= 900".
std::string build_text(const std::map<std::string, bool>& conditions) {
  std::string text;
  for (const auto& [condition, holds] : conditions) {
    const bool macro = !condition.starts_with("if ");
    text += text.empty() ? "" : ", ";
    text += macro ? (holds ? "with " : "without ") : (holds ? "where " : "unless ");
    const std::string name = condition.substr(0, condition.find('\n'));
    text += macro ? name : name.substr(3);
  }
  return text;
}

class Builds {
 public:
  Builds(const ReadFile& before, const ReadFile& after, const Renaming& renaming)
      : before_(before), after_(after), renaming_(renaming), names_before_(renaming.files) {
    names_before_[after.path] = before.path;
    for (const auto& [now, then] : names_before_) names_after_[then] = now;
  }

  CodeComparison run() {
    result_ = compare_code(before_.code, after_.code, renaming_.names);
    if (result_.verdict == Verdict::kComputation || result_.verdict == Verdict::kUnknown) return result_;
    find_parted(before_.code, after_.code);
    if (parted_.empty() || nothing_differs()) return result_;
    if (!same_pragmas(before_.code, after_.code)) return unknown("");
    for (size_t known = 0; known != parted_.size();) {
      known = parted_.size();
      if (const std::optional<std::string> why = compare_all()) return unknown(*why);
    }
    return result_;
  }

 private:
  static const std::string& name_in(const std::map<std::string, std::string>& names, const std::string& file) {
    const auto found = names.find(file);
    return found == names.end() ? file : found->second;
  }
  // Of a file by its name in the folder after, its name in that folder.
  const std::string& name_of(const ReadFile& one, const std::string& file) const {
    return &one == &before_ ? name_in(names_before_, file) : file;
  }

  // The same file of either folder.
  const std::string* text_before(const std::string& file) const { return text_of(before_, name_of(before_, file)); }
  const std::string* text_after(const std::string& file) const { return text_of(after_, file); }
  static const std::string* text_of(const ReadFile& one, const std::string& file) {
    const auto found = one.files.find(file);
    return found == one.files.end() ? nullptr : &found->second;
  }

  bool same_tokens(const std::string& file) const {
    const std::string *a = text_before(file), *b = text_after(file);
    if (a == nullptr || b == nullptr) return a == b;
    if (*a == *b) return true;
    return without_version(token_text(*a)) == without_version(token_text(in_names_before(file, *b)));
  }

  // What a header says that has another name now, in the names that it had.
  std::string in_names_before(const std::string& file, const std::string& text) const {
    return renaming_.files.contains(file) ? with_stems(text, renaming_.stems) : text;
  }

  std::vector<Conditional> conditionals_of(const ReadFile& one, const Code& code, const std::string& file) const {
    const std::string& path = name_of(one, file);
    std::vector<Conditional> list;
    for (const Conditional& conditional : code.conditionals) {
      if (conditional.file == path) list.push_back(conditional);
    }
    return list;
  }

  // All that have conditionals, by their names in the folder after.
  std::set<std::string> files_of(const Code& before, const Code& after) const {
    std::set<std::string> files;
    for (const Conditional& conditional : before.conditionals) files.insert(name_in(names_after_, conditional.file));
    for (const Conditional& conditional : after.conditionals) files.insert(conditional.file);
    return files;
  }

  // Files of which builds take other parts. Helpers of ours for the CPU are in no words that clang takes here: numbers
  // alone change nothing of which part is where.
  void find_parted(const Code& before, const Code& after) {
    for (const std::string& file : files_of(before, after)) {
      if (parted_.contains(file)) continue;
      const std::vector<Conditional> a = conditionals_of(before_, before, file);
      const std::vector<Conditional> b = conditionals_of(after_, after, file);
      const bool same =
          std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Conditional& one, const Conditional& other) {
            return one.tokens == in_names_before(file, other.tokens);
          });
      const bool includes = std::all_of(a.begin(), a.end(), [&](const Conditional& one) {
        return only_includes(one.tokens, before_.files, after_.files);
      });
      const bool ours = file != after_.path && !is_user_header(file);
      const bool is_taken = ours && (same_tokens(file) || (same && same_numbers(file)));
      if (!is_taken && !(same && includes)) parted_[file] = {a, b};
    }
  }

  bool same_numbers(const std::string& file) const {
    const std::string *a = text_before(file), *b = text_after(file);
    return a != nullptr && b != nullptr && same_but_for_numbers(*a, in_names_before(file, *b));
  }

  // Comments and layout aside: of what is read, and of all that it may include.
  bool nothing_differs() const {
    std::set<std::string> files = {after_.path};
    for (const ReadFile* one : {&before_, &after_}) {
      for (const auto& [file, text] : one->files) {
        if (is_header(file)) files.insert(one == &before_ ? name_in(names_after_, file) : file);
      }
    }
    return std::all_of(files.begin(), files.end(), [&](const std::string& file) { return same_tokens(file); });
  }

  // Conditions that a build alone decides; and those with macros that the code defines, too: the code decides them,
  // unless a build defines these macros.
  struct Conditions {
    std::set<std::string> of_build, of_macros;
  };

  // nullopt where builds cannot be told apart by conditions.
  std::optional<Conditions> find_conditions() const {
    Conditions conditions;
    const Definitions before = definitions_of(before_), after = definitions_of(after_);
    for (const auto& [file, unused] : parted_) {
      for (const std::string* text : {text_before(file), text_after(file)}) {
        if (text == nullptr) continue;
        for (BuildCondition& condition : build_conditions(*text)) {
          bool is_own = false;
          for (const std::string& macro : condition.macros) {
            is_own = is_own || before.contains(macro) || after.contains(macro);
            if (said_of(macro, before) != said_of(macro, after)) return std::nullopt;
          }
          (is_own ? conditions.of_macros : conditions.of_build).insert(std::move(condition.key));
        }
      }
    }
    const bool few = conditions.of_build.size() + conditions.of_macros.size() <= kMostConditions;
    return few ? std::optional(conditions) : std::nullopt;
  }

  using Definitions = std::map<std::string, MacroDefinitions>;

  static Definitions definitions_of(const ReadFile& one) {
    Definitions definitions;
    for (const auto& [file, text] : one.files) {
      if (file == one.path || is_header(file)) add_definitions(text, &definitions);
    }
    return definitions;
  }

  // What the code says of the macro, and of those that it names.
  static std::set<std::string> said_of(const std::string& macro, const Definitions& definitions) {
    std::set<std::string> said, met;
    std::vector<std::string> open = {macro};
    while (!open.empty()) {
      const std::string name = open.back();
      open.pop_back();
      const auto found = definitions.find(name);
      if (found == definitions.end() || !met.insert(name).second) continue;
      said.insert(found->second.said.begin(), found->second.said.end());
      open.insert(open.end(), found->second.words.begin(), found->second.words.end());
    }
    return said;
  }

  // The same ones in each file, at the same places.
  bool same_pragmas(const Code& before, const Code& after) const {
    for (const std::string& file : files_of(before, after)) {
      std::vector<std::string> pragmas, others;
      for (const Conditional& conditional : conditionals_of(before_, before, file)) {
        if (conditional.pragma) pragmas.push_back(conditional.tokens);
      }
      for (const Conditional& conditional : conditionals_of(after_, after, file)) {
        if (conditional.pragma) others.push_back(conditional.tokens);
      }
      if (pragmas != others) return false;
      if (!pragmas.empty() && !same_but_for_names(*text_before(file), *text_after(file))) return false;
    }
    return true;
  }

  using Decided = std::map<std::string, bool>;

  // In all builds; what stands against a verdict.
  std::optional<std::string> compare_all() {
    const std::optional<Conditions> conditions = find_conditions();
    if (!conditions) return "";
    std::vector<std::string> list(conditions->of_build.begin(), conditions->of_build.end());
    std::optional<std::string> why = compare_builds_of(list);
    if (why || conditions->of_macros.empty()) return why;
    list.insert(list.end(), conditions->of_macros.begin(), conditions->of_macros.end());
    return compare_builds_of(list);
  }

  std::optional<std::string> compare_builds_of(const std::vector<std::string>& conditions) {
    for (size_t build = 0; build < (size_t{1} << conditions.size()); ++build) {
      Decided decided;
      for (size_t i = 0; i < conditions.size(); ++i) decided[conditions[i]] = (build >> i & 1) != 0;
      if (std::optional<std::string> why = compare_build(decided)) return why;
    }
    return std::nullopt;
  }

  // `stops`: set where clang meets an #error.
  std::optional<Code> read(const ReadFile& one, const Decided& decided, bool* stops) const {
    FileSet instead;
    for (const auto& [file, unused] : parted_) {
      const std::string& path = name_of(one, file);
      if (const std::string* text = text_of(one, path)) instead[path] = with_decided(*text, decided);
    }
    std::string error;
    std::optional<Code> code = one.reader.read(one.path, error, instead);
    *stops = !code && meets_error(one, error);
    return code;
  }

  // Whether the first thing that clang says, "f.cuh:3:2: error: ...", is of an #error.
  static bool meets_error(const ReadFile& one, const std::string& said) {
    const size_t kind = said.find(": error: ");
    if (kind == std::string::npos) return false;
    const size_t line = said.rfind('\n', kind) + 1;
    std::istringstream place(said.substr(line, kind - line));
    std::string file;
    int row = 0;
    const bool is_place = std::getline(place, file, ':') && place >> row;
    const std::string* text = is_place ? text_of(one, file) : nullptr;
    if (text == nullptr) return false;
    std::istringstream lines(*text);
    std::string meant;
    for (; row > 0; --row) std::getline(lines, meant);
    return token_text(meant).starts_with("# error");
  }

  // Into the result; what stands against that.
  std::optional<std::string> compare_build(const Decided& decided) {
    bool stops_before = false, stops_after = false;
    const std::optional<Code> before = read(before_, decided, &stops_before);
    const std::optional<Code> after = read(after_, decided, &stops_after);
    if (stops_before && stops_after) return std::nullopt;  // such a build there is not
    if (!before || !after) return "clang does not take it " + build_text(decided);
    find_parted(*before, *after);
    if (!same_pragmas(*before, *after)) return "";
    const CodeComparison comparison = compare_code(*before, *after, renaming_.names);
    if (comparison.verdict == Verdict::kUnknown) return comparison.reason;
    const Verdict worse = std::max(comparison.verdict, result_.verdict);
    if (comparison.verdict != result_.verdict && worse > Verdict::kSchedule) return "";
    if (comparison.verdict > result_.verdict) {
      result_ = comparison;
      if (result_.reason.empty()) result_.reason = build_text(decided);
      return std::nullopt;
    }
    for (const NumberChange& change : comparison.numbers) {
      const bool known = std::any_of(result_.numbers.begin(), result_.numbers.end(), [&](const NumberChange& other) {
        return change.name == other.name && change.from == other.from && change.to == other.to;
      });
      if (!known && comparison.verdict == result_.verdict) result_.numbers.push_back(change);
    }
    return std::nullopt;
  }

  CodeComparison unknown(const std::string& why) const {
    const std::string details = why.empty() ? "" : ": " + why;
    return {.verdict = Verdict::kUnknown, .reason = "other text for other builds, at " + place() + details};
  }

  // The first that is another, or the first of all.
  std::string place() const {
    std::string first;
    for (const auto& [file, lists] : parted_) {
      const auto& [a, b] = lists;
      for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const std::string here = i < b.size() ? b[i].place() : a[i].place();
        if (i >= a.size() || i >= b.size() || a[i].tokens != b[i].tokens) return here;
        if (first.empty()) first = here;
      }
    }
    return first;
  }

  const ReadFile &before_, &after_;
  const Renaming& renaming_;
  std::map<std::string, std::string> names_before_,
      names_after_;  // of files that have another name in one of the folders
  // Files of which builds take other parts, by their names in the folder after, and those parts before and after.
  std::map<std::string, std::pair<std::vector<Conditional>, std::vector<Conditional>>> parted_;
  CodeComparison result_;
};

}  // namespace

CodeComparison compare_builds(const ReadFile& before, const ReadFile& after, const Renaming& renaming) {
  return Builds(before, after, renaming).run();
}

}  // namespace sinter
