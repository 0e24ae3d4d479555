#include "driver/lsp/document.h"

#include <algorithm>
#include <map>
#include <set>

#include "driver/compile/compile.h"
#include "driver/compile/plan_report.h"

namespace sinter {
namespace {

using KernelValues = std::map<std::string, std::vector<std::string>>;

void collect_values(const std::vector<TreeNode>& items, const std::string& kernel, KernelValues& values) {
  for (const TreeNode& item : items) {
    const std::string& of = item.kind == TreeNode::Kind::kKernel ? item.name : kernel;
    for (const TreeValue& value : item.values) values[of].push_back(value.name);
    for (const std::vector<TreeNode>& body : item.bodies) collect_values(body, of, values);
  }
}

// The first line of the text that a kernel computes something of; 0 if it is about none.
int first_line(const Module& module, const std::vector<std::string>& values, const std::string& file) {
  const InstructionsByName instructions = instructions_by_name(module);
  int64_t first = 0;
  for (const std::string& value : values) {
    const auto found = instructions.find(value);
    if (found == instructions.end()) continue;
    const Metadata& metadata = found->second->metadata;
    const bool is_here = metadata.source_file == file && metadata.source_line > 0;
    if (is_here && (first == 0 || metadata.source_line < first)) first = metadata.source_line;
  }
  return static_cast<int>(first);
}

std::string count_text(std::optional<int64_t> count, const std::string& what) {
  if (!count) return "? " + what + "s";
  return std::to_string(*count) + " " + what + (*count == 1 ? "" : "s");
}

void add_plan(const Artifact& artifact, const Source& source, Loc entry, std::vector<PlanLine>& lines) {
  const PlanReport report = report_plan(artifact);
  std::string text = count_text(report.launches, "launch");
  if (text.ends_with("launchs")) text.insert(text.size() - 1, "e");
  if (report.bytes_read && report.bytes_written)
    text += ", " + std::to_string(*report.bytes_read) + " bytes read, " + std::to_string(*report.bytes_written) +
            " written";
  if (report.predicted_us) text += ", " + time_text(*report.predicted_us) + " on " + report.gpu;
  lines.push_back({line_column(source, entry).line, text});
  KernelValues values;
  collect_values(artifact.schedule.tree.items, "", values);
  const std::string file = source.name.substr(source.name.rfind('/') + 1);
  for (const PlanReport::KernelReport& kernel : report.kernels) {
    const int line = first_line(*artifact.module, values[kernel.name], file);
    if (line == 0) continue;
    std::string shown =
        "kernel " + kernel.name + ", " + count_text(kernel.grid[0] * kernel.grid[1] * kernel.grid[2], "block");
    shown += " of " + count_text(kernel.block, "thread") + ", " + time_text(kernel.predicted_us);
    if (kernel.count.value_or(1) != 1) shown += ", " + std::to_string(*kernel.count) + " times";
    lines.push_back({line, shown});
  }
}

// Errors that no --entry takes away are told where there is no entry.
std::vector<GrainEntry> entries_or_none(const Source& source) {
  std::vector<GrainEntry> entries = grain_entries(source);
  if (entries.empty()) entries.push_back({"", Loc()});
  return entries;
}

}  // namespace

DocumentFacts read_document(const Source& source, const FileReader& read) {
  DocumentFacts facts;
  std::set<std::string> known;
  for (const GrainEntry& entry : entries_or_none(source)) {
    Diagnostics diagnostics(source);
    GrainOptions options = grain_options({.entry = entry.name, .dims = {}, .is_grain = true, .read_file = read});
    options.names = &facts.names;
    parse_grain(diagnostics, options);
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      if (diagnostic.source != nullptr && diagnostic.source->name != source.name) continue;
      const std::string id = std::to_string(diagnostic.loc.offset) + diagnostic.code + diagnostic.message;
      if (known.insert(id).second) facts.diagnostics.push_back(diagnostic);
    }
  }
  return facts;
}

const GrainName* name_at(const DocumentFacts& facts, size_t offset) {
  for (const GrainName& name : facts.names) {
    if (offset >= name.loc.offset && offset <= name.loc.offset + name.length) return &name;
  }
  return nullptr;
}

std::vector<PlanLine> plan_lines(const Source& source, const FileReader& read) {
  std::vector<PlanLine> lines;
  for (const GrainEntry& entry : grain_entries(source)) {
    Diagnostics diagnostics(source);
    CompileOptions options;
    options.grain = {.entry = entry.name, .dims = {}, .is_grain = true, .read_file = read};
    options.plan_only = true;
    if (const std::optional<Artifact> artifact = compile(options, diagnostics))
      add_plan(*artifact, source, entry.loc, lines);
  }
  return lines;
}

}  // namespace sinter
