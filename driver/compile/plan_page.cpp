// The page has no script: boxes and rows are links, kernels are opened by them, by the keyboard or by a search, which
// looks into what is closed. So 10,000 instructions are a long text, and nothing else.
#include "driver/compile/plan_page.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>
#include <set>

#include "emitter/host/emit_host.h"
#include "ir/module/host_functions.h"
#include "passes/reasons/reasons.h"
#include "review/modules/module_changes.h"
#include "review/modules/recorded_module.h"
#include "review/report/page.h"

namespace sinter {
namespace {

using kainjow::mustache::data;

std::string fixed(double number, int digits) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", digits, number);
  return text;
}

std::string count_text(std::optional<int64_t> count) { return count ? std::to_string(*count) : "unknown"; }

std::string bytes_or(std::optional<int64_t> bytes) { return bytes ? bytes_text(*bytes) : "unknown"; }

std::string home_text(const Buffer& buffer) {
  switch (buffer.kind) {
    case Buffer::Kind::kInput:
      return "input";
    case Buffer::Kind::kOutput:
      return "output";
    case Buffer::Kind::kArena:
      return "device memory";
    case Buffer::Kind::kConstant:
    case Buffer::Kind::kWeight:
      return "weights";
    case Buffer::Kind::kDonated:
      return "input and output";
    case Buffer::Kind::kFinished:
      return "counts of blocks";
    case Buffer::Kind::kPointer:
      break;
  }
  return "one array or another";
}

// --- Launches in order ----------------------------------------------------------------------------------------------

// What the host does, one after the other; a loop or an arm of a branch is an entry where it begins and one where it
// ends. Explicit stack: nesting is the input's.
struct HostEntry {
  const HostStep* step = nullptr;  // nullptr: an end
  std::string opens;               // what a group is called that begins here
};

std::vector<HostEntry> entries_of(const HostPlan& plan) {
  std::vector<HostEntry> entries, pending;
  const auto push = [&](const std::vector<HostStep>& steps) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) pending.push_back({&*step, ""});
  };
  const auto push_group = [&](const HostStep& of, const std::vector<HostStep>& steps, const std::string& name) {
    pending.push_back({});
    push(steps);
    pending.push_back({&of, name});
  };
  push(plan.steps);
  while (!pending.empty()) {
    const HostEntry entry = pending.back();
    pending.pop_back();
    if (entry.step == nullptr && !entries.back().opens.empty()) {
      entries.pop_back();  // nothing is in it
      continue;
    }
    if (entry.step == nullptr || !entry.opens.empty()) {
      entries.push_back(entry);
      continue;
    }
    const HostStep& step = *entry.step;
    if (step.kind == HostStep::Kind::kLoop) {
      push_group(step, step.body, std::to_string(step.trip) + " times");
    } else if (step.kind == HostStep::Kind::kWhile) {
      push_group(step, step.body, "as long as its condition holds");
      push_group(step, step.condition, "the condition, which the host reads");
    } else if (step.kind == HostStep::Kind::kBranch) {
      for (size_t arm = step.arms.size(); arm-- > 0;) {
        push_group(step, step.arms[arm], "arm " + std::to_string(arm) + " of a branch");
      }
    } else if (step.kind != HostStep::Kind::kSwap && step.kind != HostStep::Kind::kPoint) {
      entries.push_back(entry);
    }
  }
  return entries;
}

std::string kernel_id(size_t kernel) { return "kernel-" + std::to_string(kernel); }

std::string box_name(const HostStep& step, const Program& program) {
  switch (step.kind) {
    case HostStep::Kind::kLaunch:
      return program.kernels[step.kernel].name;
    case HostStep::Kind::kCall: {
      const DeviceFunctionName called = parse_function_name(step.call.function);
      return (called.header.empty() ? "library::" : "") + called.function;
    }
    case HostStep::Kind::kCopy:
      return "copy to " + program.plan.buffers[step.buffers[1]].name;
    case HostStep::Kind::kClear:
      return "clear " + program.plan.buffers[step.buffers[0]].name;
    default:
      return "";
  }
}

