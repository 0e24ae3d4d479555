#include "review/diff/diff_folders.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/SHA256.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "review/diff/canonical_text.h"
#include "review/diff/kernel_comment.h"
#include "review/diff/read_code.h"
#include "review/diff/simplify_code.h"

namespace sinter {

namespace {

std::string sha256(const std::string& content) {
  const auto* data = reinterpret_cast<const uint8_t*>(content.data());
  return llvm::toHex(llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(data, content.size())), /*LowerCase=*/true);
}

llvm::json::Object object_of(const FileSet& files, const std::string& path) {
  const auto found = files.find(path);
  if (found == files.end()) return {};
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(found->second);
  if (!value) {
    llvm::consumeError(value.takeError());
    return {};
  }
  llvm::json::Object* object = value->getAsObject();
  return object == nullptr ? llvm::json::Object() : std::move(*object);
}

std::string string_of(const llvm::json::Object& object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

std::optional<int64_t> integer_of(const llvm::json::Object& object, llvm::StringRef key) {
  const std::optional<int64_t> value = object.getInteger(key);
  return value ? std::optional<int64_t>(*value) : std::nullopt;
}

Cost cost_of(const llvm::json::Object& object, bool kernel) {
  Cost cost;
  cost.launches = integer_of(object, kernel ? "count" : "launches");
  cost.bytes_read = integer_of(object, "bytes_read");
  cost.bytes_written = integer_of(object, "bytes_written");
  cost.arena_bytes = integer_of(object, "arena_bytes").value_or(0);
  cost.shared_bytes = integer_of(object, "shared_bytes").value_or(0);
  cost.registers = integer_of(object, "registers").value_or(0);
  cost.flops = integer_of(object, "flops").value_or(0);
  cost.block = integer_of(object, "block").value_or(0);
  for (const char* key : {"predicted_us", "predicted_once_us"}) {
    const std::optional<double> us = object.getNumber(key);
    if (us && !cost.predicted_us) cost.predicted_us = *us;
  }
  if (const llvm::json::Array* grid = object.getArray("grid")) {
    for (const llvm::json::Value& extent : *grid) {
      cost.grid += (cost.grid.empty() ? "" : "x") + std::to_string(extent.getAsInteger().value_or(0));
    }
  }
  if (const llvm::json::Array* schedules = object.getArray("schedules")) {
    for (const llvm::json::Value& schedule : *schedules) {
      cost.schedules += (cost.schedules.empty() ? "" : ", ") + schedule.getAsString().value_or("").str();
    }
  }
  return cost;
}

// One folder, and what is known of its files.
struct Side {
  const FileSet& files;
  llvm::json::Object manifest, report;
  FolderReader reader;
  std::string program;
  std::vector<std::string> kernels;   // names
  std::map<std::string, Cost> costs;  // of kernels
  std::optional<Cost> cost;
  std::map<std::string, std::optional<Code>> codes;  // by path
  std::map<std::string, std::string> errors;

  explicit Side(const FileSet& set)
      : files(set), manifest(object_of(set, "manifest.json")), report(object_of(set, "fusion.json")), reader(set) {
    program = string_of(manifest, "program");
    for (const auto& [path, text] : set) {
      if (path.starts_with("kernels/") && path.ends_with(".cu")) kernels.push_back(path.substr(8, path.size() - 11));
    }
    if (report.empty()) return;
    cost = cost_of(report, false);
    if (const llvm::json::Array* list = report.getArray("kernels")) {
      for (const llvm::json::Value& value : *list) {
        if (const llvm::json::Object* kernel = value.getAsObject()) {
          costs[string_of(*kernel, "name")] = cost_of(*kernel, true);
        }
      }
    }
  }

  // A folder without a manifest says nothing of who wrote it.
  bool is_edited(const std::string& path) const {
    const llvm::json::Object* hashes = manifest.getObject("files");
    if (hashes == nullptr) return true;
    return string_of(*hashes, path) != sha256(files.at(path));
  }

  const std::string& text(const std::string& kernel) const { return files.at(path_of(kernel)); }
  static std::string path_of(const std::string& kernel) { return "kernels/" + kernel + ".cu"; }
};

bool same_headers(const FileSet& before, const FileSet& after) {
  const auto is_header = [](const std::string& path) { return path == "kernels.h" || path.starts_with("device/"); };
  for (const auto& [path, text] : before) {
    if (!is_header(path)) continue;
    const auto other = after.find(path);
    if (other != after.end() && other->second != text) return false;
  }
  return true;
}

// The text without comments, in one blank: what a compiler sees of a file without strings that span lines.
std::string without_comments(const std::string& text, bool hash_comments) {
  std::string result;
  bool blank = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '"') {
      const size_t start = i;
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
      if (blank) result += ' ';
      blank = false;
      result += text.substr(start, i - start + 1);
      continue;
    }
    if ((c == '/' && next == '/' && !hash_comments) || (c == '#' && hash_comments)) {
      while (i < text.size() && text[i] != '\n') ++i;
      blank = true;
      continue;
    }
    if (c == '/' && next == '*' && !hash_comments) {
      const size_t end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 1;
      blank = true;
      continue;
    }
    if (isspace(static_cast<unsigned char>(c)) != 0) {
      // A directive ends with its line.
      if (c == '\n' && !result.empty() && !hash_comments) {
        const size_t line = result.rfind('\n');
        if (result.find('#', line == std::string::npos ? 0 : line) != std::string::npos) result += '\n';
      }
      blank = true;
      continue;
    }
    if (blank && !result.empty() && result.back() != '\n') result += ' ';
    blank = false;
    result += c;
  }
  return result;
}

