// The table of stages, a row a kind, and what is asked of it.
#include <algorithm>

#include "passes/analysis/shapes/skinny_product.h"
#include "passes/stages/domain/better_apart.h"
#include "passes/stages/domain/choose_domain.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/scans/scan_tile.h"
#include "passes/stages/stage_kind.h"

namespace sinter {

namespace {

using Failure = std::optional<DemandGraph::Failure>;

template <class Demand>
std::optional<StageDemand> as_stage(std::optional<Demand> demand) {
  if (!demand) return std::nullopt;
  return std::optional<StageDemand>(std::in_place, std::move(*demand));
}

bool takes_none(const Instruction&) { return false; }

std::optional<StageDemand> demand_elements(const KernelValues& kernel, const StageForm&, int64_t most_nodes,
                                           Failure* failure) {
  return as_stage(choose_map(kernel, failure, most_nodes));
}

Failure elements_apart(const KernelValues&, const StageDemand& demand) {
  return better_apart(std::get<MapDemand>(demand));
}

LaunchShape launch_elements(const StageDemand& demand) { return map_launch_shape(std::get<MapDemand>(demand)); }

bool takes_rows(const Instruction& value) { return long_row_extents(value).has_value(); }

std::optional<StageDemand> demand_rows(const KernelValues& kernel, const StageForm& form, int64_t most_nodes,
                                       Failure* failure) {
  // Its rows are those of the longest reduction: their threads would not make that together otherwise.
  if (longest_rows(kernel.context.computed) != form.rows) {
    *failure = DemandGraph::Failure{kernel.outputs[0], "domain-mismatch"};
    return std::nullopt;
  }
  return as_stage(demand_row(kernel, *form.rows, failure, most_nodes));
}

Failure rows_apart(const KernelValues& kernel, const StageDemand& demand) {
  return better_apart(kernel, std::get<RowDemand>(demand));
}

LaunchShape launch_rows(const StageDemand& demand) { return row_launch_shape(std::get<RowDemand>(demand).extents); }

std::optional<StageDemand> demand_cumulative(const KernelValues& kernel, const StageForm&, int64_t, Failure* failure) {
  std::optional<ScanDemand> demand = demand_scan(kernel, failure);
  if (demand) demand->tile = choose_scan_tile(*demand);
  return as_stage(std::move(demand));
}

LaunchShape launch_cumulative(const StageDemand& demand) {
  const ScanTile tile = scan_tile(std::get<ScanDemand>(demand));
  LaunchShape shape;
  shape.tile = tile.tile;
  shape.grid = tile.blocks;
  shape.block = tile.threads;
  shape.launches = tile.tiles > 1 ? 2 : 1;
  shape.needs_block = true;
  return shape;
}

std::optional<StageDemand> demand_product(const KernelValues& kernel, const StageForm&, int64_t, Failure* failure) {
  return as_stage(demand_contract(kernel, failure));
}

// Results of two columns of few products: a thread an element makes them as fast, of sums that it takes by itself, and
// beside others of its launch.
Failure product_apart(const KernelValues& kernel, const StageDemand& demand) {
  constexpr int64_t kFewProducts = int64_t{1} << 24;
  const auto& product = std::get<ContractDemand>(demand);
  const ContractExtents& extents = product.extents;
  if (product.partner == 0 || extents.batch * extents.m * extents.n * extents.k >= kFewProducts) return std::nullopt;
  return DemandGraph::Failure{kernel.outputs[0], "domain-mismatch"};
}

template <auto shape>
std::optional<StageDemand> demand_own(const KernelValues& kernel, const StageForm&, int64_t, Failure* failure) {
  return as_stage(shape(kernel, failure));
}

std::optional<StageForm> short_rows(const KernelValues& kernel);

constexpr StageKind own(std::string_view word, bool (*takes)(const Instruction&), decltype(StageKind::demand) demand,
                        bool has_epilogue, bool reads_memory) {
  return {.word = word,
          .takes = takes,
          .demand = demand,
          .single = true,
          .own = true,
          .has_epilogue = has_epilogue,
          .reads_memory = reads_memory,
          .of_operand = "own-stage-operand"};
}

constexpr StageKind kStageKinds[] = {
    {.word = kMap,
     .takes = takes_none,
     .demand = demand_elements,
     .better_apart = elements_apart,
     .launch = launch_elements,
     .other_form = short_rows,
     .may_share_launch = true},
    {.word = kRow,
     .takes = takes_rows,
     .demand = demand_rows,
     .better_apart = rows_apart,
     .launch = launch_rows,
     .may_share_launch = true},
    {.word = kScan,
     .takes = is_scan,
     .demand = demand_cumulative,
     .launch = launch_cumulative,
     .single = true,
     .may_share_launch = true},
    {.word = kContract,
     .takes = is_contraction,
     .demand = demand_product,
     .better_apart = product_apart,
     .single = true,
     .may_be_parts = true,
     .may_share_launch = true,
     .of_operand = "contraction-operand",
     .of_another = "one-contraction"},
#define OWN_STAGE(word, has_epilogue, reads_memory) \
  own(#word, takes_##word, demand_own<word##_shape>, has_epilogue, reads_memory),
#include "passes/stages/own/own_stages.def"
#undef OWN_STAGE
};

const StageKind& kPlain = kStageKinds[0];
const StageKind& kRows = kStageKinds[1];

// Rows of a map kernel in which every thread would repeat short reductions.
std::optional<StageForm> short_rows(const KernelValues& kernel) {
  const std::optional<RowExtents> rows = longest_rows(kernel.context.computed);
  if (!rows || rows->columns <= 1 || rows->columns > kShortReduction) return std::nullopt;
  return StageForm{&kRows, rows};
}

const StageKind& kind_of(const Instruction& value) {
  const auto found = std::find_if(std::begin(kStageKinds), std::end(kStageKinds),
                                  [&](const StageKind& kind) { return kind.takes(value); });
  return found == std::end(kStageKinds) ? kPlain : *found;
}

}  // namespace

std::span<const StageKind> stage_kinds() { return kStageKinds; }

StageForm form_of(const Instruction& value) { return {&kind_of(value), long_row_extents(value)}; }

StageForm form_of(const std::set<const Instruction*>& values, const std::optional<RowExtents>& rows) {
  for (const Instruction* value : values) {
    const StageKind& kind = kind_of(*value);
    if (kind.single) return {&kind, std::nullopt};
  }
  return {rows ? &kRows : &kPlain, rows};
}

std::optional<StageForm> tiled_form(const std::set<const Instruction*>& values) {
  const bool may_ask = std::ranges::any_of(values, [](const Instruction* value) {
    return is_shallow_product(*value) || is_small_skinny_product(*value) || is_narrow_convolution(*value);
  });
  const bool asks = std::ranges::any_of(values, [](const Instruction* value) { return kind_of(*value).single; });
  if (!may_ask || asks) return std::nullopt;
  return StageForm{stage_kind(kContract), std::nullopt};
}

bool is_plain(const StageForm& form) { return form.kind == &kPlain; }

std::optional<StageForm> with_value(const StageForm& form, const Instruction& value) {
  const StageForm own = form_of(value);
  if (is_plain(own)) return form;
  if (is_plain(form)) return own;
  return form.kind == own.kind && !own.kind->single ? std::optional(form) : std::nullopt;
}

const StageKind* stage_kind(std::string_view schedule) {
  const std::string_view word = schedule.substr(0, schedule.find('('));
  const auto found = std::find_if(std::begin(kStageKinds), std::end(kStageKinds),
                                  [&](const StageKind& kind) { return kind.word == word; });
  return found == std::end(kStageKinds) ? nullptr : &*found;
}

const StageKind* own_kind(const Instruction& value) {
  const StageKind& kind = kind_of(value);
  return kind.own ? &kind : nullptr;
}

int64_t nodes_of(const StageDemand& demand) {
  const DemandGraph* graph = graph_of(demand);
  return graph != nullptr ? static_cast<int64_t>(graph->nodes.size()) : std::get<OwnStageShape>(demand).nodes;
}

DemandGraph* graph_of(const StageDemand& demand) {
  return std::visit(
      [](const auto& of_kind) -> DemandGraph* {
        if constexpr (requires { of_kind.graph; }) return of_kind.graph.get();
        return nullptr;
      },
      demand);
}

}  // namespace sinter
