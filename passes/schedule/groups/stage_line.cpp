#include "passes/schedule/groups/stage_line.h"

#include <algorithm>
#include <variant>

#include "ir/support/diagnostics.h"
#include "passes/schedule/groups/choose_contract.h"
#include "passes/schedule/tree/stage_domain.h"
#include "passes/stages/domain/row_width.h"

namespace sinter {

namespace {

void set(const int64_t (&from)[3], int64_t (*to)[3]) { std::copy(std::begin(from), std::end(from), std::begin(*to)); }

}  // namespace

StageLine stage_line(const Group& group, int64_t block, const Gpu* gpu, bool tensor_cores, const GridLoop* grid) {
  const StageKind& kind = *group.form.kind;
  StageLine line;
  line.schedule = kind.word;
  if (kind.launch != nullptr) {
    line.grid[0] = group.launch->grid;
    line.block[0] = group.launch->block;
    if (is_plain(group.form)) line.domain = said_domain(group.launch->domain, group.values);
    if (const std::optional<RowExtents>& rows = group.form.rows) {
      const Tier tier = group.launch->tier;
      line.schedule = row_schedule(tier);
      line.domain = said_rows(*rows, group.values);
      line.domain.width = choose_row_width(group.values, *rows, tier, block > 0 ? block : group.launch->block);
    }
    if (group.launch->tile > 0) line.domain.tile = group.launch->tile;
    return line;
  }
  std::optional<DemandGraph::Failure> failure;
  const std::optional<StageDemand> demand = kind.demand(group.values, group.form, INT64_MAX, &failure);
  check(demand.has_value(), "schedule", "a stage lost its form");
  if (const auto* own = std::get_if<OwnStageShape>(&*demand)) {
    set(own->grid, &line.grid);
    set(own->block, &line.block);
    if (may_have_block(*own, block)) line.block[0] = block;
    return line;
  }
  const auto& product = std::get<ContractDemand>(*demand);
  std::optional<ContractChoice> resident;
  if (grid != nullptr && grid->keeps_weights && gpu != nullptr) resident = resident_contract(product, *gpu);
  const ContractChoice choice =
      resident ? *resident : choose_contract(product, gpu, tensor_cores, grid != nullptr ? block : 0);
  line.schedule = choice.schedule;
  set(choice.grid, &line.grid);
  line.block[0] = choice.threads;
  return line;
}

bool has_lone_threads(const Group& group) {
  if (!group.form.kind->own) return false;
  std::optional<DemandGraph::Failure> failure;
  const std::optional<StageDemand> demand = group.form.kind->demand(group.values, group.form, INT64_MAX, &failure);
  return demand && std::get<OwnStageShape>(*demand).lone_threads;
}

}  // namespace sinter
