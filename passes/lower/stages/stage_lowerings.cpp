// The table of lowerings, a row a kind of stage; and what a plan file may get wrong about a stage of each.
#include "passes/lower/stages/stage_lowerings.h"

#include <algorithm>
#include <map>

#include "passes/lower/stages/base/stage_checks.h"
#include "passes/lower/stages/elements/lower_elements.h"
#include "passes/lower/stages/gemv/lower_gemv.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/lower/stages/products/lower_contract.h"
#include "passes/lower/stages/products/lower_simt.h"
#include "passes/lower/stages/products/lower_tensor_core.h"
#include "passes/schedule/cost/work.h"
#include "passes/schedule/moves/block_numbers.h"
#include "passes/schedule/tree/stage_domain.h"
#include "passes/stages/domain/vectorize.h"
#include "passes/stages/products/tile_copy.h"
#include "passes/stages/products/tma_tiles.h"
#include "passes/stages/scans/scan_tile.h"
#include "passes/stages/stage_kind.h"

namespace sinter {

namespace {

double count_launches(const std::vector<StageStep>& steps) {
  double count = 0;
  for (const StageStep& step : steps) {
    if (step.kind == StageStep::Kind::kLaunch) ++count;
    if (step.kind == StageStep::Kind::kLoop) count += static_cast<double>(step.trip) * count_launches(step.body);
  }
  return count;
}

// Each launch of the stage does as much, where its lowering does not say how much.
LoweredStage with_shared_work(LoweredStage stage, const Work& work) {
  const Work one = share(work, 1 / count_launches(stage.steps));
  for (Kernel& kernel : stage.kernels) {
    if (kernel.work.instructions() == 0) kernel.work = one;
  }
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

// The values that the items say are layers, each with its place in the plan; `computation` is what they compute.
std::map<const Instruction*, Loc> layers_said(const std::vector<TreeNode>& items, const Computation& computation) {
  const auto find = [&](const std::string& name) {
    const Instruction* found = nullptr;
    for (const Instruction& value : computation.instructions()) {
      if (value.name == name) found = &value;
    }
    check(found != nullptr, "lower", "no value of the kernel is called '" + name + "'");
    return found;
  };
  std::map<const Instruction*, Loc> layers;
  for (const TreeNode& item : items) {
    for (const TreeValue& value : item.values) {
      if (value.layer) layers.emplace(find(value.name), value.loc);
    }
    if (item.kind == TreeNode::Kind::kLoop) layers.merge(layers_said(item.body(), **find(item.name)->attributes->body));
  }
  return layers;
}

// The map as the item says that it is.
std::optional<MapDemand> demand_as_said(const StageInput& input, Diagnostics& diagnostics) {
  const auto is_loop = [](const TreeNode& item) { return item.kind == TreeNode::Kind::kLoop; };
  const auto is_mapped = [&](const TreeNode& item) { return is_loop(item) && item.scope == Scope::kMap; };
  const std::vector<TreeNode>& body = input.node.body();
  const StageDomain* said = domain_of(body);
  const MapDomain domain = meant_domain(said, input.values, std::ranges::any_of(body, is_mapped));
  const std::map<const Instruction*, Loc> said_layers = layers_said(body, *input.values.context.level);
  Layers layers;
  for (const auto& [value, loc] : said_layers) layers.insert(value);
  std::optional<DemandGraph::Failure> failure;
  std::optional<MapDemand> demand = demand_map(input.values, domain, layers, &failure);
  const auto meets = [](const DemandNode& node) { return node.kind == DemandNode::Kind::kBlockReduce; };
  const bool runs_blocks = demand && demand->block <= kMostThreads &&
                           (std::ranges::any_of(body, is_loop) || std::ranges::any_of(demand->graph->nodes, meets));
  if (!demand || (domain.of_block > 0 && !runs_blocks)) {
    const StageDomain full = {.kind = StageDomain::Kind::kSaid, .extents = domain.extents, .of_block = domain.of_block};
    return refuse_domain(input, full, failure, diagnostics);
  }
  for (const Instruction* value : in_text_order({layers.begin(), layers.end()})) {
    if (demand->layers.count(value) > 0) continue;
    return refuse(input, said_layers.at(value), "has no layer '" + value->name + "'",
                  "a layer is read by the steps of a reduction that stands in another reduction's, in a kernel with a "
                  "loop, and is the same for each of the outer one's",
                  diagnostics);
  }
  const int64_t widest = domain.width > 1 ? widest_vector(*demand) : 1;
  if (widest % domain.width != 0) return refuse_width(input, widest, diagnostics);
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
  if (const int64_t side = demand->domain.tile; side > 0) {
    const std::optional<MapTiles> tiles = map_tiles(*demand, side);
    const StageDomain& said = *domain_of(input.node.body());
    if (!tiles) {
      return refuse(
          input, said.loc, "has no tiles of " + std::to_string(side),
          "of 64 or 32 elements a side, where all that it reads across what it stores fits into shared memory",
          diagnostics);
    }
    if (input.node.block[0] != kMapTileThreads) {
      return refuse(input, "needs a block of " + std::to_string(kMapTileThreads) + " threads", "a block has a tile",
                    diagnostics);
    }
    if (const std::vector<const Instruction*> shared = shared_values(input); !shared.empty()) {
      return refuse(input, "has '" + shared[0]->name + "' in shared memory", "not in tiles: take `:shared` out",
                    diagnostics);
    }
    if (!check_loops(input, &*demand, diagnostics)) return std::nullopt;
    return lower_map_tiles(input, std::move(*demand), *tiles);
  }
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
  return lower_map(input, std::move(*demand), *numbers);
}

std::optional<LoweredStage> lower_rows(const StageInput& input, Diagnostics& diagnostics) {
  const std::optional<RowExtents> extents = meant_rows(domain_of(input.node.body()), input.values);
  if (!extents) return refuse(input, "has no reduction over rows", "use `stage map`", diagnostics);
  if (!has_whole_warps(input)) return refuse_warps(input, diagnostics);
  std::optional<DemandGraph::Failure> failure;
  std::optional<RowDemand> demand = demand_row(input.values, *extents, &failure);
  if (!demand) return refuse_domain(input, full_rows(*extents), failure, diagnostics);
  if (!check_serial_steps(*demand->graph, diagnostics)) return std::nullopt;
  if (!check_loops(input, nullptr, diagnostics)) return std::nullopt;
  return lower_row(input, std::move(*demand), diagnostics);
}

std::optional<LoweredStage> refuse_parts(const StageInput& input, const ContractDemand& demand,
                                         Diagnostics& diagnostics) {
  const ColumnParts& parts = demand.parts;
  if (demand.partner > 0 && (parts.count == 1 || parts.apart)) {
    const std::string columns = std::to_string(demand.partner);
    return refuse(
        input, "makes each result of two columns of its product, " + columns + " apart",
        "`mma ...`, `wgmma ...` or `simt ...` of tiles of " + std::to_string(2 * demand.partner) + " columns or more",
        diagnostics);
  }
  if (parts.apart) {
    return refuse(input, "makes results of " + std::to_string(parts.count) + " products side by side",
                  "`mma ...`, `wgmma ...` or `simt ...` of tiles whose columns divide the " +
                      std::to_string(parts.size) + " of one",
                  diagnostics);
  }
  const std::string columns = std::to_string(parts.run * parts.count);
  return refuse(input, "makes each result of " + std::to_string(parts.full()) + " columns of its product",
                "`mma ...`, `wgmma ...`, `simt ...` or `gemv ...` of tiles whose columns are a multiple of " + columns +
                    "; with `tma` of 128 columns or more, 64 for each part where these are neighbours in memory",
                diagnostics);
}

std::optional<LoweredStage> refuse_rows(const StageInput& input, const ResultRows& rows, Diagnostics& diagnostics) {
  const std::string reduce = rows.statistics.phases[0].statistics[0].reduce->name;
  const std::string columns = std::to_string(rows.length);
  return refuse(input, "reduces rows of its product: '" + reduce + "'",
                "`mma ...`, `wgmma ...` or `simt ...` of tiles of " +
                    (rows.pieces > 1 ? columns + " columns" : columns + " columns or more") +
                    ", without `tma`; or a kernel of its own",
                diagnostics);
}

std::optional<LoweredStage> lower_tiles(const StageInput& input, Diagnostics& diagnostics) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<ContractDemand> demand = demand_contract(input.values, &failure);
  if (!demand) {
    if (failure->reason == "several-contractions") {
      const std::vector<const Instruction*> dots = contractions_of(input.values);
      if (have_a_matrix_each(dots, 0) && !have_a_matrix_each(dots, 1)) {
        return refuse(input,
                      "computes several dots with a matrix each on the left, of more than " +
                          std::to_string(kMostVectors) + " vectors",
                      "a kernel for each; matrices on the right, `dot(x, w)`, are parts of one product at any size",
                      diagnostics);
      }
      return refuse(input, "computes several dots that are no parts of one",
                    "a kernel for each; parts differ in one operand, made alike of arrays of one type", diagnostics);
    }
    return refuse(input,
                  "is not one dot and what belongs to it element by element: '" + failure->instruction->name + "' (" +
                      std::string(failure->reason) + ")",
                  "`sinter help " + std::string(failure->reason) + "` says why; `stage map` takes more", diagnostics);
  }
  if (const std::optional<TensorCoreForm> form = tensor_core_form(input.schedule)) {
    if (tensor_core_product(*demand->dot) != form->product) {
      return refuse(input, "cannot be made in this form of a contraction",
                    "16-bit floats are `mma ...` or `wgmma ...`, f32 `mma 3xtf32 ...` or `wgmma 3xtf32 ...`, or with "
                    "`tf32` where it may be, bytes `mma int8 ...` or `wgmma int8 ...`",
                    diagnostics);
    }
    if (!warp_tile(*form, input.node.block[0])) {
      return refuse(input, "has a tile that its warps cannot divide",
                    form->tma ? "a block of 128 threads for each 64 rows, and 128 more"
                    : form->has_registers()
                        ? "a block of 128 threads for each 64 rows, or with `turned` columns, whose registers have "
                          "room for sums, those of three terms twice"
                    : form->wgmma ? "a block of 128 threads for each 64 rows, of at most 65,536 / N threads"
                                  : "a block of 128 or 256 threads, or a smaller tile",
                    diagnostics);
    }
    if (!demand->rows.are_whole(form->n) || (form->tma && !demand->rows.empty()))
      return refuse_rows(input, demand->rows, diagnostics);
    if (!makes_statistics(*demand, *form, input.node.block[0])) {
      const std::string reduce = demand->statistics.phases[0].statistics[0].reduce->name;
      return refuse(input, "reduces its vectors: '" + reduce + "'",
                    "`gemv ...`, `simt ...`, `mma ...` without `split`, each block of which makes such statistics; or "
                    "a kernel of their own",
                    diagnostics);
    }
    if (form->tma) {
      const bool copies = has_tma_operands(*demand) && can_count_tiles(demand->extents, *form);
      if (copies && !tma_has_parts(*demand, *form)) return refuse_parts(input, *demand, diagnostics);
      if (copies) return lower_tma(input, *demand, *form);
      return refuse(input, "has operands that the hardware cannot copy",
                    "each a part of one array as it is, with rows of multiples of 16 bytes; others without `tma`",
                    diagnostics);
    }
    if (!demand->parts.are_whole(form->n) || !demand->has_partners(form->n))
      return refuse_parts(input, *demand, diagnostics);
    if (!can_be_read(*demand, *form, input.node.block[0])) {
      return refuse(input, "has an operand that does not lie as warpgroups read it from shared memory, along k",
                    std::string(form->turned ? "without `turned`" : "with `turned`") +
                        " where the other operand lies along k; of f32 across k a thread for each " +
                        (form->turned ? "row" : "column") + " of a tile; or `mma ...`",
                    diagnostics);
    }
    if (!can_copy(*demand, *form, input.node.block[0])) {
      return refuse(input, "has rows of more copies than a block has threads", "a larger block, or a smaller tile",
                    diagnostics);
    }
    if (!can_split(*form, demand->extents)) {
      return refuse(input, "cannot be divided among so many blocks", "each needs a k tile", diagnostics);
    }
    return lower_tensor_core(input, *demand, *form);
  }
  if (const std::optional<GemvForm> form = gemv_form(input.schedule)) {
    if (!demand->rows.empty()) return refuse_rows(input, demand->rows, diagnostics);
    const std::optional<GemvOperands> operands = gemv_operands(*demand);
    if (!operands) {
      return refuse(input, "is no product of a few vectors and a matrix",
                    "`gemv ...` is for dots with a side of 1 to 16, of other numbers than complex ones", diagnostics);
    }
    if (!demand->parts.are_whole(form->n) || !demand->has_partners(form->n))
      return refuse_parts(input, *demand, diagnostics);
    if (!gemv_threads(*demand, *operands, *form, input.node.block[0])) {
      return refuse(input, "has a step that its threads cannot divide",
                    "a block of 256 threads, or another step; `stages 1` where the matrix cannot be copied",
                    diagnostics);
    }
    return lower_gemv(input, *demand, *form);
  }
  if (const std::optional<SimtForm> form = simt_form(input.schedule)) {
    if (!demand->rows.are_whole(form->n)) return refuse_rows(input, demand->rows, diagnostics);
    if (!demand->parts.are_whole(form->n) || !demand->has_partners(form->n))
      return refuse_parts(input, *demand, diagnostics);
    if (!simt_threads(*demand, *form, input.node.block[0])) {
      return refuse(input, "has a tile that its threads cannot divide",
                    "a block of 64, 128 or 256 threads, or a smaller tile: at most 64 registers of sums a thread",
                    diagnostics);
    }
    return lower_simt(input, *demand, *form);
  }
  if (demand->parts.count > 1 || demand->partner > 0) return refuse_parts(input, *demand, diagnostics);
  if (!demand->rows.empty()) return refuse_rows(input, demand->rows, diagnostics);
  if (!contract_tile(input.node.block[0])) {
    return refuse(input, "needs a block of 64, 256 or 1024 threads",
                  "the tiles of a contraction are 8, 16 or 32 elements wide", diagnostics);
  }
  return lower_contract(input, *demand);
}

std::optional<LoweredStage> lower_cumulative(const StageInput& input, Diagnostics& diagnostics) {
  std::optional<DemandGraph::Failure> failure;
  std::optional<ScanDemand> demand = demand_scan(input.values, &failure);
  if (!demand) {
    return refuse(input, "is not one cumulative window and what belongs to it element by element", "use `stage map`",
                  diagnostics);
  }
  if (!has_whole_warps(input)) return refuse_warps(input, diagnostics);
  if (const StageDomain* said = domain_of(input.node.body())) {
    demand->tile = said->tile;
    const int64_t block = input.node.block[0], columns = demand->extents.columns;
    const int64_t step = scan_tile(*demand).across ? block / kScanLanes : block;
    if (said->tile % step != 0 || said->tile >= columns) {
      return refuse(input, said->loc, "has tiles of " + std::to_string(said->tile) + " elements",
                    "a tile is whole steps of its block, multiples of " + std::to_string(step) +
                        " elements, and less than a row of " + std::to_string(columns),
                    diagnostics);
    }
  }
  return with_shared_work(lower_scan(input, *demand), scan_work(*demand));
}

// The one value of a kernel that is an operation of a stage of its own; nullptr where there is none, or several.
const Instruction* only_own(const KernelValues& kernel) {
  return only_taken(kernel, [](const Instruction& value) { return own_kind(value) != nullptr; });
}

template <LoweredStage lower(const StageInput& input)>
std::optional<LoweredStage> lower_own(const StageInput& input, Diagnostics& diagnostics) {
  const std::string& name = input.schedule;
  std::optional<DemandGraph::Failure> failure;
  const StageKind& kind = *stage_kind(name);
  const Instruction* instruction = only_own(input.values);
  const bool fits = instruction != nullptr && own_kind(*instruction) == &kind;
  const std::optional<StageDemand> demand =
      fits ? kind.demand(input.values, {&kind, std::nullopt}, INT64_MAX, &failure) : std::nullopt;
  if (!demand) {
    return refuse(input, "is not one " + name + " and what is computed where it is read",
                  "a stage of its own holds one such instruction", diagnostics);
  }
  const auto* shape = &std::get<OwnStageShape>(*demand);
  const auto as_decided = [&](const int64_t* in_plan, const int64_t* own) { return std::equal(own, own + 3, in_plan); };
  const int64_t* grid = input.node.grid;
  const bool in_parts = grid[0] == shape->grid[0] && grid[1] >= 1 && grid[1] <= shape->most_parts && grid[2] == 1;
  const bool grid_fits = grid[0] == 0 || as_decided(grid, shape->grid) || (shape->most_parts > 1 && in_parts);
  const int64_t(&block)[3] = input.node.block;
  const bool in_groups = block[1] == 1 && block[2] == 1 && may_have_block(*shape, block[0]);
  const bool of_others = std::ranges::any_of(shape->others, [&](const OwnStageShape::Tiles& other) {
    const int64_t own[] = {other.threads, 1, 1};
    return grid[0] == other.blocks && grid[1] >= 1 && grid[1] <= other.most_parts && grid[2] == 1 &&
           as_decided(block, own);
  });
  if (!of_others && (!grid_fits || (!as_decided(block, shape->block) && !in_groups))) {
    const auto dims = [](const int64_t* extents) {
      std::string text = std::to_string(extents[0]);
      for (int i = 1; i < 3 && (extents[1] > 1 || extents[2] > 1); ++i) text += "x" + std::to_string(extents[i]);
      return text;
    };
    std::string grids = dims(shape->grid);
    if (shape->most_parts > 1) {
      const int64_t first[] = {shape->grid[0], 1, 1}, last[] = {shape->grid[0], shape->most_parts, 1};
      grids = dims(first) + " to " + dims(last);
    }
    return refuse(input, "needs grid " + grids + " block " + dims(shape->block),
                  "threads of `" + name + "` follow from its operands", diagnostics);
  }
  return with_shared_work(lower(input), shape->work);
}

constexpr StageLowering kStageLowerings[] = {
    {kMap, lower_elements},
    {kRow, lower_rows},
    {kScan, lower_cumulative},
    {kContract, lower_tiles},
#define OWN_STAGE(word, has_epilogue, reads_memory) {#word, lower_own<lower_##word>},
#include "passes/stages/own/own_stages.def"
#undef OWN_STAGE
};

}  // namespace

std::span<const StageLowering> stage_lowerings() { return kStageLowerings; }

}  // namespace sinter
