// The main line: HLO text -> Module -> graph passes -> schedule tree -> kernels and host plan -> files.
#include "driver/compile/compile.h"

#include <algorithm>
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

// What is compiled, before it is text.
struct Planned {
  std::unique_ptr<Module> module;  // after graph passes
  Schedule schedule;
  Program program;
  std::string elided_note;
  std::vector<Source> sources;     // that values were named after
  size_t instructions_read = 0;    // of the module before graph passes
  std::vector<std::string> loops;  // that roll_repeats made
};

std::vector<std::string> rolled_loops(const Module& module) {
  std::vector<std::string> loops;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (instruction.annotations->frontend_attributes.contains("sinter_rolled")) loops.push_back(instruction.name);
    }
  }
  return loops;
}

// Loops that the host runs, among these.
bool runs_on_host(const std::vector<TreeNode>& items, const std::vector<std::string>& loops) {
  for (const TreeNode& item : items) {
    const bool is_one = item.kind == TreeNode::Kind::kLoop && item.scope == Scope::kHost;
    if (is_one && std::find(loops.begin(), loops.end(), item.name) != loops.end()) return true;
    for (const std::vector<TreeNode>& body : item.bodies) {
      if (runs_on_host(body, loops)) return true;
    }
  }
  return false;
}

GraphPassOptions without_rolling(GraphPassOptions graph) {
  graph.without.emplace_back("roll_repeats");
  return graph;
}

std::optional<Planned> plan(const CompileOptions& options, const GraphPassOptions& graph, Diagnostics& diagnostics,
                            const CompileObserver& observer, StageClock* clock) {
  const auto begin = [&](std::string_view stage) {
    if (observer.begins) observer.begins(stage);
  };
  begin("parse");
  Planned planned;
  planned.module = read_module(diagnostics);
  clock->end("parse");
  if (!planned.module || !verify(*planned.module, diagnostics)) return std::nullopt;
  if (!refuse_dynamic_sizes(*planned.module, diagnostics)) return std::nullopt;
  if (!check_dot_algorithms(*planned.module, diagnostics)) return std::nullopt;
  if (!settle_elided(*planned.module, options.elided, diagnostics, planned.elided_note)) return std::nullopt;
  planned.sources = name_after_sources(*planned.module, options.sources, diagnostics);
  for (const auto& computation : planned.module->computations())
    planned.instructions_read += computation->instructions().size();
  const std::string name = options.name.empty() ? program_name(planned.module->name) : options.name;

  clock->end("verify");
  begin("passes");
  run_graph_passes(*planned.module, graph, observer.passes);
  if (!options.dot_precision.empty()) set_dot_precision(*planned.module, options.dot_precision);
  planned.loops = rolled_loops(*planned.module);
  clock->skip();
  // A plan file is one of the program with its steps rolled or written out: it names the loops.
  if (options.schedule.plan && !planned.loops.empty()) {
    const std::string_view text = options.schedule.plan->text;
    const auto names = [&](const std::string& loop) { return text.find("loop " + loop + " ") != text.npos; };
    if (std::none_of(planned.loops.begin(), planned.loops.end(), names))
      return plan(options, without_rolling(graph), diagnostics, observer, clock);
  }
  begin("schedule");

  // Beyond this point the graph is fixed; where values and loops live is decided in the tree.
  ScheduleOptions schedule_options = options.schedule;
  const Gpu gpu = schedule_options.gpu.value_or(default_gpu("90a"));
  schedule_options.gpu = gpu;
  TriedPrograms tried;
  schedule_options.predicted_us = [&](Tree* tree) { return try_tree(*planned.module, tree, gpu, &tried); };
  std::optional<Schedule> schedule = choose_homes(*planned.module, name, schedule_options, diagnostics);
  clock->end("schedule");
  if (!schedule) return std::nullopt;
  planned.schedule = std::move(*schedule);

  // Beyond this point grouping is fixed; the program says every statement, name, buffer and launch.
  begin("lower");
  std::optional<Program> program = lower_chosen(*planned.module, &planned.schedule.tree, &tried, diagnostics);
  clock->end("lower");
  if (!program || !diagnostics.ok()) return std::nullopt;
  planned.program = std::move(*program);
  return planned;
}

// Steps that the text writes out, and graph passes made a loop of, are planned as they are written too: what takes less
// predicted time is kept. Of a long program that takes too long: its loops stay where kernels run them.
std::optional<Planned> plan_both_ways(const CompileOptions& options, Diagnostics& diagnostics,
                                      const CompileObserver& observer, StageClock* clock) {
  constexpr size_t kMostCompared = 2048;  // instructions
  std::optional<Planned> rolled = plan(options, options.graph, diagnostics, observer, clock);
  if (!rolled || rolled->loops.empty() || options.schedule.plan) return rolled;
  const bool compared = rolled->instructions_read <= kMostCompared;
  if (!compared && !runs_on_host(rolled->schedule.tree.items, rolled->loops)) return rolled;
  Diagnostics unheard(diagnostics.source());  // the same again
  std::optional<Planned> written = plan(options, without_rolling(options.graph), unheard, observer, clock);
  if (!written) return rolled;
  if (!compared) return written;
  const Gpu gpu = default_gpu("90a");
  const bool faster = predicted_once_us(written->program, gpu) < predicted_once_us(rolled->program, gpu);
  return faster ? std::move(written) : std::move(rolled);
}

}  // namespace

std::optional<Artifact> compile(const CompileOptions& options, Diagnostics& diagnostics,
                                const CompileObserver& observer) {
  StageClock clock(observer.stage);
  std::optional<Planned> planned = plan_both_ways(options, diagnostics, observer, &clock);
  if (!planned) return std::nullopt;
  Artifact artifact;
  artifact.gpu = options.gpu;
  artifact.module = std::move(planned->module);
  artifact.schedule = std::move(planned->schedule);
  artifact.program = std::move(planned->program);
  artifact.elided_note = planned->elided_note;
  if (options.plan_only) return artifact;

  // Beyond this point only text is made.
  if (observer.begins) observer.begins("emit");
  const EmitOptions emit_options = {.architectures = options.architectures,
                                    .input_hash = sha256_hex(diagnostics.source().text),
                                    .option_text = option_text(options) + source_text(planned->sources),
                                    .note = artifact.elided_note};
  const FileSet reports = {{"plan.txt", print(artifact.schedule.tree)},
                           {"fusion.json", plan_report_json(report_plan(artifact))}};
  artifact.files = emit_project(artifact.program, emit_options, reports);
  clock.end("emit");
  return artifact;
}

}  // namespace sinter
