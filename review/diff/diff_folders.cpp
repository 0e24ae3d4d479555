#include "review/diff/diff_folders.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

#include "emitter/host/cpp_header.h"
#include "emitter/text/emit_names.h"
#include "emitter/text/user_header.h"
#include "review/diff/compare_builds.h"
#include "review/diff/folder_side.h"
#include "review/diff/judge_kernel.h"
#include "review/diff/pair_kernels.h"
#include "review/diff/user_functions.h"
#include "review/read/plain_text.h"

namespace sinter {

namespace {

bool has_line(const KernelDiff& kernel, const std::string& line) {
  return std::find(kernel.computation.begin(), kernel.computation.end(), line) != kernel.computation.end();
}

class Differ {
 public:
  Differ(const FileSet& before, const FileSet& after, const ForEachOf& for_each)
      : before_(before), after_(after), for_each_(for_each) {}

  FolderDiff run() {
    diff_.program_before = before_.program;
    diff_.program_after = after_.program;
    diff_.before = before_.cost;
    diff_.after = after_.cost;
    read_what_changed();
    read_modules();
    std::vector<KernelDiff> split_and_merged;
    pairs_ = pair_kernels(before_, after_, modules_ ? &*modules_ : nullptr, &split_and_merged);
    judge_pairs(split_and_merged);
    for (KernelDiff& diff : split_and_merged) {
      say_what_it_computes(&diff);
      diff_.kernels.push_back(std::move(diff));
    }
    add_unpaired();
    compare_launchers();
    compare_headers();
    compare_other_files();
    sum_up();
    return std::move(diff_);
  }

 private:
  static std::string launcher_of(const Side& side) { return side.program + ".cu"; }

