#include "review/report/diff_report.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <charconv>

#include "review/report/cost_text.h"

namespace sinter {

namespace {

std::string joined(const std::vector<std::string>& list, const std::string& between) {
  std::string text;
  for (const std::string& entry : list) text += (text.empty() ? "" : between) + entry;
  return text;
}

class CostText {
 public:
  void integer(const std::string& what, std::optional<int64_t> before, std::optional<int64_t> after) {
    const auto text = [](std::optional<int64_t> value) {
      return value ? std::to_string(*value) : std::string("unknown");
    };
    if (before == after) {
      same_ += (same_.empty() ? "" : ", ") + what + (what == "launches" ? " " + text(before) : "");
      return;
    }
    add(what + " " + text(before) + " -> " + text(after) +
        (before && after && what != "launches" ? percent(static_cast<double>(*before), static_cast<double>(*after))
                                               : ""));
  }
  void time(std::optional<double> before, std::optional<double> after) {
    if (!before && !after) return;
    if (before == after) {
      same_ += (same_.empty() ? "" : ", ") + std::string("predicted time");
      return;
    }
    const auto text = [](std::optional<double> value) { return value ? rounded(*value) : std::string("unknown"); };
    add("predicted " + text(before) + " -> " + text(after) + " us" + (before && after ? percent(*before, *after) : ""));
  }
  std::string text() const {
    std::string text = changed_;
    if (!same_.empty()) text += (text.empty() ? "" : "; ") + same_ + ": same";
    return text;
  }
  bool any_changed() const { return !changed_.empty(); }
  const std::string& changed() const { return changed_; }

 private:
  void add(const std::string& text) { changed_ += (changed_.empty() ? "" : "; ") + text; }

  std::string changed_, same_;
};

class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}

  std::string verdict(Verdict verdict) const {
    const char* code = "31";  // red: read this
    if (verdict == Verdict::kIdentical || verdict == Verdict::kText) code = "32";
    if (verdict == Verdict::kConstants || verdict == Verdict::kRounding || verdict == Verdict::kSchedule) code = "33";
    return paint(verdict_name(verdict), code);
  }
  std::string line(const std::string& text) const { return paint(text, text[0] == '+' ? "32" : "31"); }

 private:
  std::string paint(const std::string& text, const std::string& code) const {
    return colour_ ? "\033[" + code + "m" + text + "\033[0m" : text;
  }
  bool colour_;
};

std::string numbers_text(const std::vector<NumberChange>& numbers) {
  constexpr size_t kMost = 6;  // of a line
  std::string text;
  for (size_t i = 0; i < numbers.size() && i < kMost; ++i) {
    const NumberChange& change = numbers[i];
    text += i == 0 ? "" : ", ";
    if (!change.name.empty()) text += change.name + " ";
    text += change.from + " -> " + change.to;
    if (change.line > 0) text += " :" + std::to_string(change.line_after > 0 ? change.line_after : change.line);
  }
  return text + (numbers.size() > kMost ? ", ... " + std::to_string(numbers.size() - kMost) + " more" : "");
}

}  // namespace

std::string kernel_name(const KernelDiff& kernel) {
  const std::string before = joined(kernel.before, ", "), after = joined(kernel.after, ", ");
  if (before.empty() || before == after) return after;
  return after.empty() ? before : before + " -> " + after;
}

std::string counted_derived(size_t count) {
  return std::to_string(count) + (count == 1 ? " file that follows" : " files that follow") + " from these";
}

std::string extents_text(const std::vector<ExtentChange>& extents) {
  std::string text;
  for (const ExtentChange& change : extents) {
    text += (text.empty() ? "" : ", ") + std::to_string(change.from) + " -> " + std::to_string(change.to);
  }
  return text;
}

std::string details_text(const KernelDiff& kernel) {
  std::vector<std::string> parts;
  if (!kernel.reason.empty()) parts.push_back(kernel.reason);
  if (!kernel.schedule.empty()) parts.push_back(joined(kernel.schedule, ", "));
  if (!kernel.numbers.empty()) parts.push_back(numbers_text(kernel.numbers));
  if (!kernel.renames.empty()) {
    std::vector<std::string> renames;
    for (const Rename& rename : kernel.renames) renames.push_back(rename.from + " => " + rename.to);
    constexpr size_t kMost = 6;
    const size_t more = renames.size() > kMost ? renames.size() - kMost : 0;
    renames.resize(renames.size() - more);
    parts.push_back(joined(renames, ", ") + (more > 0 ? ", ... " + std::to_string(more) + " more" : ""));
  }
  return joined(parts, "; ");
}

