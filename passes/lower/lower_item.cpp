// Which lowering a kernel item of the tree has, by its schedule; and what a plan file may get wrong about it.
#include "passes/lower/lowered_stage.h"

#include "passes/lower/lower_contract.h"
#include "passes/lower/lower_scan.h"
#include "passes/schedule/own_stages.h"
#include "passes/schedule/scan_tile.h"

namespace sinter {

namespace {

std::optional<LoweredStage> lower_rows(const StageInput& input, Diagnostics& diagnostics) {
  const std::optional<RowExtents> extents = longest_rows(input.values.context.computed);  // others are unrolled
  if (!extents) {
    plan_error(input.tree, input.node.loc, "E0404", "'" + input.node.name + "' has no reduction over rows",
               "use `stage map`", diagnostics);
    return std::nullopt;
  }
  return one_launch(lower_row(input.module, input.node, input.values, *extents, input.names));
}

std::optional<LoweredStage> lower_tiles(const StageInput& input, Diagnostics& diagnostics) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<ContractDemand> demand = demand_contract(input.values, &failure);
  if (!demand) {
    plan_error(input.tree, input.node.loc, "E0404",
               "'" + input.node.name + "' is not one dot and what belongs to it element by element", "use `stage map`",
               diagnostics);
    return std::nullopt;
  }
  if (!contract_tile(input.node.block[0])) {
    plan_error(input.tree, input.node.loc, "E0404",
               "'" + input.node.name + "' needs a block of 64, 256 or 1024 threads",
               "the tiles of a contraction are 8, 16 or 32 elements wide", diagnostics);
    return std::nullopt;
  }
  return one_launch(lower_contract(input.module, input.node, input.values, *demand, input.names));
}

std::optional<LoweredStage> lower_cumulative(const StageInput& input, Diagnostics& diagnostics) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<ScanDemand> demand = demand_scan(input.values, &failure);
  if (!demand) {
    plan_error(input.tree, input.node.loc, "E0404",
               "'" + input.node.name + "' is not one cumulative window and what belongs to it element by element",
               "use `stage map`", diagnostics);
    return std::nullopt;
  }
  const ScanTile tile = scan_tile(*demand->scan);
  if (input.node.block[0] % 32 != 0 || input.node.block[0] > 1024) {
    plan_error(input.tree, input.node.loc, "E0404", "'" + input.node.name + "' needs a block of whole warps",
               "32 to 1024 threads", diagnostics);
    return std::nullopt;
  }
  if (tile.tiles > 1 && input.node.block[0] != tile.threads) {
    plan_error(input.tree, input.node.loc, "E0404",
               "'" + input.node.name + "' needs a block of " + std::to_string(tile.threads) + " threads",
               "tiles of a row are whole steps of such a block", diagnostics);
    return std::nullopt;
  }
  return lower_scan(input, *demand);
}

std::optional<LoweredStage> lower_own(const OwnStage& stage, const StageInput& input, Diagnostics& diagnostics) {
  const std::string name(stage.schedule);
  const std::string item = "'" + input.node.name + "'";
  std::optional<DemandGraph::Failure> failure;
  const Instruction* instruction = own_instruction(input.values);
  const bool fits = instruction != nullptr && own_stage(*instruction) == &stage;
  const std::optional<OwnStageShape> shape = fits ? stage.shape(input.values, &failure) : std::nullopt;
  if (!shape) {
    plan_error(input.tree, input.node.loc, "E0404",
               item + " is not one " + name + " and what is computed where it is read",
               "a stage of its own holds one such instruction", diagnostics);
    return std::nullopt;
  }
  const auto as_decided = [&](const int64_t* in_plan, const int64_t* own) { return std::equal(own, own + 3, in_plan); };
  if (!as_decided(input.node.grid, shape->grid) || !as_decided(input.node.block, shape->block)) {
    const auto dims = [](const int64_t* extents) {
      std::string text = std::to_string(extents[0]);
      for (int i = 1; i < 3 && (extents[1] > 1 || extents[2] > 1); ++i) text += "x" + std::to_string(extents[i]);
      return text;
    };
    plan_error(input.tree, input.node.loc, "E0404",
               item + " needs grid " + dims(shape->grid) + " block " + dims(shape->block),
               "threads of a " + name + " follow from its operands", diagnostics);
    return std::nullopt;
  }
  return lower_own_stage(name, input);
}

}  // namespace

std::optional<LoweredStage> lower_item(const std::string& schedule, const StageInput& input, Diagnostics& diagnostics) {
  if (const OwnStage* stage = own_stage(schedule)) return lower_own(*stage, input, diagnostics);
  if (schedule.rfind("row", 0) == 0) return lower_rows(input, diagnostics);
  if (schedule == "scan") return lower_cumulative(input, diagnostics);
  if (schedule == "contract") return lower_tiles(input, diagnostics);
  return one_launch(lower_map(input.module, input.node, input.values, input.names));
}

}  // namespace sinter
