#include "driver/compile/demand_text.h"

#include <memory>

#include "passes/analysis/values/arrays.h"
#include "passes/demand/views/dump_demand.h"
#include "passes/schedule/groups/group_values.h"
#include "passes/schedule/tree/stage_domain.h"

namespace sinter {
namespace {

// The one stage of a plan that has nothing else.
std::optional<TreeNode> parse_stage(const std::string& stage, Diagnostics& diagnostics) {
  auto source =
      std::make_shared<const Source>(Source{"stage", "program p { kernel k grid auto block 1 { " + stage + " {x} } }"});
  Diagnostics of_stage(*source);
  std::optional<Tree> tree = parse_tree(of_stage);
  if (tree && has_domain(tree->items[0].body()[0].schedule)) return std::move(tree->items[0].body()[0]);
  const std::string why = of_stage.ok() ? "a stage of map or row has a domain" : of_stage.all().front().message;
  diagnostics.error({}, "E0407", "this is no stage: " + why, "`stage map over [64]` or `stage row(warp) of [64,97]`");
  return std::nullopt;
}

}  // namespace

std::optional<std::string> demand_text(const Module& module, const std::string& text, Diagnostics& diagnostics) {
  const std::optional<TreeNode> stage = parse_stage(text, diagnostics);
  if (!stage) return std::nullopt;
  const LevelContext level = level_context(*module.entry(), nullptr);
  KernelValues kernel;
  kernel.context.level = level.computation;
  for (const Instruction& instruction : module.entry()->instructions()) {
    if (!is_plumbing(instruction)) kernel.context.computed.insert(&instruction);
  }
  for (const Instruction* result : level_results(level)) {
    if (kernel.context.computed.count(maker_of(result)) > 0) kernel.outputs.push_back(result);
  }
  std::optional<DemandGraph::Failure> failure;
  std::string result;
  if (stage->schedule == "map") {
    StageDomain domain = stage->domain;
    if (domain.kind == StageDomain::Kind::kOpen)
      domain = choose_stage_domain(kernel, stage->schedule, /*block=*/1, &failure).value_or(StageDomain());
    const MapDomain meant = meant_domain(&domain, kernel, false);
    const std::optional<MapDemand> demand = demand_map(kernel, meant, {}, &failure);
    if (demand) {
      const StageDomain full = {
          .kind = StageDomain::Kind::kSaid, .extents = meant.extents, .of_block = meant.of_block, .width = meant.width};
      result = "map " + print(full, "map") + "\n" + dump(*demand->graph);
    }
  } else if (const std::optional<RowExtents> rows = meant_rows(&stage->domain, kernel)) {
    const std::optional<RowDemand> demand = demand_row(kernel, *rows, &failure);
    if (demand) result = "row " + print(full_rows(*rows), "row") + "\n" + dump(*demand->graph);
  }
  if (!result.empty()) return result;
  const bool known = failure && failure->instruction != nullptr;
  diagnostics.error(known ? failure->instruction->loc : Loc(), "E0407",
                    "all of it is no one stage " + stage->schedule + " " + print(stage->domain, stage->schedule),
                    known ? "'" + failure->instruction->name + "' (" + std::string(failure->reason) + ")" : "");
  return std::nullopt;
}

}  // namespace sinter