std::vector<std::string> code_lines(const std::string& text, std::vector<int>* numbers) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line.compare(begin, 2, "//") == 0) continue;
    lines.push_back(line);
    numbers->push_back(number);
  }
  return lines;
}

// The lines between what both have in common at their beginning and end, at most some of each.
std::vector<std::string> hunk_of(const std::string& before, const std::string& after) {
  constexpr size_t kMost = 12;  // lines of each side: more are read in a diff of the files
  std::vector<int> numbers, others;
  const std::vector<std::string> a = code_lines(before, &numbers), b = code_lines(after, &others);
  size_t first = 0, last = 0;
  while (first < a.size() && first < b.size() && a[first] == b[first]) ++first;
  while (last < a.size() - first && last < b.size() - first && a[a.size() - 1 - last] == b[b.size() - 1 - last]) ++last;
  std::vector<std::string> hunk;
  const auto add = [&](char sign, const std::vector<std::string>& lines, const std::vector<int>& at) {
    const size_t end = lines.size() - last;
    for (size_t i = first; i < end && i < first + kMost; ++i) {
      hunk.push_back(std::string(1, sign) + " " + std::to_string(at[i]) + ": " + lines[i]);
    }
    if (end > first + kMost)
      hunk.push_back(std::string(1, sign) + " ... " + std::to_string(end - first - kMost) + " more");
  };
  add('-', a, numbers);
  add('+', b, others);
  return hunk;
}

std::vector<std::string> changed_entries(const std::vector<std::string>& before,
                                         const std::vector<std::string>& after) {
  std::vector<std::string> changes;
  for (const std::string& entry : before) {
    if (std::find(after.begin(), after.end(), entry) == after.end()) changes.push_back("- " + entry);
  }
  for (const std::string& entry : after) {
    if (std::find(before.begin(), before.end(), entry) == before.end()) changes.push_back("+ " + entry);
  }
  return changes;
}

// "in x f32[64,97]" -> "in f32[64,97]": the place in the list says which array it is.
std::vector<std::string> shapes_of(const KernelComment& comment) {
  std::vector<std::string> shapes;
  for (const std::string& array : comment.arrays) {
    shapes.push_back(array.substr(0, array.find(' ')) + array.substr(array.rfind(' ')));
  }
  return shapes;
}

