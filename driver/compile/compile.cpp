// The main line: HLO text -> Module -> graph passes -> schedule tree -> kernels and host plan -> files.
#include "driver/compile/compile.h"

#include <map>
#include <utility>

#include "driver/compile/plan_report.h"
#include "driver/compile/read_module.h"
#include "driver/system/sha256.h"
#include "driver/tensors/dynamic_sizes.h"
#include "frontend/hlo/parse_hlo.h"
#include "frontend/python/name_values.h"
#include "ir/verify/verify.h"
#include "passes/analysis/shapes/dot_precision.h"
#include "passes/lower/lower.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {
namespace {

// Trees that were tried, by their text.
using TriedPrograms = std::map<std::string, Program>;

// What a tree that is tried takes.
std::optional<double> try_tree(const Module& module, Tree* tree, const Gpu& gpu, TriedPrograms* tried) {
  const Source nowhere;
  Diagnostics why_not(nowhere);
  std::optional<Program> program = lower(module, tree, tree->name, why_not);
  if (!program || !why_not.ok()) return std::nullopt;
  fill_in_grids(*program, tree);
  const double us = predicted_once_us(*program, gpu);
  tried->insert_or_assign(print(*tree), std::move(*program));
  return us;
}

// The tree that was chosen is lowered already if it was tried. Domains that a plan leaves open are filled in.
std::optional<Program> lower_chosen(const Module& module, Tree* tree, TriedPrograms* tried, Diagnostics& diagnostics) {
  auto known = tried->extract(print(*tree));
  tried->clear();
  if (known) return std::move(known.mapped());
  return lower(module, tree, tree->name, diagnostics);
}

// Those that values were named after.
std::vector<Source> name_after_sources(Module& module, const FindSources& find, Diagnostics& diagnostics) {
  if (!find || module.tables.files.empty()) return {};
  return name_values(module, find(module.tables.files), diagnostics);
}

}  // namespace

std::optional<Artifact> compile(const CompileOptions& options, Diagnostics& diagnostics,
                                const CompileObserver& observer) {
  const auto begin = [&](std::string_view stage) {
    if (observer.begins) observer.begins(stage);
  };
  begin("parse");
  StageClock clock(observer.stage);
  Artifact artifact;
  artifact.gpu = options.gpu;
  artifact.module = read_module(diagnostics);
  clock.end("parse");
  if (!artifact.module || !verify(*artifact.module, diagnostics)) return std::nullopt;
  if (!refuse_dynamic_sizes(*artifact.module, diagnostics)) return std::nullopt;
  if (!check_dot_algorithms(*artifact.module, diagnostics)) return std::nullopt;
  if (!settle_elided(*artifact.module, options.elided, diagnostics, artifact.elided_note)) return std::nullopt;
  const std::vector<Source> sources = name_after_sources(*artifact.module, options.sources, diagnostics);
  const std::string name = options.name.empty() ? program_name(artifact.module->name) : options.name;

  clock.end("verify");
  begin("passes");
  run_graph_passes(*artifact.module, options.graph, observer.passes);
  if (!options.dot_precision.empty()) set_dot_precision(*artifact.module, options.dot_precision);
  clock.skip();
  begin("schedule");

  // Beyond this point the graph is fixed; where values and loops live is decided in the tree.
  ScheduleOptions schedule_options = options.schedule;
  const Gpu gpu = schedule_options.gpu.value_or(default_gpu("90a"));
  schedule_options.gpu = gpu;
  TriedPrograms tried;
  schedule_options.predicted_us = [&](Tree* tree) { return try_tree(*artifact.module, tree, gpu, &tried); };
  std::optional<Schedule> schedule = choose_homes(*artifact.module, name, schedule_options, diagnostics);
  clock.end("schedule");
  if (!schedule) return std::nullopt;
  artifact.schedule = std::move(*schedule);

  // Beyond this point grouping is fixed; the program says every statement, name, buffer and launch.
  begin("lower");
  std::optional<Program> program = lower_chosen(*artifact.module, &artifact.schedule.tree, &tried, diagnostics);
  clock.end("lower");
  if (!program || !diagnostics.ok()) return std::nullopt;
  artifact.program = std::move(*program);
  if (options.plan_only) return artifact;

  // Beyond this point only text is made.
  begin("emit");
  const EmitOptions emit_options = {.architectures = options.architectures,
                                    .input_hash = sha256_hex(diagnostics.source().text),
                                    .option_text = option_text(options) + source_text(sources),
                                    .note = artifact.elided_note};
  const FileSet reports = {{"plan.txt", print(artifact.schedule.tree)},
                           {"fusion.json", plan_report_json(report_plan(artifact))}};
  artifact.files = emit_project(artifact.program, emit_options, reports);
  clock.end("emit");
  return artifact;
}

}  // namespace sinter
