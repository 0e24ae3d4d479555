// Which lowering a kernel item of the tree has, by its schedule; and what a plan file may get wrong about it.
#include "passes/lower/stages/lowered_stage.h"

#include <algorithm>

#include "passes/analysis/loops/map_loop.h"
#include "passes/analysis/values/hardware.h"
#include "passes/lower/stages/lower_contract.h"
#include "passes/lower/stages/lower_gemv.h"
#include "passes/lower/stages/lower_scan.h"
#include "passes/lower/stages/lower_tensor_core.h"
#include "passes/schedule/cost/work.h"
#include "passes/schedule/moves/block_numbers.h"
#include "passes/schedule/tree/loop_scope.h"
#include "passes/schedule/tree/stage_domain.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/domain/steps_ahead.h"
#include "passes/stages/domain/vectorize.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/scans/scan_tile.h"

namespace sinter {

namespace {

// What a plan file says of the item cannot be; of a plan that is ours, that is a bug.
std::nullopt_t refuse(const StageInput& input, Loc loc, const std::string& what, const std::string& hint,
                      Diagnostics& diagnostics) {
  const std::string message = "'" + input.node.name + "' " + what;
  check(input.tree.source != nullptr, "lower", message);
  plan_error(input.tree, loc, "E0407", message, hint, diagnostics);
  return std::nullopt;
}
std::nullopt_t refuse(const StageInput& input, const std::string& what, const std::string& hint,
                      Diagnostics& diagnostics) {
  return refuse(input, input.node.loc, what, hint, diagnostics);
}

std::nullopt_t refuse_form(const StageInput& input, const std::string& form,
                           const std::optional<DemandGraph::Failure>& failure, Diagnostics& diagnostics) {
  std::string what = "cannot be one " + form;
  if (!failure) return refuse(input, what, "`sinter explain --tree` prints a plan that can be made", diagnostics);
  what += ": '" + failure->instruction->name + "' (" + std::string(failure->reason) + ")";
  return refuse(input, what, "`sinter help " + std::string(failure->reason) + "` says why", diagnostics);
}

// What the item says of its threads, `domain` in full, does not fit; another domain may.
std::nullopt_t refuse_domain(const StageInput& input, const std::string& schedule, const StageDomain& domain,
                             const std::optional<DemandGraph::Failure>& failure, Diagnostics& diagnostics) {
  std::optional<DemandGraph::Failure> none;
  const std::optional<StageDomain> other = choose_stage_domain(input.values, schedule, &none);
  if (!other) return refuse_form(input, "stage " + schedule.substr(0, schedule.find('(')), none, diagnostics);
  const auto stage = [&](const StageDomain& said) {
    const std::string text = print(said, schedule);
    return "stage " + schedule + (text.empty() ? "" : " " + text);
  };
  const StageDomain* said = domain_of(input.node.body());
  std::string what = "cannot be one " + stage(domain);
  if (failure) what += ": '" + failure->instruction->name + "' (" + std::string(failure->reason) + ")";
  return refuse(input, said == nullptr ? input.node.loc : said->loc, what, "`" + stage(*other) + "` fits", diagnostics);
}

// Steps that one thread may make of a reduction: some ten seconds.
constexpr int64_t kMostSerialSteps = int64_t{1} << 30;

// Refuses reductions that one thread makes in too many steps; those of loops of the program are as it says.
bool check_serial_steps(const DemandGraph& graph, Diagnostics& diagnostics) {
  for (const DemandReduce& reduce : graph.reduces) {
    if (reduce.cooperative || reduce.fills || reduce.scope < 0) continue;
    int64_t steps = 1;
    for (int scope = reduce.scope; scope != 0; scope = graph.scopes[scope].parent) {
      if (graph.scopes[scope].kind != DemandScope::Kind::kReduce) continue;
      for (const int id : graph.scopes[scope].coordinates) {
        const int64_t extent = std::max<int64_t>(graph.coordinates[id].extent, 1);
        if (extent <= kMostSerialSteps / steps) {
          steps *= extent;
          continue;
        }
        const Instruction& instruction = *reduce.instruction;
        diagnostics.error(instruction.loc, "E0304",
                          std::string(opcode_name(instruction.opcode)) + ": one thread would make all steps of '" +
                              instruction.name + "' one after the other, more than 2^30",
                          "split its operand into parts of less than 2^30 elements, and combine what they come to");
        return false;
      }
    }
  }
  return true;
}

// Refuses launches that no GPU takes.
bool check_launches(const LoweredStage& stage, const StageInput& input, Diagnostics& diagnostics) {
  constexpr int64_t kMostBlocks[] = {INT32_MAX, kMostBlocksYZ, kMostBlocksYZ};
  for (const Kernel& kernel : stage.kernels) {
    for (int d = 0; d < 3; ++d) {
      if (kernel.launch.grid[d] <= kMostBlocks[d]) continue;
      diagnostics.error(input.values.outputs[0]->loc, "E0304",
                        "'" + input.values.outputs[0]->name + "' would take a launch of " +
                            std::to_string(kernel.launch.grid[d]) + " blocks along dimension " + std::to_string(d) +
                            ", which may have " + std::to_string(kMostBlocks[d]),
                        "split it into parts");
      return false;
    }
  }
  return true;
}

// Threads of a row, of a tile, or that compute steps ahead, take part in it with their whole warp.
bool has_whole_warps(const StageInput& input) { return input.node.block[0] % kWarp == 0; }
std::nullopt_t refuse_warps(const StageInput& input, Diagnostics& diagnostics) {
  return refuse(input, "needs a block of whole warps", "32 threads or a multiple, up to 1024", diagnostics);
}

// Loops of a kernel, and those inside them, are as `demand` has them; without one, threads run them.
bool check_loops(const StageInput& input, const MapDemand* demand, Diagnostics& diagnostics) {
  std::vector<std::pair<const TreeNode*, const Computation*>> left;  // items, and what they compute
  const auto push = [&](const std::vector<TreeNode>& items, const Computation* computation) {
    for (const TreeNode& item : items) {
      if (item.kind == TreeNode::Kind::kLoop) left.emplace_back(&item, computation);
    }
  };
  push(input.node.body(), input.values.context.level);
  while (!left.empty()) {
    const auto [item, computation] = left.back();
    left.pop_back();
    for (const Instruction& loop : computation->instructions()) {
      if (loop.opcode != Opcode::kWhile || loop.name != item->name) continue;
      if (item->ahead != 1 && (item->ahead != kWarp || demand == nullptr || !computes_ahead(*demand, loop))) {
        refuse(input, "computes steps of '" + item->name + "' ahead",
               "only `ahead 32`, of loops of thread scope with something dear that is the same for all threads",
               diagnostics);
        return false;
      }
      if (item->ahead != 1 && !has_whole_warps(input)) {
        refuse_warps(input, diagnostics);
        return false;
      }
      const Scope scope = demand == nullptr ? loop_scope(loop, false, false)
                                            : loop_scope(loop, demand->domain.maps_loops, demand->block != 0);
      if (item->scope != scope) {
        const std::string name(scope_name(scope));
        refuse(input, "runs '" + item->name + "' in scope " + name, "write `scope " + name + "`", diagnostics);
        return false;
      }
      push(item->body(), *loop.attributes->body);
    }
  }
  return true;
}

double count_launches(const std::vector<StageStep>& steps) {
  double count = 0;
  for (const StageStep& step : steps) {
    if (step.kind == StageStep::Kind::kLaunch) ++count;
    if (step.kind == StageStep::Kind::kLoop) count += static_cast<double>(step.trip) * count_launches(step.body);
  }
  return count;
}

// Each launch of the stage does as much.
LoweredStage with_shared_work(LoweredStage stage, const Work& work) {
  const Work one = share(work, 1 / count_launches(stage.steps));
  for (Kernel& kernel : stage.kernels) kernel.work = one;
  return stage;
}

// The values whose home is shared memory: one thread of a block computes them.
std::vector<const Instruction*> shared_values(const StageInput& input) {
  std::vector<const Instruction*> shared;
  for (const TreeNode& stage : input.node.body()) {
    for (const TreeValue& value : stage.values) {
      if (!value.shared) continue;
      const auto& computed = input.values.context.computed;
      const auto found = std::find_if(computed.begin(), computed.end(),
                                      [&](const Instruction* instruction) { return instruction->name == value.name; });
      if (found != computed.end()) shared.push_back(*found);
    }
  }
  return shared;
}

// The map as the item says that it is.
std::optional<MapDemand> demand_as_said(const StageInput& input, Diagnostics& diagnostics) {
  const auto is_loop = [](const TreeNode& item) { return item.kind == TreeNode::Kind::kLoop; };
  const auto is_mapped = [&](const TreeNode& item) { return is_loop(item) && item.scope == Scope::kGrid; };
  const std::vector<TreeNode>& body = input.node.body();
  const StageDomain* said = domain_of(body);
  const MapDomain domain = meant_domain(said, input.values, std::ranges::any_of(body, is_mapped));
  std::optional<DemandGraph::Failure> failure;
  std::optional<MapDemand> demand = demand_map(input.values, domain, &failure);
  const bool runs_blocks = std::ranges::any_of(body, is_loop) && demand && demand->block <= kMostThreads;
  if (!demand || (domain.of_block > 0 && !runs_blocks)) {
    const StageDomain full = {.kind = StageDomain::Kind::kSaid, .extents = domain.extents, .of_block = domain.of_block};
    return refuse_domain(input, "map", full, failure, diagnostics);
  }
  const int64_t widest = domain.width > 1 ? widest_vector(*demand) : 1;
  if (widest % domain.width != 0) {
    return refuse(input, said->loc, "has threads of " + std::to_string(domain.width) + " elements",
                  widest == 1 ? "they have one element each: take `by` out"
                              : "`by " + std::to_string(widest) + "`, or what divides that",
                  diagnostics);
  }
  return demand;
}

std::optional<LoweredStage> lower_elements(const StageInput& input, Diagnostics& diagnostics) {
  std::optional<MapDemand> demand = demand_as_said(input, diagnostics);
  if (!demand) return std::nullopt;
  if (demand->block != 0 && input.node.block[0] != block_threads(*demand)) {
    return refuse(input, "needs a block of " + std::to_string(block_threads(*demand)) + " threads",
                  "its threads work together in a loop", diagnostics);
  }
  if (!check_serial_steps(*demand->graph, diagnostics)) return std::nullopt;
  const int64_t block = input.node.block[0], stacked = stacked_bytes(*demand->graph);
  if (stacked > 0 && (!has_whole_warps(input) || block * stacked > kSharedBytesUnasked)) {
    return refuse(input, "needs another block",
                  "one of whole warps, of at most " + std::to_string(kSharedBytesUnasked / stacked) +
                      " threads: it reduces what all of them have of a loop's steps, in shared memory",
                  diagnostics);
  }
  if (!check_loops(input, &*demand, diagnostics)) return std::nullopt;
  const std::vector<const Instruction*> shared = shared_values(input);
  const std::optional<std::vector<NodeId>> numbers = find_block_numbers(*demand, shared);
  if (!numbers) {
    return refuse(input, "has '" + shared[0]->name + "' in shared memory",
                  "only numbers that are the same for all threads, of kernels without loops", diagnostics);
  }
  return one_launch(lower_map(input.module, input.node, input.values, std::move(*demand), *numbers, input.names));
}

std::optional<LoweredStage> lower_rows(const std::string& schedule, const StageInput& input, Diagnostics& diagnostics) {
  const std::optional<RowExtents> extents = meant_rows(domain_of(input.node.body()), input.values);
  if (!extents) return refuse(input, "has no reduction over rows", "use `stage map`", diagnostics);
  if (!has_whole_warps(input)) return refuse_warps(input, diagnostics);
  std::optional<DemandGraph::Failure> failure;
  std::optional<RowDemand> demand = demand_row(input.values, *extents, &failure);
  if (!demand) return refuse_domain(input, schedule, full_rows(*extents), failure, diagnostics);
  if (!check_serial_steps(*demand->graph, diagnostics)) return std::nullopt;
  if (!check_loops(input, nullptr, diagnostics)) return std::nullopt;
  return one_launch(lower_row(input.module, input.node, input.values, std::move(*demand), input.names));
}

std::optional<LoweredStage> lower_tiles(const std::string& schedule, const StageInput& input,
                                        Diagnostics& diagnostics) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<ContractDemand> demand = demand_contract(input.values, &failure);
  if (!demand) {
    return refuse(input, "is not one dot and what belongs to it element by element", "use `stage map`", diagnostics);
  }
  if (const std::optional<TensorCoreForm> form = tensor_core_form(schedule)) {
    if (tensor_core_product(*demand->dot) != form->product) {
      return refuse(
          input, "cannot be made in this form of a contraction",
          "16-bit floats are `mma ...`, f32 `mma 3xtf32 ...`, or `mma tf32 ...` where it may be, bytes `mma int8 ...`",
          diagnostics);
    }
    if (!warp_tile(*form, input.node.block[0])) {
      return refuse(input, "has a tile that its warps cannot divide",
                    "a block of 128 or 256 threads, or a smaller tile", diagnostics);
    }
    return lower_tensor_core(input, *demand, *form);
  }
  if (const std::optional<GemvForm> form = gemv_form(schedule)) {
    const std::optional<GemvOperands> operands = gemv_operands(*demand);
    if (!operands) {
      return refuse(input, "is no product of a few vectors and a matrix",
                    "`gemv ...` is for dots with a side of 1 to 16, of other numbers than complex ones", diagnostics);
    }
    if (!gemv_threads(*demand, *operands, *form, input.node.block[0])) {
      return refuse(input, "has a step that its threads cannot divide",
                    "a block of 256 threads, or another step; `stages 1` where the matrix cannot be copied",
                    diagnostics);
    }
    return lower_gemv(input, *demand, *form);
  }
  if (!contract_tile(input.node.block[0])) {
    return refuse(input, "needs a block of 64, 256 or 1024 threads",
                  "the tiles of a contraction are 8, 16 or 32 elements wide", diagnostics);
  }
  return one_launch(lower_contract(input.module, input.node, input.values, *demand, input.names));
}

std::optional<LoweredStage> lower_cumulative(const StageInput& input, Diagnostics& diagnostics) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<ScanDemand> demand = demand_scan(input.values, &failure);
  if (!demand) {
    return refuse(input, "is not one cumulative window and what belongs to it element by element", "use `stage map`",
                  diagnostics);
  }
  const ScanTile tile = scan_tile(*demand->scan);
  if (!has_whole_warps(input)) return refuse_warps(input, diagnostics);
  if (tile.tiles > 1 && input.node.block[0] != tile.threads) {
    return refuse(input, "needs a block of " + std::to_string(tile.threads) + " threads",
                  "tiles of a row are whole steps of such a block", diagnostics);
  }
  return with_shared_work(lower_scan(input, *demand), scan_work(*demand));
}

