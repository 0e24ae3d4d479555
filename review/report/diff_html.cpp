#include "review/report/diff_html.h"

#include <algorithm>

#include "review/diff/folder_side.h"
#include "review/report/cost_text.h"
#include "review/report/diff_report.h"
#include "review/report/page.h"
#include "review/report/side_by_side.h"

namespace sinter {

namespace {

using kainjow::mustache::data;

const char* class_of(Verdict verdict) {
  if (verdict <= Verdict::kText) return "good";
  return verdict <= Verdict::kSchedule ? "notice" : "bad";
}

data with_verdict(Verdict verdict) {
  data object;
  object.set("verdict", verdict_name(verdict));
  object.set("class", class_of(verdict));
  return object;
}

data signed_lines(const std::vector<std::string>& lines) {
  data entries = list();
  for (const std::string& line : lines) entries << hlo_line(line, line[0] == '+' ? "new" : "gone");
  return entries;
}

data tokens(const CodeLine& line) {
  data entries = list();
  for (const CodeToken& token : line.tokens) {
    data entry;
    entry.set("text", shown(token.text));
    entry.set("mark", token.changed);
    entries << entry;
  }
  return entries;
}

std::string number_of(const CodeLine& line) { return line.number == 0 ? "" : std::to_string(line.number); }

data code_rows(const std::string& before, const std::string& after) {
  data entries = list();
  for (const CodeRow& row : side_by_side(before, after)) {
    data entry;
    if (row.gap > 0) {
      entry.set("row", "gap");
      entry.set("gap", std::to_string(row.gap) + (row.gap == 1 ? " line is the same" : " lines are the same"));
      entries << entry;
      continue;
    }
    entry.set("row", row.near ? "near" : "far");
    entry.set("line_before", number_of(row.before));
    entry.set("line_after", number_of(row.after));
    entry.set("class_before", row.before.number == 0 ? "none" : row.same ? "" : "gone");
    entry.set("class_after", row.after.number == 0 ? "none" : row.same ? "" : "new");
    entry.set("tokens_before", tokens(row.before));
    entry.set("tokens_after", tokens(row.after));
    entries << entry;
  }
  return entries;
}

// What a folder says that it computes, where nobody edited that.
std::optional<RecordedModule> recorded(const FileSet& files) {
  const Side side(files);
  for (const char* path : {"module.hlo", "plan.txt"}) {
    if (!files.contains(path) || side.is_edited(path)) return std::nullopt;
  }
  return read_recorded_module(files);
}

// The section of one program.
class ProgramSection {
 public:
  ProgramSection(const ProgramDiff& program, size_t number, kainjow::mustache::mustache* kernel_text)
      : program_(program),
        diff_(program.diff),
        id_(std::to_string(number)),
        name_(diff_.program_after.empty() ? diff_.program_before : diff_.program_after),
        kernel_text_(kernel_text),
        before_(recorded(program.before)),
        after_(recorded(program.after)) {}

  data run() {
    data section = with_verdict(diff_.verdict);
    section.set("id", id_);
    section.set("name", shown(name_));
    section.set("headline", shown(diff_.headline));
    section.set("breaks", diff_.interface_breaks);
    data interface = list();
    for (const std::string& line : diff_.interface) interface << data(shown(line));
    set_list(&section, "interface", interface);
    set_list(&section, "costs", costs());
    set_list(&section, "lines", signed_lines(lines_of_no_kernel(diff_)));
    set_if(&section, "extents", extents_text(diff_.extents));
    add_kernels(&section);
    data files = list();
    for (const FileDiff& file : diff_.files) {
      data entry = with_verdict(file.verdict);
      entry.set("path", shown(file.path));
      entry.set("reason", shown(file.reason));
      files << entry;
    }
    set_list(&section, "files", files);
    if (diff_.derived_changed > 0) section.set("derived", counted_derived(diff_.derived_changed));
    return section;
  }

 private:
  data costs() const {
    data entries = list();
    if (!diff_.before || !diff_.after) return entries;
    for (const CostChange& change : run_costs(*diff_.before, *diff_.after)) {
      data entry;
      entry.set("what", change.what);
      entry.set("before", change.before);
      entry.set("after", change.after);
      entry.set("change", change.before == change.after ? "same" : change.percent);
      entries << entry;
    }
    return entries;
  }

  void add_kernels(data* section) {
    std::vector<const KernelDiff*> kernels;
    for (const KernelDiff& kernel : diff_.kernels) kernels.push_back(&kernel);
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const KernelDiff* a, const KernelDiff* b) { return a->verdict > b->verdict; });
    data rows = list();
    std::string texts;
    for (size_t i = 0; i < kernels.size(); ++i) {
      const KernelDiff& kernel = *kernels[i];
      const std::string id = "kernel-" + id_ + "-" + std::to_string(i);
      rows << row(kernel, id);
      if (kernel.verdict != Verdict::kIdentical) texts += kernel_text_->render(kernel_section(kernel, id));
    }
    set_list(section, "rows", rows);
    section->set("kernels", texts);
  }