data boxes(const Program& program, const PlanReport& report) {
  constexpr double kRow = 70, kRowOf = 20;  // rem that all boxes have together for each so many
  const std::vector<HostEntry> entries = entries_of(program.plan);
  const auto us_of = [&](const HostEntry& entry) {
    const bool launches = entry.step != nullptr && entry.step->kind == HostStep::Kind::kLaunch;
    return launches ? report.kernels[entry.step->kernel].predicted_us : 0;
  };
  double sum = 0;
  for (const HostEntry& entry : entries) sum += us_of(entry);
  const double rows = std::max(1.0, static_cast<double>(entries.size()) / kRowOf);
  data result = list();
  for (const HostEntry& entry : entries) {
    data box;
    if (entry.step == nullptr) {
      box.set("closes", true);
    } else if (!entry.opens.empty()) {
      box.set("opens", shown(entry.opens));
    } else {
      const double us = us_of(entry);
      data one;
      one.set("name", shown(box_name(*entry.step, program)));
      one.set("what", shown(entry.step->comment));
      one.set("width", fixed(sum > 0 ? kRow * rows * us / sum : 0, 2));
      one.set("time", us > 0 ? time_text(us) : "");  // empty: a missing one would be the page's
      if (entry.step->kind == HostStep::Kind::kLaunch) one.set("link", kernel_id(entry.step->kernel));
      box.set("box", one);
    }
    result << box;
  }
  return result;
}

// --- Values in device memory ----------------------------------------------------------------------------------------

data values_in_memory(const PlanReport& report) {
  data rows = list();
  for (const PlanReport::Boundary& boundary : report.boundaries) {
    data row;
    row.set("value", shown(boundary.value));
    row.set("bytes", bytes_text(boundary.bytes));
    row.set("time", time_text(boundary.predicted_us));
    row.set("reason", boundary.reason);
    row.set("blocked", shown(boundary.blocked_by));
    row.set("source", shown(boundary.source));
    rows << row;
  }
  return rows;
}

data reasons(const PlanReport& report) {
  std::set<std::string> codes;
  for (const PlanReport::Boundary& boundary : report.boundaries) codes.insert(boundary.reason);
  data rows = list();
  for (const std::string& code : codes) {
    const Reason* reason = find_reason(code);
    if (reason == nullptr) continue;
    data row;
    row.set("code", code);
    row.set("what", std::string(reason->what));
    row.set("help", std::string(reason->help));
    rows << row;
  }
  return rows;
}

// --- Kernels --------------------------------------------------------------------------------------------------------

// The kernel items of the tree by their names.
std::map<std::string, const TreeNode*> kernel_items(const Tree& tree) {
  std::map<std::string, const TreeNode*> items;
  std::vector<const TreeNode*> pending;
  for (const TreeNode& node : tree.items) pending.push_back(&node);
  while (!pending.empty()) {
    const TreeNode* node = pending.back();
    pending.pop_back();
    if (node->kind == TreeNode::Kind::kKernel) items.emplace(node->name, node);
    for (const std::vector<TreeNode>& body : node->bodies) {
      for (const TreeNode& inner : body) pending.push_back(&inner);
    }
  }
  return items;
}

// The item as `sinter explain` prints it, without the program around it.
std::string item_text(const TreeNode& item) {
  const std::string text = print(Tree{.name = "program", .items = {item}, .source = nullptr, .loc = {}});
  const size_t begin = text.find('\n') + 1, end = text.rfind('\n', text.size() - 2);
  return text.substr(begin, end - begin);
}

class KernelSections {
 public:
  KernelSections(const Artifact& artifact, const PlanReport& report)
      : artifact_(artifact),
        report_(report),
        module_(read_recorded_module(artifact.files)),
        items_(kernel_items(artifact.schedule.tree)) {
    for_each_step(artifact.program.plan.steps, [&](const HostStep& step) {
      if (step.kind == HostStep::Kind::kLaunch) launches_.emplace(step.kernel, &step);
    });
  }

  data row(size_t i) const {
    const PlanReport::KernelReport& kernel = report_.kernels[i];
    data row;
    row.set("link", kernel_id(i));
    row.set("name", shown(kernel.name));
    row.set("launches", count_text(kernel.count));
    row.set("time", time_text(kernel.predicted_us));
    row.set("bound", kernel.bound);
    row.set("read", bytes_text(kernel.bytes_read));
    row.set("written", bytes_text(kernel.bytes_written));
    row.set("schedules", llvm::join(kernel.schedules, ", "));
    row.set("registers", std::to_string(kernel.registers));
    row.set("shared", bytes_text(kernel.shared_bytes));
    row.set("occupancy", fixed(100 * kernel.occupancy, 0) + "%");
    return row;
  }