std::set<std::string> words_of(const Code& code) {
  std::set<std::string> words;
  std::vector<const CodeNode*> open;
  for (const Entity& entity : code.entities) open.push_back(&entity.definition);
  while (!open.empty()) {
    const CodeNode* node = open.back();
    open.pop_back();
    const bool is_code = node->kind == CodeNode::Kind::kCommuting || node->kind == CodeNode::Kind::kWord;
    const bool is_float = node->text.ends_with(":float") || node->text.ends_with(":double");
    // Functions of CUDA's mathematics: those that exchange and wait are matters of the schedule.
    const bool is_function = node->text.starts_with("function ") && node->text.find("__") == std::string::npos &&
                             node->text.find("::") == std::string::npos && !node->text.starts_with("function cuda") &&
                             !node->text.starts_with("function mem");
    if (is_code && (is_float || is_function)) words.insert(node->text);
    for (const CodeNode& part : node->parts) open.push_back(&part);
  }
  return words;
}

class Differ {
 public:
  Differ(const FileSet& before, const FileSet& after, const ForEachOf& for_each)
      : before_(before), after_(after), for_each_(for_each), same_headers_(same_headers(before, after)) {}

  FolderDiff run() {
    diff_.program_before = before_.program;
    diff_.program_after = after_.program;
    diff_.before = before_.cost;
    diff_.after = after_.cost;
    read_what_changed();
    pair_kernels();
    compare_pairs();
    find_split_and_merged();
    add_unpaired();
    compare_launchers();
    compare_headers();
    compare_other_files();
    sum_up();
    return std::move(diff_);
  }

 private:
  bool same_bytes(const std::string& kernel) const {
    const auto a = before_.files.find(Side::path_of(kernel)), b = after_.files.find(Side::path_of(kernel));
    return a != before_.files.end() && b != after_.files.end() && a->second == b->second;
  }

  static std::string launcher_of(const Side& side) { return side.program + ".cu"; }

  void read_what_changed() {
    std::vector<std::pair<Side*, std::string>> work;
    for (Side* side : {&before_, &after_}) {
      for (const std::string& kernel : side->kernels) {
        if (!same_headers_ || !same_bytes(kernel)) work.emplace_back(side, Side::path_of(kernel));
      }
      if (side->files.count(launcher_of(*side)) > 0) work.emplace_back(side, launcher_of(*side));
    }
    std::vector<std::optional<Code>> codes(work.size());
    std::vector<std::string> errors(work.size());
    for_each_(work.size(), [&](size_t i) { codes[i] = work[i].first->reader.read(work[i].second, errors[i]); });
    for (size_t i = 0; i < work.size(); ++i) {
      work[i].first->codes[work[i].second] = std::move(codes[i]);
      work[i].first->errors[work[i].second] = errors[i];
    }
  }

  // What is equal for kernels that are `text` of each other; empty where that is not known.
  std::string key_of(const Side& side, const std::string& kernel) const {
    const auto found = side.codes.find(Side::path_of(kernel));
    if (found == side.codes.end() || !found->second || !found->second->not_followed.empty()) return "";
    Code code = *found->second;
    simplify(&code, {});
    const std::vector<int> roots = code.roots;
    std::string key;
    for (const CanonicalToken& token : canonical_text(std::move(code), roots, {})) key += token.text + "\n";
    return sha256(key);
  }

  void pair(const std::string& before, const std::string& after) {
    paired_before_[before] = after;
    paired_after_[after] = before;
  }
  bool is_free_before(const std::string& name) const { return paired_before_.count(name) == 0; }
  bool is_free_after(const std::string& name) const { return paired_after_.count(name) == 0; }

  // By their code, then by what they compute, then by name.
  void pair_kernels() {
    const std::set<std::string> names_after(after_.kernels.begin(), after_.kernels.end());
    for (const std::string& name : before_.kernels) {
      if (same_bytes(name)) pair(name, name);
    }
    const auto by = [&](const std::function<std::string(const Side&, const std::string&)>& key) {
      std::multimap<std::string, std::string> keys;
      for (const std::string& name : after_.kernels) {
        if (!is_free_after(name)) continue;
        const std::string text = key(after_, name);
        if (!text.empty()) keys.emplace(text, name);
      }
      for (const std::string& name : before_.kernels) {
        if (!is_free_before(name)) continue;
        const auto [first, last] = keys.equal_range(key(before_, name));
        if (first == last) continue;
        auto chosen = first;
        for (auto at = first; at != last; ++at) {
          if (at->second == name) chosen = at;  // of several the one of its name
        }
        pair(name, chosen->second);
        keys.erase(chosen);
      }
    };
    by([&](const Side& side, const std::string& name) { return key_of(side, name); });
    by([&](const Side& side, const std::string& name) { return computation_of(side, name); });
    for (const std::string& name : before_.kernels) {
      if (is_free_before(name) && names_after.count(name) > 0 && is_free_after(name)) pair(name, name);
    }
    // Numbers behind a name come and go with others of that name: "sum_1", "sum".
    by([&](const Side&, const std::string& name) { return name.substr(0, name.find_last_not_of("0123456789_") + 1); });
  }