std::optional<LoweredStage> lower_own(const OwnStage& stage, const StageInput& input, Diagnostics& diagnostics) {
  const std::string name(stage.schedule);
  std::optional<DemandGraph::Failure> failure;
  const Instruction* instruction = own_instruction(input.values);
  const bool fits = instruction != nullptr && own_stage(*instruction) == &stage;
  const std::optional<OwnStageShape> shape = fits ? stage.shape(input.values, &failure) : std::nullopt;
  if (!shape) {
    return refuse(input, "is not one " + name + " and what is computed where it is read",
                  "a stage of its own holds one such instruction", diagnostics);
  }
  const auto as_decided = [&](const int64_t* in_plan, const int64_t* own) { return std::equal(own, own + 3, in_plan); };
  const bool grid_fits = input.node.grid[0] == 0 || as_decided(input.node.grid, shape->grid);
  if (!grid_fits || !as_decided(input.node.block, shape->block)) {
    const auto dims = [](const int64_t* extents) {
      std::string text = std::to_string(extents[0]);
      for (int i = 1; i < 3 && (extents[1] > 1 || extents[2] > 1); ++i) text += "x" + std::to_string(extents[i]);
      return text;
    };
    return refuse(input, "needs grid " + dims(shape->grid) + " block " + dims(shape->block),
                  "threads of a " + name + " follow from its operands", diagnostics);
  }
  return with_shared_work(lower_own_stage(name, input), own_work(*instruction));
}