  data section(size_t i) const {
    const Kernel& kernel = artifact_.program.kernels[i];
    const std::string& name = kernel.item.empty() ? kernel.name : kernel.item;
    data section = row(i);
    section.set("id", kernel_id(i));
    section.set("file", shown(report_.kernels[i].file));
    if (report_.kernels[i].slow) {
      section.set("slow", shown("far from the " + time_text(report_.kernels[i].slow->least_us) +
                                " that it has to take, for " + report_.kernels[i].slow->value));
    }
    if (const auto item = items_.find(name); item != items_.end()) section.set("plan", shown(item_text(*item->second)));
    set_list(&section, "arrays", arrays(i));
    set_list(&section, "values", values(name));
    section.set("lines", lines(report_.kernels[i].file));
    return section;
  }

 private:
  data arrays(size_t i) const {
    data rows = list();
    const auto launch = launches_.find(i);
    if (launch == launches_.end()) return rows;
    const HostStep& step = *launch->second;
    for (size_t k = 0; k < step.buffers.size(); ++k) {
      const Buffer& buffer = artifact_.program.plan.buffers[step.buffers[k]];
      data row;
      row.set("name", shown(buffer.name));
      row.set("how", is_written(artifact_.program, step, k) ? "writes" : "reads");
      row.set("shape", shown(to_string(buffer.shape)));
      row.set("bytes", bytes_text(buffer.shape.bytes()));
      row.set("home", home_text(buffer));
      set_if(&row, "reason", std::string(buffer.reason.text()));
      rows << row;
    }
    return rows;
  }

  data values(const std::string& item) const {
    data rows = list();
    if (!module_) return rows;
    const auto known = module_->kernels.find(item);
    if (known == module_->kernels.end()) return rows;
    for (const Instruction* instruction : known->second) rows << hlo_line(instruction_line(*instruction), "");
    return rows;
  }

  data lines(const std::string& file) const {
    data rows = list();
    const auto text = artifact_.files.find(file);
    if (text == artifact_.files.end()) return rows;
    llvm::SmallVector<llvm::StringRef, 0> all;
    llvm::StringRef(text->second).rtrim('\n').split(all, '\n');
    for (const llvm::StringRef line : all) rows << data(shown(line.str()));
    return rows;
  }

  const Artifact& artifact_;
  const PlanReport& report_;
  const std::optional<RecordedModule> module_;
  const std::map<std::string, const TreeNode*> items_;
  std::map<size_t, const HostStep*> launches_;  // the first of each kernel
};

}  // namespace

std::string plan_html(const Artifact& artifact, const PlanReport& report) {
  kainjow::mustache::mustache page = read_page_template("review/plan.html.mustache");
  kainjow::mustache::mustache kernel_text = read_page_template("review/plan_kernel.html.mustache");
  data values;
  set_style(&values);
  values.set("name", shown(report.program));
  values.set("launches", count_text(report.launches));
  values.set("read", bytes_or(report.bytes_read));
  values.set("written", bytes_or(report.bytes_written));
  values.set("gpu", shown(report.gpu));
  values.set("time", time_text(report.predicted_us.value_or(report.predicted_once_us)));
  if (!report.predicted_us) values.set("once", true);
  values.set("arena", bytes_text(report.arena_bytes));
  values.set("live", bytes_text(report.live_bytes));
  values.set("weights", bytes_text(report.weights_bytes));
  set_if(&values, "note", report.elided_note);
  set_list(&values, "boxes", boxes(artifact.program, report));
  set_list(&values, "stored", values_in_memory(report));
  set_list(&values, "reasons", reasons(report));
  const KernelSections sections(artifact, report);
  data rows = list();
  std::string texts;
  for (size_t i = 0; i < report.kernels.size(); ++i) {
    rows << sections.row(i);
    texts += kernel_text.render(sections.section(i));
  }
  set_list(&values, "rows", rows);
  values.set("kernels", texts);
  return page.render(values);
}

}  // namespace sinter