  data row(const KernelDiff& kernel, const std::string& id) const {
    data entry = with_verdict(kernel.verdict);
    entry.set("name", shown(kernel_name(kernel)));
    if (kernel.verdict != Verdict::kIdentical) entry.set("link", id);
    entry.set("details", shown(details(kernel)));
    for (const char* key : {"launches", "bytes", "shared", "registers", "time"}) entry.set(key, "");
    for (const CostChange& change : kernel_costs(kernel.cost_before, kernel.cost_after)) {
      const bool same = change.before == change.after;
      entry.set(change.key, same ? change.after : change.before + " \u2192 " + change.after);
    }
    // Those that it has, in the place of those that the plan expects.
    const std::string registers = registers_change(kernel, " \u2192 ");
    if (!registers.empty()) entry.set("registers", registers);
    return entry;
  }

  static std::string details(const KernelDiff& kernel) {
    std::string text = details_text(kernel);
    const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
    if (kernel.follows) add("all follow from extents");
    const size_t lines = kernel.computation.size();
    if (lines > 0) add(std::to_string(lines) + (lines == 1 ? " HLO line differs" : " HLO lines differ"));
    return text;
  }

  data kernel_section(const KernelDiff& kernel, const std::string& id) const {
    data section = with_verdict(kernel.verdict);
    section.set("id", id);
    section.set("name", shown(kernel_name(kernel)));
    section.set("details", shown(details(kernel)));
    // What differs in names or numbers alone is looked at last.
    section.set("open", kernel.verdict > Verdict::kConstants);
    if (kernel.edited_before || kernel.edited_after) {
      section.set("edited", kernel.edited_after ? "edited by hand" : "was edited by hand");
    }
    data panes = list();
    const auto add_pane = [&](const std::string& label, const std::string& before, const std::string& after) {
      data pane;
      pane.set("id", id + "-" + std::to_string(panes.list_value().size()));
      pane.set("label", shown("code of " + label));
      pane.set("before", shown(before.empty() ? "nothing" : before));
      pane.set("after", shown(after.empty() ? "nothing" : after));
      pane.set("code", code_rows(text_of(program_.before, before), text_of(program_.after, after)));
      panes << pane;
    };
    const auto path_of = [](const std::string& name) { return name.empty() ? "" : Side::path_of(name); };
    for (size_t i = 0; i < std::max(kernel.before.size(), kernel.after.size()); ++i) {
      const std::string before = i < kernel.before.size() ? kernel.before[i] : "";
      const std::string after = i < kernel.after.size() ? kernel.after[i] : "";
      add_pane(after.empty() ? before : after, path_of(before), path_of(after));
    }
    for (const std::string& header : kernel.headers) add_pane(header, header, header);
    section.set("panes", panes);
    section.set("aside", shown("what " + kernel_name(kernel) + " computes"));
    set_list(&section, "computation", signed_lines(kernel.computation));
    data computes = list();
    // The module says nothing of what somebody wrote since.
    const char* const unedited = "What it was emitted to compute, before it was edited";
    add_values(before_, kernel.before, kernel, "gone", kernel.edited_before ? unedited : "All of it before", &computes);
    add_values(after_, kernel.after, kernel, "new", kernel.edited_after ? unedited : "All of it after", &computes);
    section.set("computes", computes);
    section.set("program", id_);
    section.set("program_name", shown(name_));
    return section;
  }

  static std::string text_of(const FileSet& files, const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? "" : found->second;
  }

  static void add_values(const std::optional<RecordedModule>& module, const std::vector<std::string>& kernels,
                         const KernelDiff& diff, const std::string& kind, const char* when, data* computes) {
    if (!module) return;
    data values = list();
    for (const std::string& kernel : kernels) {
      const auto known = module->kernels.find(kernel);
      if (known == module->kernels.end()) continue;
      for (const Instruction* instruction : known->second) {
        const std::string line = instruction_line(*instruction);
        const std::string marked = (kind == "gone" ? "- " : "+ ") + line;
        const bool differs = std::any_of(diff.computation.begin(), diff.computation.end(),
                                         [&](const std::string& other) { return other.starts_with(marked); });
        values << hlo_line(line, differs ? kind : "");
      }
    }
    if (values.is_empty_list()) return;
    data entry;
    entry.set("when", when);
    entry.set("values", values);
    *computes << entry;
  }

  const ProgramDiff& program_;
  const FolderDiff& diff_;
  const std::string id_, name_;
  kainjow::mustache::mustache* kernel_text_;
  const std::optional<RecordedModule> before_, after_;
};

}  // namespace

std::string diff_html(const std::vector<ProgramDiff>& programs) {
  kainjow::mustache::mustache page = read_page_template("review/diff.html.mustache");
  kainjow::mustache::mustache kernel = read_page_template("review/diff_kernel.html.mustache");
  data values;
  set_style(&values);
  data sections = list();
  std::string names;
  for (size_t i = 0; i < programs.size(); ++i) {
    const FolderDiff& diff = programs[i].diff;
    const std::string& before = diff.program_before.empty() ? diff.program_after : diff.program_before;
    const std::string& after = diff.program_after.empty() ? diff.program_before : diff.program_after;
    names += (i == 0 ? "" : ", ") + (before == after ? after : before + " -> " + after);
    sections << ProgramSection(programs[i], i, &kernel).run();
  }
  values.set("title", shown("What changed in " + names));
  values.set("programs", sections);
  return page.render(values);
}

}  // namespace sinter
