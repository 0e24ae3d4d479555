// sinter explain: the schedule tree and what it costs, without writing code. Text with elided constants
// is explained with random ones, asked or not.
#include <CLI/CLI.hpp>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/commands/line/help_format.h"
#include "driver/compile/plan_report.h"
#include "passes/schedule/moves/recompute.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {
namespace {

struct ExplainCommand {
  std::string file;
  CompileFlags flags;
  bool json = false;
  bool tree = false;
  bool compare = false;
  bool alternatives = false;
  std::string recompute;  // a value
};

// The report of the same program with a kernel for each value and every loop on the host; nullopt where it has none.
std::optional<PlanReport> report_unfused(CompileOptions options, const Source& source) {
  leave_out("all", options.schedule.moves);
  leave_out("tile_loops", options.graph);
  leave_out("keep_matrices", options.graph);
  options.schedule.plan = nullptr;
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile(options, diagnostics);
  return artifact ? std::optional(report_plan(*artifact)) : std::nullopt;
}

// The plan in which each kernel that reads the value computes it; nullopt where no plan says so.
std::optional<Recomputed> recompute_in(const Tree& tree, const InstructionsByName& instructions,
                                       const std::string& value, CompileOptions& options) {
  std::optional<Recomputed> other = recompute(instructions, tree, value);
  if (other) options.schedule.plan = std::make_shared<Source>(Source{"plan", print(other->tree)});
  return other;
}

PlanReport::Alternative alternative_to(const std::string& value, const Tree& tree,
                                       const InstructionsByName& instructions, CompileOptions options,
                                       const Source& source) {
  const std::optional<Recomputed> other = recompute_in(tree, instructions, value, options);
  if (!other) return {};
  options.schedule.reasons = false;
  PlanReport::Alternative result = {.kernels = other->kernels};
  Diagnostics diagnostics(source);
  if (const std::optional<Artifact> compiled = compile(options, diagnostics)) {
    result.predicted_us = report_plan(*compiled).predicted_us;
  } else {
    result.refusal = diagnostics.all().front().message;
  }
  return result;
}

int run(const ExplainCommand& options) {
  CompileOptions compile_options;
  Source source;
  if (!to_options(options.flags, compile_options) || !read_source(options.file, source)) return kCallWrong;
  compile_options.plan_only = true;
  if (options.flags.elided.empty()) compile_options.elided = Elided::kRandom;
  Diagnostics diagnostics(source);
  std::optional<Artifact> artifact = compile(compile_options, diagnostics);
  print_diagnostics(diagnostics);
  if (artifact && !options.recompute.empty()) {
    const InstructionsByName instructions = instructions_by_name(*artifact->module);
    if (!recompute_in(artifact->schedule.tree, instructions, options.recompute, compile_options)) {
      return fail("--recompute takes a value that kernels read from device memory and may compute, not " +
                  options.recompute);
    }
    Diagnostics of_plan(source);
    artifact = compile(compile_options, of_plan);
    if (!artifact) print_diagnostics(of_plan);
  }
  if (!artifact) return kInputWrong;
  if (!options.json && !artifact->elided_note.empty()) std::cout << "// " << artifact->elided_note << "\n";
  if (options.tree) {
    std::cout << print(artifact->schedule.tree);
    return kOk;
  }
  PlanReport report = report_plan(*artifact);
  if (options.compare) {
    if (const std::optional<PlanReport> unfused = report_unfused(compile_options, source)) {
      report.unfused = {unfused->launches, unfused->bytes_read, unfused->bytes_written, unfused->predicted_us,
                        unfused->predicted_once_us};
    }
  }
  if (options.alternatives) {
    const InstructionsByName instructions = instructions_by_name(*artifact->module);
    for (PlanReport::Boundary& boundary : report.boundaries) {
      boundary.alternative =
          alternative_to(boundary.value, artifact->schedule.tree, instructions, compile_options, source);
    }
  }
  if (options.json) {
    std::cout << plan_report_json(report);
  } else {
    std::cout << print(artifact->schedule.tree) << "\n" << plan_report_text(report);
  }
  return kOk;
}

}  // namespace

void add_explain_command(CLI::App& app, int& status) {
  auto options = std::make_shared<ExplainCommand>();
  CLI::App* command = app.add_subcommand("explain", "what is fused, what is not and why: launches, bytes, loops");
  command->add_option("FILE", options->file, "HLO text; - is standard input")->required();
  add_compile_flags(*command, options->flags);
  CLI::Option* json = command->add_flag("--json", options->json, "as JSON with stable names (docs/schedule.md)");
  command->add_flag("--compare", options->compare, "beside what a kernel for each value would take");
  command->add_flag("--alternatives", options->alternatives,
                    "beside each value in device memory: the plan in which what reads it computes it again");
  command->add_option("--recompute", options->recompute, "show that plan, of this value")->type_name("VALUE");
  command->add_flag("--tree", options->tree, "only the schedule tree: what --plan reads")->excludes(json);
  add_example(*command, "sinter explain softmax.hlo --compare");
  add_example(*command, "sinter explain softmax.hlo --tree >softmax.plan");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