  // Empty where the file does not say it.
  static std::string computation_of(const Side& side, const std::string& kernel) {
    if (side.is_edited(Side::path_of(kernel))) return "";
    const KernelComment comment = read_kernel_comment(side.text(kernel));
    if (comment.formulas.empty()) return "";
    std::string text;
    for (const std::string& line : nameless(comment)) {
      if (line.find("...") != std::string::npos) return "";
      text += line + "\n";
    }
    return text;
  }

  bool same_input() const {
    const std::string hash = string_of(before_.manifest, "input_sha256");
    return !hash.empty() && hash == string_of(after_.manifest, "input_sha256");
  }

  void compare_pairs() {
    std::vector<KernelDiff> diffs;
    for (const std::string& name : before_.kernels) {
      if (!is_free_before(name)) diffs.push_back({.before = {name}, .after = {paired_before_.at(name)}});
    }
    for_each_(diffs.size(), [&](size_t i) { compare(&diffs[i]); });
    diff_.kernels = std::move(diffs);
  }

  void compare(KernelDiff* diff) const {
    const std::string &name = diff->before[0], &other = diff->after[0];
    const std::string &text = before_.text(name), &text_after = after_.text(other);
    if (const auto cost = before_.costs.find(name); cost != before_.costs.end()) diff->cost_before = cost->second;
    if (const auto cost = after_.costs.find(other); cost != after_.costs.end()) diff->cost_after = cost->second;
    diff->edited_before = before_.is_edited(Side::path_of(name));
    diff->edited_after = after_.is_edited(Side::path_of(other));
    const bool same = text == text_after;
    if (same && same_headers_) {
      diff->verdict = Verdict::kIdentical;
      return;
    }
    const std::optional<Code>& code = before_.codes.at(Side::path_of(name));
    const std::optional<Code>& code_after = after_.codes.at(Side::path_of(other));
    if (!code || !code_after) {
      const std::string& error = code ? after_.errors.at(Side::path_of(other)) : before_.errors.at(Side::path_of(name));
      diff->reason = "clang does not take it: " + error.substr(0, error.find('\n'));
      diff->hunk = hunk_of(text, text_after);
      return;
    }
    const CodeComparison comparison = compare_code(*code, *code_after);
    diff->verdict = same && comparison.verdict == Verdict::kText ? Verdict::kIdentical : comparison.verdict;
    diff->numbers = comparison.numbers;
    diff->renames = comparison.renames;
    diff->reason = comparison.reason;
    if (diff->verdict <= Verdict::kText) return;
    describe_schedule(diff);
    if (diff->verdict > Verdict::kConstants) diff->hunk = hunk_of(text, text_after);
    const bool edited = diff->edited_before || diff->edited_after;
    const std::string computation = computation_of(before_, name), computation_after = computation_of(after_, other);
    const bool known = !computation.empty() && !computation_after.empty();
    const bool same_computation = !edited && ((known && computation == computation_after) || same_input());
    if (diff->verdict == Verdict::kConstants) {
      // Numbers of a launch or a tile.
      if (same_computation) diff->verdict = Verdict::kSchedule;
      return;
    }
    if (diff->verdict != Verdict::kComputation) return;
    if (edited) {
      diff->verdict = Verdict::kHandEdited;
      diff->reason = operations(*code, *code_after);
      return;
    }
    if (same_computation) {
      diff->verdict = Verdict::kSchedule;
      return;
    }
    const KernelComment comment = read_kernel_comment(text), comment_after = read_kernel_comment(text_after);
    if (known) {
      diff->computation = changed_entries(comment.formulas, comment_after.formulas);
      const bool other_shapes = shapes_of(comment) != shapes_of(comment_after);
      if (diff->computation.empty() && other_shapes) diff->verdict = Verdict::kInterface;
      if (other_shapes) {
        diff->reason = "arrays: ";
        for (const std::string& entry : changed_entries(comment.arrays, comment_after.arrays)) {
          diff->reason += (diff->reason.size() > 8 ? ", " : "") + entry;
        }
      }
      return;
    }
    diff->reason = operations(*code, *code_after);
    if (diff->reason.empty()) {
      diff->verdict = Verdict::kUnknown;
      diff->reason = "its code differs, with the same operations, and its file does not say what it computes";
    }
  }