std::optional<LoweredStage> lower_by_schedule(const std::string& schedule, const StageInput& input,
                                              Diagnostics& diagnostics) {
  if (const OwnStage* stage = own_stage(schedule)) return lower_own(*stage, input, diagnostics);
  if (input.node.block[1] != 1 || input.node.block[2] != 1) {
    return refuse(input, "has threads along one dimension", "write the block as one number", diagnostics);
  }
  if (schedule.rfind("row", 0) == 0) return lower_rows(schedule, input, diagnostics);
  if (schedule == "scan") return lower_cumulative(input, diagnostics);
  if (is_contract_schedule(schedule)) return lower_tiles(schedule, input, diagnostics);
  if (schedule == "map") return lower_elements(input, diagnostics);
  return refuse(input, "has a stage of an unknown kind: '" + schedule + "'", "docs/schedule.md lists the kinds",
                diagnostics);
}

}  // namespace

std::optional<StageDomain> settle_domain(const std::string& schedule, const StageInput& input,
                                         Diagnostics& diagnostics) {
  std::optional<DemandGraph::Failure> failure;
  std::optional<StageDomain> domain = choose_stage_domain(input.values, schedule, &failure);
  if (!domain && !failure) return StageDomain();  // there are no rows: lowering says so
  if (!domain) return refuse_form(input, "stage " + schedule.substr(0, schedule.find('(')), failure, diagnostics);
  return domain;
}

std::optional<LoweredStage> lower_item(const std::string& schedule, const StageInput& input, Diagnostics& diagnostics) {
  std::optional<LoweredStage> stage = lower_by_schedule(schedule, input, diagnostics);
  if (!stage || !check_launches(*stage, input, diagnostics)) return std::nullopt;
  return stage;
}

}  // namespace sinter
