#include "passes/schedule/groups/stage_line.h"

#include <algorithm>
#include <variant>

#include "ir/support/diagnostics.h"
#include "passes/schedule/groups/choose_contract.h"
#include "passes/schedule/tree/stage_domain.h"

namespace sinter {

namespace {

void set(const int64_t (&from)[3], int64_t (*to)[3]) { std::copy(std::begin(from), std::end(from), std::begin(*to)); }

}  // namespace

StageLine stage_line(const Group& group, const Gpu* gpu, bool tensor_cores) {
  const StageKind& kind = *group.form.kind;
  StageLine line;
  line.schedule = kind.word;
  if (kind.launch != nullptr) {
    line.grid[0] = group.launch->grid;
    line.block[0] = group.launch->block;
    if (group.form.rows) line.schedule = row_schedule(group.launch->tier);
    if (group.form.rows) line.domain = said_rows(*group.form.rows, group.values);
    if (is_plain(group.form)) line.domain = said_domain(group.launch->domain, group.values);
    return line;
  }
  std::optional<DemandGraph::Failure> failure;
  const std::optional<StageDemand> demand = kind.demand(group.values, group.form, INT64_MAX, &failure);
  check(demand.has_value(), "schedule", "a stage lost its form");
  if (const auto* own = std::get_if<OwnStageShape>(&*demand)) {
    set(own->grid, &line.grid);
    set(own->block, &line.block);
    return line;
  }
  const ContractChoice choice = choose_contract(std::get<ContractDemand>(*demand), gpu, tensor_cores);
  line.schedule = choice.schedule;
  set(choice.grid, &line.grid);
  line.block[0] = choice.threads;
  return line;
}

}  // namespace sinter
