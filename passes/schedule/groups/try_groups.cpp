// What building a group tells. The layers of a network, and the parameters of an optimiser, ask the same again and
// again: what is of one form (same_form.h) is built twice, and known from then on.
#include <algorithm>

#include "llvm/ADT/Hashing.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/stages/domain/same_form.h"

namespace sinter {

std::optional<Grouper::Trial> Grouper::try_to_build(const Group& group, int64_t most_nodes,
                                                    const std::vector<bool>& unstored) const {
  std::optional<Built> built = built_of(group, most_nodes);
  if (!built) return std::nullopt;
  DemandGraph* graph = built->row ? built->row->graph.get() : built->map ? built->map->graph.get() : nullptr;
  if (graph != nullptr) {
    const std::vector<const Instruction*>& outputs = group.values.outputs;
    std::erase_if(graph->stores, [&](const DemandStore& store) {
      const size_t place = std::find(outputs.begin(), outputs.end(), store.value) - outputs.begin();
      return place < outputs.size() && unstored[place];
    });
  }
  Trial trial;
  trial.nodes = built->nodes;
  trial.launch = launch_shape(group, *built);  // before the cost, which puts rows in phases
  trial.blocks = built->map && built->map->block != 0;
  trial.cost = cost_of(group, &*built);
  trial.too_long = built->too_long;
  return trial;
}

std::optional<Grouper::Trial> Grouper::tried(const Group& group, int64_t most_nodes,
                                             const std::vector<bool>& unstored) {
  constexpr size_t kMostForms = 8;  // that are told apart by their values alone
  if (group.own != nullptr || group.host_loop) return try_to_build(group, most_nodes, unstored);
  const RowExtents rows = group.row.value_or(RowExtents{});
  const size_t form = llvm::hash_combine(form_hash(group.values), group.row.has_value(), rows.rows, rows.columns,
                                         rows.inner, group.scan, group.contract, most_nodes);
  const auto [known, fresh] = known_trials_.try_emplace(form);
  if (fresh) return try_to_build(group, most_nodes, unstored);
  for (const KnownTrial& before : known->second) {
    if (before.most_nodes == most_nodes && before.unstored == unstored && same_form(before.values, group.values))
      return before.trial;
  }
  std::optional<Trial> trial = try_to_build(group, most_nodes, unstored);
  // Steps ahead are those of loops of this very group.
  const bool of_any = !trial || trial->launch->ahead.empty();
  if (of_any && known->second.size() < kMostForms) known->second.push_back({group.values, most_nodes, unstored, trial});
  return trial;
}

// As rows that every thread would repeat, if the group can be one of those.
std::optional<Grouper::Trial> Grouper::tried_short_rows(Group* group, int64_t most_nodes,
                                                        const std::vector<bool>& unstored) {
  if (!take_short_rows(group)) return std::nullopt;
  std::optional<Trial> trial = tried(*group, most_nodes, unstored);
  if (!trial) group->row.reset();
  return trial;
}

}  // namespace sinter