  // "no longer expf; new tanhf", or empty.
  static std::string operations(const Code& before, const Code& after) {
    const std::set<std::string> words = words_of(before), words_after = words_of(after);
    std::string gone, added;
    const auto add = [](std::string* list, std::string word) {
      if (word.starts_with("function ")) word.erase(0, 9);
      if (const size_t type = word.find(':'); type != std::string::npos) {
        word = word.substr(0, type) + " of " + word.substr(type + 1);
      }
      *list += (list->empty() ? "" : ", ") + word;
    };
    for (const std::string& word : words) {
      if (words_after.count(word) == 0) add(&gone, word);
    }
    for (const std::string& word : words_after) {
      if (words.count(word) == 0) add(&added, word);
    }
    std::string text = gone.empty() ? "" : "no longer " + gone;
    if (!added.empty()) text += (text.empty() ? "new " : "; new ") + added;
    return text;
  }

  static void describe_schedule(KernelDiff* diff) {
    if (!diff->cost_before || !diff->cost_after) return;
    const Cost &a = *diff->cost_before, &b = *diff->cost_after;
    const auto add = [&](const std::string& what, const std::string& from, const std::string& to) {
      if (from != to) diff->schedule.push_back(what + from + " -> " + to);
    };
    add("", a.schedules, b.schedules);
    add("grid ", a.grid, b.grid);
    add("block ", std::to_string(a.block), std::to_string(b.block));
    add("shared ", std::to_string(a.shared_bytes), std::to_string(b.shared_bytes));
  }

  // A kernel whose formulas are those of several of the other side.
  void find_split_and_merged() {
    const auto results = [](const Side& side, const std::string& name) {
      std::set<std::string> formulas;
      if (side.is_edited(Side::path_of(name))) return formulas;
      for (const std::string& formula : read_kernel_comment(side.text(name)).formulas) {
        formulas.insert(formula.substr(formula.find(" = ") + 3));
      }
      return formulas;
    };
    const auto find = [&](Side& one_side, Side& other_side, bool split) {
      for (const std::string& name : one_side.kernels) {
        const bool free = split ? is_free_before(name) : is_free_after(name);
        if (!free) continue;
        const std::set<std::string> whole = results(one_side, name);
        std::vector<std::string> parts;
        size_t covered = 0;
        for (const std::string& other : other_side.kernels) {
          if (!(split ? is_free_after(other) : is_free_before(other))) continue;
          const std::set<std::string> part = results(other_side, other);
          if (part.empty() || !std::includes(whole.begin(), whole.end(), part.begin(), part.end())) continue;
          parts.push_back(other);
          covered += part.size();
        }
        if (parts.size() < 2 || covered < whole.size()) continue;
        KernelDiff diff = {.verdict = split ? Verdict::kSplit : Verdict::kMerged};
        (split ? diff.before : diff.after) = {name};
        (split ? diff.after : diff.before) = parts;
        (split ? paired_before_ : paired_after_)[name] = parts[0];
        for (const std::string& part : parts) (split ? paired_after_ : paired_before_)[part] = name;
        diff_.kernels.push_back(std::move(diff));
      }
    };
    find(before_, after_, true);
    find(after_, before_, false);
  }

