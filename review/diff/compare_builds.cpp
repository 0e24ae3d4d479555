#include "review/diff/compare_builds.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "emitter/text/user_header.h"
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

// Whether nothing stands there but other directives and headers that are no part of the folder.
bool only_includes(const std::string& tokens) {
  std::istringstream lines(tokens);
  for (std::string line; std::getline(lines, line);) {
    const bool includes = line.starts_with("# include <");
    const bool chooses =
        line.starts_with("# if") || line.starts_with("# el") || line.starts_with("# endif") || line.empty();
    if (!includes && !chooses) return false;
  }
  return true;
}

// "with NDEBUG, unless __CUDA_ARCH__ >= 900".
std::string build_text(const std::map<std::string, bool>& conditions) {
  std::string text;
  for (const auto& [condition, holds] : conditions) {
    const bool macro = !condition.starts_with("if ");
    text += text.empty() ? "" : ", ";
    text += macro ? (holds ? "with " : "without ") : (holds ? "where " : "unless ");
    text += macro ? condition : condition.substr(3);
  }
  return text;
}

class Builds {
 public:
  Builds(const ReadFile& before, const ReadFile& after, const std::map<std::string, std::string>& renamed_before,
         const std::map<std::string, std::string>& renamed_after)
      : before_(before), after_(after), renamed_before_(renamed_before), renamed_after_(renamed_after) {}

  CodeComparison run() {
    result_ = compare_code(before_.code, after_.code, renamed_before_, renamed_after_);
    if (result_.verdict == Verdict::kComputation || result_.verdict == Verdict::kUnknown) return result_;
    find_parted();
    if (parted_.empty() || nothing_differs()) return result_;
    if (!find_conditions()) return unknown("");
    const std::vector<std::string> list(conditions_.begin(), conditions_.end());
    for (size_t build = 0; build < (size_t{1} << list.size()); ++build) {
      std::map<std::string, bool> decided;
      for (size_t i = 0; i < list.size(); ++i) decided[list[i]] = (build >> i & 1) != 0;
      if (const std::optional<std::string> why = compare_build(decided)) return unknown(*why);
    }
    return result_;
  }

 private:
  // The same file of either folder; what is read may have another name now.
  const std::string* text_before(const std::string& file) const {
    return text_of(before_, file == after_.path ? before_.path : file);
  }
  const std::string* text_after(const std::string& file) const { return text_of(after_, file); }
  static const std::string* text_of(const ReadFile& one, const std::string& file) {
    const auto found = one.files.find(file);
    return found == one.files.end() ? nullptr : &found->second;
  }

  bool same_tokens(const std::string& file) const {
    const std::string *a = text_before(file), *b = text_after(file);
    if (a == nullptr || b == nullptr) return a == b;
    return *a == *b || without_version(token_text(*a)) == without_version(token_text(*b));
  }

  std::vector<Conditional> conditionals_of(const ReadFile& one, const std::string& file) const {
    const std::string& path = file == after_.path ? one.path : file;
    std::vector<Conditional> list;
    for (const Conditional& conditional : one.code.conditionals) {
      if (conditional.file == path) list.push_back(conditional);
    }
    return list;
  }

  // Files of which builds take other parts. Helpers of ours for the CPU are in no words that clang takes here: numbers
  // alone change nothing of which part is where.
  void find_parted() {
    std::set<std::string> files;
    for (const Conditional& conditional : before_.code.conditionals) {
      files.insert(conditional.file == before_.path ? after_.path : conditional.file);
    }
    for (const Conditional& conditional : after_.code.conditionals) files.insert(conditional.file);
    for (const std::string& file : files) {
      const std::vector<Conditional> a = conditionals_of(before_, file), b = conditionals_of(after_, file);
      const bool same =
          std::equal(a.begin(), a.end(), b.begin(), b.end(),
                     [](const Conditional& one, const Conditional& other) { return one.tokens == other.tokens; });
      const bool includes =
          std::all_of(a.begin(), a.end(), [](const Conditional& one) { return only_includes(one.tokens); });
      const bool ours = file != after_.path && !is_user_header(file);
      const bool is_taken = ours && (same_tokens(file) || (same && same_numbers(file)));
      if (!is_taken && !(same && includes)) parted_.insert(file);
    }
  }