  void read_what_changed() {
    std::vector<std::pair<Side*, std::string>> work;
    for (Side* side : {&before_, &after_}) {
      for (const std::string& kernel : side->kernels) {
        if (!same_with_headers(before_, after_, Side::path_of(kernel))) work.emplace_back(side, Side::path_of(kernel));
      }
      // What it calls may have another name.
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

  // What somebody edited says nothing of what the code computes.
  void read_modules() {
    for (const Side* side : {&before_, &after_}) {
      for (const char* path : {"module.hlo", "plan.txt"}) {
        if (side->files.count(path) == 0 || side->is_edited(path)) return;
      }
    }
    const bool same = before_.files.at("module.hlo") == after_.files.at("module.hlo");
    if (same && before_.files.at("plan.txt") == after_.files.at("plan.txt")) return;
    modules_ = read_module_pair(before_.files, after_.files);
    if (!modules_) return;
    ModuleChanges changes = program_changes(*modules_);
    diff_.computation = std::move(changes.lines);
    values_.insert(changes.values.begin(), changes.values.end());
    diff_.extents = changed_extents(*modules_);
  }

  void judge_pairs(const std::vector<KernelDiff>& split_and_merged) {
    const auto is_one_of = [](const std::string& name, const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::vector<KernelDiff> diffs;
    for (const std::string& name : before_.kernels) {
      const bool apart = std::any_of(split_and_merged.begin(), split_and_merged.end(),
                                     [&](const KernelDiff& diff) { return is_one_of(name, diff.before); });
      if (apart || pairs_.is_free_before(name)) continue;
      diffs.push_back({.before = {name}, .after = {pairs_.after_of.at(name)}});
    }
    for_each_(diffs.size(), [&](size_t i) {
      judge_kernel(before_, after_, modules_ ? &*modules_ : nullptr, &diffs[i]);
      explain_numbers(&diffs[i]);
    });
    diff_.kernels = std::move(diffs);
  }

  // "4096", "64u": of a float there is no extent.
  static std::optional<int64_t> integer_of(const std::string& number) {
    int64_t value = 0;
    const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), value);
    const std::string rest(end, number.data() + number.size());
    return status == std::errc() && rest.find_first_not_of("uUlL") == std::string::npos ? std::optional(value)
                                                                                        : std::nullopt;
  }

  void explain_numbers(KernelDiff* diff) const {
    if (diff_.extents.empty() || diff->numbers.empty()) return;
    std::vector<std::string> explanations;
    for (const NumberChange& change : diff->numbers) {
      const std::optional<int64_t> from = integer_of(change.from), to = integer_of(change.to);
      const auto explained = from && to ? explain(*from, *to, diff_.extents) : std::nullopt;
      if (!explained) return;
      if (explained->from.empty()) continue;
      explanations.push_back(change.from + " = " + explained->from + " -> " + change.to + " = " + explained->to);
    }
    diff->follows = true;
    diff->explanations = std::move(explanations);
  }

  void add_unpaired() {
    for (const std::string& name : before_.kernels) {
      if (!pairs_.is_free_before(name)) continue;
      KernelDiff diff = {.verdict = Verdict::kRemoved, .before = {name}};
      if (const auto cost = before_.costs.find(name); cost != before_.costs.end()) diff.cost_before = cost->second;
      diff.edited_before = before_.is_edited(Side::path_of(name));
      say_what_it_computes(&diff);
      diff_.kernels.push_back(std::move(diff));
    }
    for (const std::string& name : after_.kernels) {
      if (!pairs_.is_free_after(name)) continue;
      KernelDiff diff = {.verdict = Verdict::kAdded, .after = {name}};
      if (const auto cost = after_.costs.find(name); cost != after_.costs.end()) diff.cost_after = cost->second;
      diff.edited_after = after_.is_edited(Side::path_of(name));
      say_what_it_computes(&diff);
      diff_.kernels.push_back(std::move(diff));
    }
  }

  void say_what_it_computes(KernelDiff* diff) const {
    if (!modules_) return;
    if (const auto changes = kernel_changes(*modules_, diff->before, diff->after)) diff->computation = changes->lines;
  }

  // The digits of "#define SOFTMAX_INTERFACE 0x91bc...ULL"; none in a header that has no such line.
  static std::string interface_hash(const Side& side) {
    const auto header = side.files.find(header_path(side.program));
    const std::string mark = "_INTERFACE 0x";
    const size_t at = header == side.files.end() ? std::string::npos : header->second.find(mark);
    return at == std::string::npos ? "" : header->second.substr(at + mark.size(), 16);
  }
  // As a launcher has it.
  static std::string interface_number(const Side& side) {
    const std::string hash = interface_hash(side);
    uint64_t number = 0;
    std::from_chars(hash.data(), hash.data() + hash.size(), number, 16);
    return hash.empty() ? "" : std::to_string(number);
  }

  // Of files that only one of the folders has.
  void add_gone(const std::string& path, const std::string& path_after) {
    const bool in_one = before_.files.count(path) > 0, in_other = after_.files.count(path_after) > 0;
    if (in_one) diff_.files.push_back({.path = path, .verdict = Verdict::kRemoved});
    if (in_other) diff_.files.push_back({.path = path_after, .verdict = Verdict::kAdded});
  }

  // What is called after its program has the name of the program before.
  void name_after_program(Renaming* renaming) const {
    const std::string &program = before_.program, &program_after = after_.program;
    if (program == program_after) return;
    const std::optional<Code>& code = after_.codes.at(launcher_of(after_));
    if (!code) return;
    const std::string camel = upper_camel(program), camel_after = upper_camel(program_after);
    std::map<std::string, std::string>& names = renaming->names;
    renaming->stems = {{program_after + "_", program + "_"}, {"k" + camel_after, "k" + camel}};
    for (const std::string& name : exported_names(*code)) {
      for (const auto& [now, then] : renaming->stems) {
        if (name.starts_with(now)) names[name] = then + name.substr(now.size());
      }
    }
    for (const char* type : {"Instance", "Options", "Status", "Tensor", "Inputs", "Outputs"}) {
      names[camel_after + type] = camel + type;
    }
    renaming->files = {{header_path(program_after), header_path(program)}};
    renaming->stems[camel_after] = camel;
    renaming->stems[upper_snake(program_after) + "_"] = upper_snake(program) + "_";
    // What a launcher says that failed, and a profiler that runs.
    for (const char* what : {"", "_run"}) {
      const std::string name = std::string(what) + "::enqueue";
      names.emplace(program_after + name, program + name);
    }
    names.emplace(program_after + "_range", program + "_range");
  }

  void compare_launchers() {
    const std::string path = launcher_of(before_), path_after = launcher_of(after_);
    const auto a = before_.files.find(path), b = after_.files.find(path_after);
    if (a == before_.files.end() || b == after_.files.end()) return add_gone(path, path_after);
    // A kernel that is the same under another name is the same to the launcher.
    Renaming renaming;
    for (const auto& [name, other] : pairs_.after_of) {
      if (name != other) renaming.names[other + "::enqueue"] = name + "::enqueue";
    }
    if (path == path_after && same_with_headers(before_, after_, path) && renaming.names.empty()) return;
    name_after_program(&renaming);
    FileDiff diff = {.path = path_after};
    const std::optional<Code>& code = before_.codes.at(path);
    const std::optional<Code>& code_after = after_.codes.at(path_after);
    if (code && code_after) {
      CodeComparison comparison = compare_builds({before_.files, before_.reader, path, *code},
                                                 {after_.files, after_.reader, path_after, *code_after}, renaming);
      std::erase_if(comparison.numbers, [&](const NumberChange& change) {
        return change.from == interface_number(before_) && change.to == interface_number(after_);
      });
      diff.verdict = comparison.verdict;
      if (diff.verdict == Verdict::kConstants && comparison.numbers.empty()) diff.verdict = Verdict::kText;
      diff.reason = comparison.reason;
      for (const NumberChange& change : comparison.numbers) {
        diff.reason += (diff.reason.empty() ? "" : ", ") + change.from + " -> " + change.to;
      }
      if (diff.verdict == Verdict::kComputation) {
        const bool edited = !before_.edited_of(path).empty() || !after_.edited_of(path_after).empty();
        const FunctionChange functions = edited ? FunctionChange() : function_change(before_, after_, path);
        const bool is_function = functions.computes_otherwise();
        if (!is_function) diff.verdict = edited ? Verdict::kHandEdited : Verdict::kSchedule;
        diff.reason = edited        ? ""
                      : is_function ? "host functions of " + llvm::join(functions.headers, ", ")
                                    : "other launches, buffers or arguments";
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
    if (a == before_.files.end() || b == after_.files.end()) return add_gone(path, path_after);
    if (a->second == b->second) return;
    FileDiff diff = {.path = path_after, .verdict = Verdict::kInterface};
    if (same_plain_text(path, a->second, b->second)) diff.verdict = Verdict::kText;
    const bool renamed = before_.program != after_.program;
    if (renamed) {
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
    const std::string hash = interface_hash(before_), hash_after = interface_hash(after_);
    if (!hash.empty() && hash != hash_after && !hash_after.empty()) {
      diff_.interface.push_back("hash " + hash.substr(0, 4) + " -> " + hash_after.substr(0, 4));
    }
    // Under another name there is neither the header nor a function that callers know.
    diff_.interface_breaks = renamed || (diff.verdict == Verdict::kInterface && (hash.empty() || hash != hash_after));
    diff_.files.push_back(std::move(diff));
  }

  void compare_other_files() {
    const std::set<std::string> seen = {launcher_of(before_), launcher_of(after_), header_path(before_.program),
                                        header_path(after_.program)};
    const auto is_derived = [](const std::string& path) {
      return path == "manifest.json" || path == "fusion.json" || path == "plan.txt" || path == "module.hlo" ||
             path == ".gitattributes" || path == ".clang-format";
    };
    std::set<std::string> paths;
    for (const FileSet* files : {&before_.files, &after_.files}) {
      for (const auto& [path, text] : *files) {
        const bool is_kernel = path.starts_with("kernels/") && path.ends_with(".cu");
        if (!is_kernel && seen.count(path) == 0) paths.insert(path);
      }
    }
    for (const std::string& path : paths) {
      const auto a = before_.files.find(path), b = after_.files.find(path);
      const bool both = a != before_.files.end() && b != after_.files.end();
      if (both && a->second == b->second) continue;
      if (is_derived(path)) {
        const bool edited = both && path != "manifest.json" && before_.is_edited(path) != after_.is_edited(path);
        if (edited) diff_.files.push_back({.path = path, .verdict = Verdict::kHandEdited});
        if (!edited) ++diff_.derived_changed;
        continue;
      }
      // Device helpers are judged where they are used, and these only declare what kernels define.
      const bool used_by_kernels = path.starts_with("device/") || path == "kernels.h" || is_user_header(path);
      // Written from the C header, which has been compared; names for profilers. Older folders have neither.
      const bool is_said_elsewhere =
          path == cpp_header_path(before_.program) || path == cpp_header_path(after_.program) || path == "ranges.cpp";
      FileDiff diff = {.path = path};
      if (!both) {
        const bool lacks = (a == before_.files.end() ? before_ : after_).is_listed(path);
        if ((is_said_elsewhere || (used_by_kernels && !is_stray(path))) && !lacks) continue;
        if (lacks) diff.reason = "sinter wrote it there";
        diff.verdict = a == before_.files.end() ? Verdict::kAdded : Verdict::kRemoved;
      } else {
        const bool same = same_plain_text(path, a->second, b->second);
        if (path.ends_with(".bin") || path.ends_with(".safetensors")) {
          diff.verdict = Verdict::kConstants;
        } else if (same) {
          diff.verdict = Verdict::kText;
        } else if (used_by_kernels) {
          if (!is_unused(path)) continue;
          if (!before_.is_edited(path) && !after_.is_edited(path)) {
            ++diff_.derived_changed;
            continue;
          }
          diff.verdict = Verdict::kText;
          diff.reason = "no code that uses it differs";
        } else if (before_.is_edited(path) || after_.is_edited(path)) {
          diff.verdict = Verdict::kHandEdited;
        } else if (is_said_elsewhere || path == "CMakeLists.txt" || path == "main.cpp" || path == "info.cpp" ||
                   path.starts_with("launcher/")) {
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

  // A header that somebody added and no code includes: no kernel's verdict tells of it.
  bool is_stray(const std::string& header) const {
    const auto includes = [&](const Side& side) {
      return std::any_of(side.includes.begin(), side.includes.end(), [&](const auto& file) {
        const bool is_code = file.first.ends_with(".cu");
        return is_code && side.headers_of(file.first).contains(header);
      });
    };
    return !includes(before_) && !includes(after_);
  }

  // Whether all that includes a header is the same with either of its texts.
  bool is_unused(const std::string& header) const {
    const auto includes = [&](const Side& side, const std::string& path) {
      return side.headers_of(path).count(header) > 0;
    };
    const auto differs = [](Verdict verdict) { return verdict > Verdict::kText; };
    const auto by_kernel = [&](const KernelDiff& kernel) {
      const auto named = [&](const Side& side, const std::vector<std::string>& names) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return includes(side, Side::path_of(name)); });
      };
      return differs(kernel.verdict) && (named(before_, kernel.before) || named(after_, kernel.after));
    };
    const auto by_launcher = [&](const FileDiff& file) {
      return differs(file.verdict) && file.path == launcher_of(after_) && includes(after_, file.path);
    };
    return std::none_of(diff_.kernels.begin(), diff_.kernels.end(), by_kernel) &&
           std::none_of(diff_.files.begin(), diff_.files.end(), by_launcher);
  }

  // Of operations: what the host or a library computes is in no kernel, and a kernel that is gone differs from none.
  Verdict judge_program() const {
    if (calls_other_functions()) return Verdict::kComputation;
    if (!modules_) return comes_or_goes_unsaid() ? Verdict::kUnknown : Verdict::kIdentical;
    Verdict verdict = Verdict::kIdentical;
    const bool rounds = same_input(before_, after_) && before_.rounding_options() != after_.rounding_options();
    for (const std::string& line : diff_.computation) {
      // It has been found to be no more than numbers, or roundings.
      const bool is_judged = std::any_of(diff_.kernels.begin(), diff_.kernels.end(), [&](const KernelDiff& kernel) {
        return kernel.verdict < Verdict::kComputation && has_line(kernel, line);
      });
      if (is_judged) continue;
      verdict = std::max(verdict, values_.contains(line) ? Verdict::kConstants
                                  : rounds               ? Verdict::kRounding
                                                         : Verdict::kComputation);
    }
    return verdict;
  }

  // Of kernels that nothing is compared with: functions of the user's own are no part of what a program says.
  bool calls_other_functions() const {
    return std::any_of(diff_.kernels.begin(), diff_.kernels.end(), [&](const KernelDiff& kernel) {
      if (kernel.verdict < Verdict::kRemoved || kernel.verdict > Verdict::kMerged) return false;
      return std::any_of(kernel.before.begin(), kernel.before.end(), [&](const std::string& name) {
        return function_change(before_, after_, Side::path_of(name)).computes_otherwise();
      });
    });
  }

  // Kernels that only one folder has, of which nothing says whether the others compute what they do.
  bool comes_or_goes_unsaid() const {
    return std::any_of(diff_.kernels.begin(), diff_.kernels.end(), [&](const KernelDiff& kernel) {
      if (kernel.verdict != Verdict::kAdded && kernel.verdict != Verdict::kRemoved) return false;
      const bool is_added = kernel.verdict == Verdict::kAdded;
      const Side& without = is_added ? before_ : after_;
      const std::string path = Side::path_of((is_added ? kernel.after : kernel.before)[0]);
      const bool by_hand = kernel.edited_before || kernel.edited_after || without.is_listed(path);
      return by_hand || !same_input(before_, after_);
    });
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
    diff_.program_verdict = judge_program();
    worse(diff_.program_verdict);
    if (diff_.derived_changed > 0) worse(Verdict::kText);
    std::string list;
    for (const auto& [verdict, count] : counts) {
      list += (list.empty() ? "" : ", ") + std::to_string(count) + " " + verdict_name(verdict);
    }
    diff_.headline = list.empty() ? "no kernels" : "kernels: " + list;
  }

  Side before_, after_;
  const ForEachOf& for_each_;
  std::optional<ModulePair> modules_;  // where both say what they compute, and it is not the same text
  std::set<std::string> values_;       // lines of FolderDiff::computation that are another value of a constant
  KernelPairs pairs_;
  FolderDiff diff_;
};

}  // namespace

std::vector<std::string> lines_of_no_kernel(const FolderDiff& diff) {
  std::vector<std::string> lines;
  for (const std::string& line : diff.computation) {
    const bool told = std::any_of(diff.kernels.begin(), diff.kernels.end(),
                                  [&](const KernelDiff& kernel) { return has_line(kernel, line); });
    if (!told) lines.push_back(line);
  }
  return lines;
}

FolderDiff diff_folders(const FileSet& before, const FileSet& after, const ForEachOf& for_each) {
  return Differ(before, after, for_each).run();
}

}  // namespace sinter