namespace {

// The other names of a number: 4096 of "64*64".
std::vector<NumberChange> shared_numbers(const FolderDiff& diff) {
  std::vector<std::pair<NumberChange, int>> counted;
  for (const KernelDiff& kernel : diff.kernels) {
    for (const NumberChange& change : kernel.numbers) {
      const auto known = std::find_if(counted.begin(), counted.end(), [&](const auto& entry) {
        return entry.first.from == change.from && entry.first.to == change.to;
      });
      if (known != counted.end()) {
        ++known->second;
      } else {
        counted.push_back({{.from = change.from, .to = change.to}, 1});
      }
    }
  }
  std::stable_sort(counted.begin(), counted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<NumberChange> result;
  for (auto& [change, count] : counted) {
    change.count = count;
    result.push_back(change);
  }
  return result;
}

// What differs in HLO terms, as much of it as is read at a glance.
void add_lines(const std::vector<std::string>& lines, bool all, const Painter& painter, const std::string& indent,
               std::string* text) {
  constexpr size_t kMost = 12;
  for (size_t i = 0; i < lines.size() && (all || i < kMost); ++i) *text += indent + painter.line(lines[i]) + "\n";
  if (lines.size() > kMost && !all) *text += indent + "... " + std::to_string(lines.size() - kMost) + " more\n";
}

// Kernels whose numbers all follow from extents that change everywhere, in one line; empty without any.
std::string followers_text(const FolderDiff& diff) {
  constexpr size_t kMost = 3;  // examples
  size_t count = 0;
  std::vector<std::string> examples;
  for (const KernelDiff& kernel : diff.kernels) {
    const bool other_registers = kernel.assembled_before != kernel.assembled_after;
    if (kernel.verdict != Verdict::kConstants || !kernel.follows || other_registers) continue;
    ++count;
    for (const std::string& example : kernel.explanations) {
      const bool known = std::find(examples.begin(), examples.end(), example) != examples.end();
      if (!known && examples.size() < kMost) examples.push_back(example);
    }
  }
  if (count == 0) return "";
  std::string text = std::to_string(count) + (count == 1 ? " kernel differs" : " kernels differ");
  text += " only in numbers, all explained by " + extents_text(diff.extents);
  return text + (examples.empty() ? "" : " (" + joined(examples, ", ") + ")");
}

}  // namespace

namespace {

std::string program_text(const FolderDiff& diff, bool colour, bool all) {
  const Painter painter(colour);
  const std::string& program = diff.program_after.empty() ? diff.program_before : diff.program_after;
  std::string text = program + ": " + painter.verdict(diff.verdict) + ". " + diff.headline + "\n";
  if (!diff.interface.empty()) {
    text += std::string("  interface") + (diff.interface_breaks ? " BREAK: callers must be rebuilt" : "") + "\n";
    for (const std::string& entry : diff.interface) text += "    " + entry + "\n";
  }
  if (diff.before && diff.after) {
    CostText cost;
    cost.integer("launches", diff.before->launches, diff.after->launches);
    cost.integer("bytes", bytes_of(*diff.before), bytes_of(*diff.after));
    cost.integer("arena", diff.before->arena_bytes, diff.after->arena_bytes);
    cost.time(diff.before->predicted_us, diff.after->predicted_us);
    text += "  " + cost.text() + "\n";
  }
  add_lines(lines_of_no_kernel(diff), all, painter, "  ", &text);
  // What is to be read stands first, kernels that differ in numbers alone together.
  std::vector<const KernelDiff*> kernels;
  std::vector<std::string> by_numbers;
  for (const KernelDiff& kernel : diff.kernels) {
    if (kernel.verdict == Verdict::kIdentical && !all) continue;
    kernels.push_back(&kernel);
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelDiff* a, const KernelDiff* b) { return a->verdict > b->verdict; });
  size_t width = 0;
  for (const KernelDiff* kernel : kernels) width = std::max(width, std::min(kernel_name(*kernel).size(), size_t{40}));
  constexpr size_t kTogether = 4;  // so many kernels that differ in numbers alone are one line
  const auto is_short = [&](const KernelDiff& kernel) {
    return kernel.verdict == Verdict::kConstants && kernel.assembled_before == kernel.assembled_after && !all;
  };
  const auto is_told_apart = [&](const KernelDiff& kernel) { return is_short(kernel) && kernel.follows; };
  const auto count = static_cast<size_t>(std::count_if(kernels.begin(), kernels.end(), [&](const KernelDiff* kernel) {
    return is_short(*kernel) && !is_told_apart(*kernel);
  }));
  bool told = false;
  for (const KernelDiff* kernel : kernels) {
    if (is_told_apart(*kernel)) continue;
    if (is_short(*kernel) && count >= kTogether) {
      if (told) continue;
      told = true;
      text += "  " + std::to_string(count) + " kernels differ only in numbers: " + numbers_text(shared_numbers(diff)) +
              "\n";
      continue;
    }
    std::string name = kernel_name(*kernel);
    name.resize(std::max(name.size(), width), ' ');
    text += "  " + name + "  " + painter.verdict(kernel->verdict);
    const std::string details = details_text(*kernel);
    if (!details.empty()) text += "  " + details;
    if (kernel->edited_before || kernel->edited_after) {
      text += kernel->edited_after ? "  (edited by hand)" : "  (was edited by hand)";
    }
    text += "\n";
    if (kernel->cost_before && kernel->cost_after && kernel->verdict > Verdict::kText) {
      CostText cost;
      cost.integer("launches", kernel->cost_before->launches, kernel->cost_after->launches);
      cost.integer("bytes", bytes_of(*kernel->cost_before), bytes_of(*kernel->cost_after));
      cost.time(kernel->cost_before->predicted_us, kernel->cost_after->predicted_us);
      if (cost.any_changed()) text += "      " + cost.changed() + "\n";
    }
    const std::string registers = registers_change(*kernel, " -> ");
    if (!registers.empty()) {
      const bool same = kernel->assembled_before == kernel->assembled_after;
      text += "      registers " + registers + (same ? ", same" : "") + "\n";
    }
    add_lines(kernel->computation, all, painter, "      ", &text);
    constexpr size_t kShort = 8;  // lines that are read at a glance
    if (kernel->hunk.size() > kShort && !all) {
      text += "      more than " + std::to_string(kShort) + " lines differ: --all shows them\n";
      continue;
    }
    for (const std::string& line : kernel->hunk) text += "      " + painter.line(line) + "\n";
  }
  const std::string followers = followers_text(diff);
  if (!followers.empty() && !all) text += "  " + followers + "\n";
  for (const FileDiff& file : diff.files) {
    text += "  " + file.path + "  " + painter.verdict(file.verdict) + (file.reason.empty() ? "" : "  " + file.reason) +
            "\n";
  }
  if (diff.derived_changed > 0) {
    text += "  " + counted_derived(diff.derived_changed) + " changed\n";
  }
  return text;
}

}  // namespace