  bool same_numbers(const std::string& file) const {
    const std::string *a = text_before(file), *b = text_after(file);
    return a != nullptr && b != nullptr && same_but_for_numbers(*a, *b);
  }

  // Comments and layout aside: of what is read, and of all that it may include.
  bool nothing_differs() const {
    std::set<std::string> files = {after_.path};
    for (const ReadFile* one : {&before_, &after_}) {
      for (const auto& [file, text] : one->files) {
        if (file.ends_with(".h") || file.ends_with(".cuh") || file.ends_with(".hpp")) files.insert(file);
      }
    }
    return std::all_of(files.begin(), files.end(), [&](const std::string& file) { return same_tokens(file); });
  }

  // False where builds cannot be told apart by conditions.
  bool find_conditions() {
    std::set<std::string> own = {"__cplusplus"};
    const std::string* texts[] = {nullptr, nullptr};
    for (const std::string& file : parted_) {
      texts[0] = text_before(file);
      texts[1] = text_after(file);
      for (const std::string* text : texts) {
        if (text != nullptr) own.merge(defined_macros(*text));
      }
    }
    for (const std::string& file : parted_) {
      texts[0] = text_before(file);
      texts[1] = text_after(file);
      for (const std::string* text : texts) {
        if (text == nullptr) continue;
        BuildConditions conditions = build_conditions(*text, own);
        if (!conditions.mixed.empty()) return false;
        conditions_.merge(conditions.open);
      }
      if (!same_pragmas(file)) return false;
    }
    return conditions_.size() <= kMostConditions;
  }

  // The same ones, at the same places.
  bool same_pragmas(const std::string& file) const {
    std::vector<std::string> lists[2];
    for (const bool now : {false, true}) {
      for (const Conditional& conditional : conditionals_of(now ? after_ : before_, file)) {
        if (conditional.pragma) lists[now ? 1 : 0].push_back(conditional.tokens);
      }
    }
    if (lists[0] != lists[1]) return false;
    return lists[0].empty() || same_but_for_names(*text_before(file), *text_after(file));
  }

  std::optional<Code> read(const ReadFile& one, const std::map<std::string, bool>& decided) const {
    FileSet instead;
    for (const std::string& file : parted_) {
      const std::string& path = file == after_.path ? one.path : file;
      if (const std::string* text = text_of(one, path)) instead[path] = with_decided(*text, decided);
    }
    std::string error;
    return one.reader.read(one.path, error, instead);
  }

  // Into the result; what stands against that.
  std::optional<std::string> compare_build(const std::map<std::string, bool>& decided) {
    const std::optional<Code> before = read(before_, decided), after = read(after_, decided);
    if (!before || !after) return "clang does not take it " + build_text(decided);
    for (const Code* code : {&*before, &*after}) {
      for (const Conditional& conditional : code->conditionals) {
        const bool known = parted_.count(conditional.file) > 0 || conditional.file == before_.path;
        if (!known && !same_tokens(conditional.file)) return "";
      }
    }
    const CodeComparison comparison = compare_code(*before, *after, renamed_before_, renamed_after_);
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
    for (const std::string& file : parted_) {
      const std::vector<Conditional> a = conditionals_of(before_, file), b = conditionals_of(after_, file);
      for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const std::string here = i < b.size() ? b[i].place() : a[i].place();
        if (i >= a.size() || i >= b.size() || a[i].tokens != b[i].tokens) return here;
        if (first.empty()) first = here;
      }
    }
    return first;
  }

  const ReadFile &before_, &after_;
  const std::map<std::string, std::string>&renamed_before_, &renamed_after_;
  std::set<std::string> parted_;  // by their names in the folder after
  std::set<std::string> conditions_;
  CodeComparison result_;
};

}  // namespace

CodeComparison compare_builds(const ReadFile& before, const ReadFile& after,
                              const std::map<std::string, std::string>& renamed_before,
                              const std::map<std::string, std::string>& renamed_after) {
  return Builds(before, after, renamed_before, renamed_after).run();
}

}  // namespace sinter
