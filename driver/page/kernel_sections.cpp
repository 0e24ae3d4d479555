#include <llvm/ADT/StringExtras.h>

#include <cmath>
#include <set>

#include "driver/page/dataflow.h"
#include "driver/page/draw_graph.h"
#include "driver/page/page_parts.h"
#include "driver/page/roofline.h"
#include "driver/page/svg.h"
#include "emitter/host/emit_host.h"
#include "review/modules/module_changes.h"
#include "review/report/page.h"

namespace sinter {
namespace {

using kainjow::mustache::data;

// The kernel items of the tree by their names, and loops that are one launch by theirs.
std::map<std::string, const TreeNode*> kernel_items(const Tree& tree) {
  std::map<std::string, const TreeNode*> items;
  std::vector<const TreeNode*> pending;
  for (const TreeNode& node : tree.items) pending.push_back(&node);
  while (!pending.empty()) {
    const TreeNode* node = pending.back();
    pending.pop_back();
    const bool is_grid = node->kind == TreeNode::Kind::kLoop && node->scope == Scope::kGrid;
    if (node->kind == TreeNode::Kind::kKernel || is_grid) items.emplace(node->name, node);
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

}  // namespace

std::string count_text(std::optional<int64_t> count) { return count ? std::to_string(*count) : "unknown"; }

KernelSections::KernelSections(const Artifact& artifact, const PlanReport& report, const SourceLines& sources)
    : artifact_(artifact),
      report_(report),
      sources_(sources),
      module_(read_recorded_module(artifact.files)),
      order_(module_ ? order_of(*module_->module) : InstructionOrder()),
      items_(kernel_items(artifact.schedule.tree)) {
  for_each_step(artifact.program.plan.steps, [&](const HostStep& step) {
    if (step.kind == HostStep::Kind::kLaunch) launches_.emplace(step.kernel, &step);
  });
}

data KernelSections::row(size_t i) const {
  const PlanReport::KernelReport& kernel = report_.kernels[i];
  data row;
  row.set("link", kernel_id(i));
  row.set("number", kernel_number(i));
  row.set("colour", colour_class(i));
  row.set("name", shown(kernel.name));
  row.set("launches", count_text(kernel.count));
  row.set("time", time_text(kernel.predicted_us));
  row.set("bound", kernel.bound);
  row.set("read", bytes_text(kernel.bytes_read));
  row.set("written", bytes_text(kernel.bytes_written));
  row.set("rate", kernel.flops > 0 ? rate_text(gflops_a_second(kernel)) : "");
  row.set("schedules", llvm::join(kernel.schedules, ", "));
  row.set("registers", std::to_string(kernel.registers));
  row.set("shared", bytes_text(kernel.shared_bytes));
  row.set("occupancy", std::to_string(std::llround(100 * kernel.occupancy)) + "%");
  return row;
}

data KernelSections::section(size_t i) const {
  data section = row(i);
  section.set("id", kernel_id(i));
  section.set("file", shown(report_.kernels[i].file));
  if (report_.kernels[i].slow) {
    section.set("slow", shown("far from the " + time_text(report_.kernels[i].slow->least_us) +
                              " that it has to take, for " + report_.kernels[i].slow->value));
  }
  if (const auto item = items_.find(item_of(i)); item != items_.end()) {
    section.set("plan", shown(item_text(*item->second)));
  }
  if (const std::string drawn = computation(i); !drawn.empty()) section.set("computation", drawn);
  set_list(&section, "arrays", arrays(i));
  set_list(&section, "values", hlo_lines(i));
  set_list(&section, "sources", source_lines(i));
  section.set("lines", lines(report_.kernels[i].file));
  return section;
}

std::vector<std::vector<const Instruction*>> KernelSections::instructions() const {
  std::vector<std::vector<const Instruction*>> result;
  for (size_t i = 0; i < report_.kernels.size(); ++i) result.push_back(values_of(i));
  return result;
}

const std::string& KernelSections::item_of(size_t i) const {
  const Kernel& kernel = artifact_.program.kernels[i];
  return kernel.item.empty() ? kernel.name : kernel.item;
}

const std::vector<const Instruction*>& KernelSections::values_of(size_t i) const {
  static const std::vector<const Instruction*> kNone;
  if (!module_) return kNone;
  const Kernel& kernel = artifact_.program.kernels[i];
  const auto known = module_->kernels.find(kernel.resident ? kernel.name : item_of(i));
  return known == module_->kernels.end() ? kNone : known->second;
}

// Names are of no use where there are so many that none can be found by eye; the HLO beside them can be searched.
std::string KernelSections::computation(size_t i) const {
  constexpr size_t kMostLabelled = 150;
  const std::vector<const Instruction*>& values = values_of(i);
  if (values.empty()) return "";
  const bool labelled = values.size() <= kMostLabelled;
  const Dataflow flow = dataflow_of(values, order_, labelled ? Detail::kLabelled : Detail::kDots);
  const Drawn drawn = labelled ? draw_labelled(flow) : draw_dots(flow);
  return drawing(drawn.width + 2, drawn.height + 2, "what " + report_.kernels[i].name + " computes",
                 element("g", {{"transform", "translate(1 1)"}}, drawn.content));
}

data KernelSections::arrays(size_t i) const {
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

data KernelSections::hlo_lines(size_t i) const {
  data rows = list();
  for (const Instruction* instruction : values_of(i)) rows << hlo_line(instruction_line(*instruction), "");
  return rows;
}

// Each line once, in the order of the files.
data KernelSections::source_lines(size_t i) const {
  std::set<std::pair<std::string, int64_t>> places;
  for (const Instruction* instruction : values_of(i)) {
    const Metadata& metadata = *instruction->metadata;
    if (!sources_.line(metadata.source_file, metadata.source_line).empty()) {
      places.emplace(metadata.source_file, metadata.source_line);
    }
  }
  data rows = list();
  for (const auto& [file, number] : places) {
    data row;
    row.set("place", shown(file + ":" + std::to_string(number)));
    row.set("line", shown(std::string(sources_.line(file, number))));
    rows << row;
  }
  return rows;
}

data KernelSections::lines(const std::string& file) const {
  data rows = list();
  const auto text = artifact_.files.find(file);
  if (text == artifact_.files.end()) return rows;
  llvm::SmallVector<llvm::StringRef, 0> all;
  llvm::StringRef(text->second).rtrim('\n').split(all, '\n');
  for (const llvm::StringRef line : all) rows << data(shown(line.str()));
  return rows;
}

}  // namespace sinter
