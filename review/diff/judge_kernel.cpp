#include "review/diff/judge_kernel.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "emitter/kernels/print_kernel.h"
#include "review/diff/align_texts.h"
#include "review/diff/compare_builds.h"
#include "review/diff/kernel_comment.h"
#include "review/diff/user_functions.h"

namespace sinter {

namespace {

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

// The lines that one text has and the other has not, at most some of each run, "- 12: ..."; `path` stands before the
// number.
std::vector<std::string> hunk_of(const std::string& before, const std::string& after, const std::string& path = "") {
  constexpr size_t kMost = 24;  // lines: more are read in a diff of the files
  std::vector<int> numbers, others;
  const std::vector<std::string> a = code_lines(before, &numbers), b = code_lines(after, &others);
  std::vector<std::string> hunk;
  size_t more = 0;
  const auto add = [&](char sign, const std::string& line, int number) {
    if (hunk.size() == kMost) {
      ++more;
    } else {
      hunk.push_back(std::string(1, sign) + " " + path + std::to_string(number) + ": " + line);
    }
  };
  for (const AlignedPiece& piece : align_texts(a, b)) {
    const auto i = static_cast<size_t>(piece.before), j = static_cast<size_t>(piece.after);
    if (piece.after < 0) {
      add('-', a[i], numbers[i]);
    } else if (piece.before < 0) {
      add('+', b[j], others[j]);
    }
  }
  if (more > 0) hunk.push_back("... " + std::to_string(more) + " more");
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

// "no longer expf; new tanhf", or empty.
std::string operations(const Code& before, const Code& after) {
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

void describe_schedule(KernelDiff* diff) {
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

// The headers among files that somebody edited, "device/maximum.cuh, kernels.h"; both lists may name them.
std::string headers_among(std::vector<std::string> files, const std::vector<std::string>& others) {
  files.insert(files.end(), others.begin(), others.end());
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  std::erase_if(files, [](const std::string& file) { return file.starts_with("kernels/"); });
  return llvm::join(files, ", ");
}

// Functions of the user's own that are others, with the lines that differ in their headers.
void add_functions(const Side& before, const Side& after, const FunctionChange& functions, KernelDiff* diff) {
  diff->headers = functions.headers;
  if (diff->reason.empty()) diff->reason = "functions of " + llvm::join(functions.headers, ", ");
  for (const std::string& header : functions.headers) {
    const auto now = after.files.find(header);
    const std::string text = now == after.files.end() ? "" : now->second;
    const std::vector<std::string> lines = hunk_of(before.files.at(header), text, header + ":");
    diff->hunk.insert(diff->hunk.end(), lines.begin(), lines.end());
  }
}

std::string or_none(const std::string& options) { return options.empty() ? "none" : options; }

}  // namespace

bool same_input(const Side& before, const Side& after) {
  const std::string made_of = before.made_of();
  return !made_of.empty() && made_of == after.made_of();
}

void judge_kernel(const Side& before, const Side& after, const ModulePair* modules, KernelDiff* diff) {
  const std::string &name = diff->before[0], &other = diff->after[0];
  const std::string &text = before.text(name), &text_after = after.text(other);
  if (const auto cost = before.costs.find(name); cost != before.costs.end()) diff->cost_before = cost->second;
  if (const auto cost = after.costs.find(other); cost != after.costs.end()) diff->cost_after = cost->second;
  diff->edited_before = before.is_edited(Side::path_of(name));
  diff->edited_after = after.is_edited(Side::path_of(other));
  const bool same = text == text_after;
  if (name == other && same_with_headers(before, after, Side::path_of(name))) {
    diff->verdict = Verdict::kIdentical;
    return;
  }
  const std::optional<Code>& code = before.codes.at(Side::path_of(name));
  const std::optional<Code>& code_after = after.codes.at(Side::path_of(other));
  if (!code || !code_after) {
    const std::string& error = code ? after.errors.at(Side::path_of(other)) : before.errors.at(Side::path_of(name));
    diff->reason = "clang does not take it: " + error.substr(0, error.find('\n'));
    diff->hunk = hunk_of(text, text_after);
    return;
  }
  const CodeComparison comparison = compare_builds({before.files, before.reader, Side::path_of(name), *code},
                                                   {after.files, after.reader, Side::path_of(other), *code_after});
  diff->verdict = same && comparison.verdict == Verdict::kText ? Verdict::kIdentical : comparison.verdict;
  diff->numbers = comparison.numbers;
  diff->renames = comparison.renames;
  diff->reason = comparison.reason;
  // Nothing calls it, be its code the same.
  const auto is_called = [](const Code& code, const Side& side, const std::string& kernel) {
    const std::string called = kernel_namespace(side.program) + "::" + kernel + "::enqueue";
    const std::vector<std::string> names = exported_names(code);
    return std::find(names.begin(), names.end(), called) != names.end();
  };
  if ((diff->verdict <= Verdict::kText || diff->edited_after) && is_called(*code, before, name) &&
      !is_called(*code_after, after, other)) {
    diff->verdict = Verdict::kUnknown;
    diff->reason = "the folder does not link: there is no " + other + "::enqueue, which the launcher calls";
  }
  if (diff->verdict <= Verdict::kText) return;
  describe_schedule(diff);
  if (diff->verdict > Verdict::kConstants) diff->hunk = hunk_of(text, text_after);
  const FunctionChange functions = function_change(before, after, Side::path_of(name));
  if (functions.computes_otherwise()) add_functions(before, after, functions, diff);
  const std::vector<std::string> edits = before.edited_of(Side::path_of(name));
  const std::vector<std::string> edits_after = after.edited_of(Side::path_of(other));
  const bool edited = !edits.empty() || !edits_after.empty();
  const std::string edited_headers = headers_among(edits, edits_after);
  const std::string computation = computation_of(before, name), computation_after = computation_of(after, other);
  const bool known = !computation.empty() && !computation_after.empty();
  std::optional<ModuleChanges> changes;
  if (modules != nullptr && !edited) changes = kernel_changes(*modules, diff->before, diff->after);
  const bool same_formulas = changes ? changes->none() : known && computation == computation_after;
  const bool same_computation =
      !edited && !functions.computes_otherwise() && (same_formulas || same_input(before, after));
  if (!edited_headers.empty() && diff->reason.empty()) diff->reason = "by hand: " + edited_headers;
  const std::string options = before.rounding_options(), options_after = after.rounding_options();
  const bool is_judged = diff->verdict == Verdict::kConstants || diff->verdict == Verdict::kComputation;
  if (is_judged && same_computation && options != options_after) {
    diff->verdict = Verdict::kRounding;
    diff->reason = "options: " + or_none(options) + " -> " + or_none(options_after);
    if (changes) diff->computation = changes->lines;
    return;
  }
  if (diff->verdict == Verdict::kConstants) {
    // Numbers of a launch or a tile.
    if (same_computation) diff->verdict = Verdict::kSchedule;
    if (changes) diff->computation = changes->lines;
    return;
  }
  if (diff->verdict != Verdict::kComputation) return;
  if (edited) {
    diff->verdict = Verdict::kHandEdited;
    const std::string called = operations(*code, *code_after);
    diff->reason += (diff->reason.empty() || called.empty() ? "" : "; ") + called;
    return;
  }
  if (same_computation) {
    diff->verdict = Verdict::kSchedule;
    return;
  }
  const KernelComment comment = read_kernel_comment(text), comment_after = read_kernel_comment(text_after);
  if (functions.computes_otherwise()) {
    diff->reason = "functions of " + llvm::join(functions.headers, ", ");
    const std::string called = operations(*code, *code_after);
    if (!called.empty()) diff->reason += ": " + called;
    if (changes) diff->computation = changes->lines;
    return;
  }
  if (changes || known) {
    diff->computation = changes ? changes->lines : changed_entries(comment.formulas, comment_after.formulas);
    const bool other_shapes = changes ? changes->shapes : shapes_of(comment) != shapes_of(comment_after);
    if (diff->computation.empty() && other_shapes) diff->verdict = Verdict::kInterface;
    const std::vector<std::string> arrays = changed_entries(comment.arrays, comment_after.arrays);
    if (other_shapes && !arrays.empty()) diff->reason = "arrays: " + llvm::join(arrays, ", ");
    return;
  }
  diff->reason = operations(*code, *code_after);
  if (diff->reason.empty()) {
    diff->verdict = Verdict::kUnknown;
    diff->reason = "its code differs, with the same operations, and its file does not say what it computes";
  }
}

}  // namespace sinter