  void add_unpaired() {
    for (const std::string& name : before_.kernels) {
      if (!is_free_before(name)) continue;
      KernelDiff diff = {.verdict = Verdict::kRemoved, .before = {name}};
      if (const auto cost = before_.costs.find(name); cost != before_.costs.end()) diff.cost_before = cost->second;
      diff.edited_before = before_.is_edited(Side::path_of(name));
      diff_.kernels.push_back(std::move(diff));
    }
    for (const std::string& name : after_.kernels) {
      if (!is_free_after(name)) continue;
      KernelDiff diff = {.verdict = Verdict::kAdded, .after = {name}};
      if (const auto cost = after_.costs.find(name); cost != after_.costs.end()) diff.cost_after = cost->second;
      diff.edited_after = after_.is_edited(Side::path_of(name));
      diff_.kernels.push_back(std::move(diff));
    }
  }

  void compare_launchers() {
    const std::string path = launcher_of(before_), path_after = launcher_of(after_);
    const auto a = before_.files.find(path), b = after_.files.find(path_after);
    if (a == before_.files.end() || b == after_.files.end()) return;
    // A kernel that is the same under another name is the same to the launcher.
    std::map<std::string, std::string> renamed;
    for (const auto& [name, other] : paired_before_) {
      if (name != other) renamed[other + "::enqueue"] = name + "::enqueue";
    }
    if (a->second == b->second && same_headers_ && renamed.empty()) return;
    FileDiff diff = {.path = path_after};
    const std::optional<Code>& code = before_.codes.at(path);
    const std::optional<Code>& code_after = after_.codes.at(path_after);
    if (code && code_after) {
      const CodeComparison comparison = compare_code(*code, *code_after, {}, renamed);
      diff.verdict = comparison.verdict;
      diff.reason = comparison.reason;
      for (const NumberChange& change : comparison.numbers) {
        diff.reason += (diff.reason.empty() ? "" : ", ") + change.from + " -> " + change.to;
      }
      if (diff.verdict == Verdict::kComputation) {
        const bool edited = before_.is_edited(path) || after_.is_edited(path_after);
        diff.verdict = edited ? Verdict::kHandEdited : Verdict::kSchedule;
        diff.reason = edited ? "" : "other launches, buffers or arguments";
      }
    } else {
      const std::string& error = code ? after_.errors.at(path_after) : before_.errors.at(path);
      diff.reason = "clang does not take it: " + error.substr(0, error.find('\n'));
    }
    if (a->second == b->second && diff.verdict == Verdict::kText) return;
    diff_.files.push_back(std::move(diff));
  }

  struct Field {
    std::string name, type, shape;
  };

  // The members of "typedef struct SoftmaxInputs {".
  static std::vector<Field> fields(const std::string& header, const std::string& ending) {
    std::vector<Field> list;
    std::istringstream lines(header);
    std::string line;
    bool inside = false;
    while (std::getline(lines, line)) {
      if (line.starts_with("typedef struct ") && line.ends_with(ending + " {")) {
        inside = true;
      } else if (inside && line.starts_with("}")) {
        break;
      } else if (inside) {
        const size_t end = line.find(';');
        const size_t begin = end == std::string::npos ? end : line.find_last_of(" *", end) + 1;
        if (end == std::string::npos || begin == std::string::npos) continue;
        const size_t comment = line.find("// ", end);
        list.push_back({line.substr(begin, end - begin), line.substr(0, begin),
                        comment == std::string::npos ? "" : line.substr(comment + 3)});
      }
    }
    return list;
  }

  void compare_headers() {
    const std::string path = header_path(before_.program), path_after = header_path(after_.program);
    const auto a = before_.files.find(path), b = after_.files.find(path_after);
    if (a == before_.files.end() || b == after_.files.end() || a->second == b->second) return;
    FileDiff diff = {.path = path_after, .verdict = Verdict::kInterface};
    if (without_comments(a->second, false) == without_comments(b->second, false)) diff.verdict = Verdict::kText;
    if (before_.program != after_.program) {
      diff_.interface.push_back("program " + before_.program + " -> " + after_.program);
    }
    for (const char* kind : {"Inputs", "Outputs"}) {
      const std::vector<Field> list = fields(a->second, kind), list_after = fields(b->second, kind);
      const std::string what = kind == std::string("Inputs") ? "input " : "output ";
      const auto at = [](const std::vector<Field>& fields, const std::string& name) {
        const auto found =
            std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
        return found - fields.begin();
      };
      for (size_t i = 0; i < list.size(); ++i) {
        const size_t now = static_cast<size_t>(at(list_after, list[i].name));
        if (now == list_after.size()) {
          diff_.interface.push_back(what + list[i].name + " is gone");
          continue;
        }
        if (now != i) {
          diff_.interface.push_back(what + list[i].name + " moved " + std::to_string(i) + " -> " + std::to_string(now));
        }
        const Field& other = list_after[now];
        if (other.shape != list[i].shape || other.type != list[i].type) {
          diff_.interface.push_back(what + other.name + " " + list[i].shape + " -> " + other.shape);
        }
      }
      for (const Field& field : list_after) {
        if (at(list, field.name) == static_cast<std::ptrdiff_t>(list.size())) {
          diff_.interface.push_back(what + field.name + " " + field.shape + " is new");
        }
      }
    }
    diff_.interface_breaks = diff.verdict == Verdict::kInterface;
    diff_.files.push_back(std::move(diff));
  }