std::string diff_text(const std::vector<ProgramDiff>& programs, bool colour, bool all) {
  std::string text;
  for (const ProgramDiff& program : programs) text += program_text(program.diff, colour, all);
  return text;
}

double slower_by(const FolderDiff& diff) {
  if (!diff.before || !diff.after || !diff.before->predicted_us || !diff.after->predicted_us) return 0;
  return *diff.before->predicted_us == 0 ? 0 : *diff.after->predicted_us / *diff.before->predicted_us - 1;
}

namespace {

std::string shortest(double value) {
  char text[32];
  const std::to_chars_result result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

void write_cost(llvm::json::OStream& json, const char* key, const std::optional<Cost>& cost, bool kernel) {
  if (!cost) return;
  json.attributeObject(key, [&] {
    if (cost->launches) json.attribute("launches", *cost->launches);
    if (cost->bytes_read) json.attribute("bytes_read", *cost->bytes_read);
    if (cost->bytes_written) json.attribute("bytes_written", *cost->bytes_written);
    // The shortest text that is read as the number: fusion.json has it so.
    if (cost->predicted_us) {
      json.attributeBegin("predicted_us");
      json.rawValue(shortest(*cost->predicted_us));
      json.attributeEnd();
    }
    if (!kernel) return json.attribute("arena_bytes", cost->arena_bytes);
    json.attribute("schedules", cost->schedules);
    json.attribute("grid", cost->grid);
    json.attribute("block", cost->block);
    json.attribute("shared_bytes", cost->shared_bytes);
    json.attribute("registers", cost->registers);
    json.attribute("flops", cost->flops);
  });
}

void write_assembled(llvm::json::OStream& json, const char* key, const std::optional<Assembled>& assembled) {
  if (!assembled) return;
  json.attributeObject(key, [&] {
    json.attribute("registers", assembled->registers);
    json.attribute("spilled_bytes", assembled->spilled_bytes);
  });
}

void write_list(llvm::json::OStream& json, const char* key, const std::vector<std::string>& list) {
  if (list.empty()) return;
  json.attributeArray(key, [&] {
    for (const std::string& entry : list) json.value(llvm::json::fixUTF8(entry));
  });
}

void write_diff(llvm::json::OStream& json, const FolderDiff& diff) {
  json.object([&] {
    json.attribute("version", 1);
    json.attribute("program_before", diff.program_before);
    json.attribute("program_after", diff.program_after);
    json.attribute("verdict", verdict_name(diff.verdict));
    json.attribute("program_verdict", verdict_name(diff.program_verdict));
    json.attribute("interface_breaks", diff.interface_breaks);
    write_list(json, "interface", diff.interface);
    write_list(json, "computation", diff.computation);
    if (!diff.extents.empty()) {
      json.attributeArray("extents", [&] {
        for (const ExtentChange& change : diff.extents) {
          json.object([&] {
            json.attribute("from", change.from);
            json.attribute("to", change.to);
          });
        }
      });
    }
    write_cost(json, "before", diff.before, false);
    write_cost(json, "after", diff.after, false);
    json.attributeArray("kernels", [&] {
      for (const KernelDiff& kernel : diff.kernels) {
        json.object([&] {
          json.attribute("verdict", verdict_name(kernel.verdict));
          write_list(json, "names_before", kernel.before);
          write_list(json, "names_after", kernel.after);
          json.attribute("edited_before", kernel.edited_before);
          json.attribute("edited_after", kernel.edited_after);
          if (!kernel.reason.empty()) json.attribute("reason", llvm::json::fixUTF8(kernel.reason));
          if (!kernel.numbers.empty()) {
            json.attributeArray("numbers", [&] {
              for (const NumberChange& change : kernel.numbers) {
                json.object([&] {
                  if (!change.name.empty()) json.attribute("name", change.name);
                  json.attribute("from", change.from);
                  json.attribute("to", change.to);
                  json.attribute("line_before", change.line);
                  json.attribute("line_after", change.line_after);
                  json.attribute("places", change.count);
                });
              }
            });
          }
          if (!kernel.renames.empty()) {
            json.attributeObject("renames", [&] {
              std::vector<std::string> seen;
              for (const Rename& rename : kernel.renames) {
                if (std::find(seen.begin(), seen.end(), rename.from) != seen.end()) continue;
                seen.push_back(rename.from);
                json.attribute(rename.from, rename.to);
              }
            });
          }
          write_list(json, "computation", kernel.computation);
          if (kernel.follows) json.attribute("follows_from_extents", true);
          write_list(json, "explanations", kernel.explanations);
          write_list(json, "schedule", kernel.schedule);
          write_list(json, "headers", kernel.headers);
          write_list(json, "hunk", kernel.hunk);
          write_cost(json, "before", kernel.cost_before, true);
          write_cost(json, "after", kernel.cost_after, true);
          write_assembled(json, "ptxas_before", kernel.assembled_before);
          write_assembled(json, "ptxas_after", kernel.assembled_after);
        });
      }
    });
    json.attributeArray("files", [&] {
      for (const FileDiff& file : diff.files) {
        json.object([&] {
          json.attribute("path", file.path);
          json.attribute("verdict", verdict_name(file.verdict));
          if (!file.reason.empty()) json.attribute("reason", llvm::json::fixUTF8(file.reason));
        });
      }
    });
    json.attribute("derived_files_changed", static_cast<int64_t>(diff.derived_changed));
  });
}

}  // namespace

std::string diff_json(const std::vector<ProgramDiff>& programs) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/1);
  if (programs.size() == 1) {
    write_diff(json, programs[0].diff);
  } else {
    json.object([&] {
      json.attribute("version", 1);
      json.attribute("verdict", verdict_name(verdict_of(programs)));
      json.attributeArray("programs", [&] {
        for (const ProgramDiff& program : programs) write_diff(json, program.diff);
      });
    });
  }
  json.flush();
  stream << '\n';
  return stream.str();
}

}  // namespace sinter