  void compare_other_files() {
    const std::set<std::string> seen = {launcher_of(before_), launcher_of(after_), header_path(before_.program),
                                        header_path(after_.program)};
    const auto is_derived = [](const std::string& path) {
      return path == "manifest.json" || path == "fusion.json" || path == "plan.txt" || path == ".gitattributes" ||
             path == ".clang-format";
    };
    std::set<std::string> paths;
    for (const FileSet* files : {&before_.files, &after_.files}) {
      for (const auto& [path, text] : *files) {
        if (!path.starts_with("kernels/") && seen.count(path) == 0) paths.insert(path);
      }
    }
    for (const std::string& path : paths) {
      const auto a = before_.files.find(path), b = after_.files.find(path);
      const bool both = a != before_.files.end() && b != after_.files.end();
      if (both && a->second == b->second) continue;
      if (is_derived(path)) {
        ++diff_.derived_changed;
        continue;
      }
      // Device helpers are judged where they are used, and these only declare what kernels define.
      const bool used_by_kernels = path.starts_with("device/") || path == "kernels.h";
      FileDiff diff = {.path = path};
      if (!both) {
        if (used_by_kernels) continue;
        diff.verdict = a == before_.files.end() ? Verdict::kAdded : Verdict::kRemoved;
      } else {
        const bool by_hash = path.ends_with(".txt") || path.ends_with(".cmake");
        const bool same = without_comments(a->second, by_hash) == without_comments(b->second, by_hash);
        if (path.ends_with(".bin")) {
          diff.verdict = Verdict::kConstants;
        } else if (same) {
          diff.verdict = Verdict::kText;
        } else if (used_by_kernels) {
          continue;
        } else if (before_.is_edited(path) || after_.is_edited(path)) {
          diff.verdict = Verdict::kHandEdited;
        } else if (path == "CMakeLists.txt" || path == "main.cpp" || path.starts_with("launcher/")) {
          ++diff_.derived_changed;
          continue;
        } else {
          diff.verdict = Verdict::kUnknown;
          diff.reason = "not read as code";
        }
      }
      diff_.files.push_back(std::move(diff));
    }
  }

  void sum_up() {
    diff_.verdict = Verdict::kIdentical;
    const auto worse = [&](Verdict verdict) { diff_.verdict = std::max(diff_.verdict, verdict); };
    std::map<Verdict, int> counts;
    for (const KernelDiff& kernel : diff_.kernels) {
      worse(kernel.verdict);
      ++counts[kernel.verdict];
    }
    for (const FileDiff& file : diff_.files) worse(file.verdict);
    if (diff_.derived_changed > 0) worse(Verdict::kText);
    std::string list;
    for (const auto& [verdict, count] : counts) {
      list += (list.empty() ? "" : ", ") + std::to_string(count) + " " + verdict_name(verdict);
    }
    diff_.headline = list.empty() ? "no kernels" : "kernels: " + list;
  }

  Side before_, after_;
  const ForEachOf& for_each_;
  const bool same_headers_;
  std::map<std::string, std::string> paired_before_, paired_after_;
  FolderDiff diff_;
};

}  // namespace

FolderDiff diff_folders(const FileSet& before, const FileSet& after, const ForEachOf& for_each) {
  return Differ(before, after, for_each).run();
}

}  // namespace sinter
