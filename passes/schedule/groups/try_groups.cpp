// What building a group tells. The layers of a network, and the parameters of an optimiser, ask the same again and
// again: what is of one form (same_form.h) is built twice, and known from then on.
#include "llvm/ADT/Hashing.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/stages/domain/same_form.h"

namespace sinter {

Grouper::Trial Grouper::trial_of(const Group& group, Built* built) const {
  Trial trial;
  trial.nodes = built->nodes;
  trial.launch = launch_shape(group, *built);  // before the cost, which puts rows in phases
  trial.cost = cost_of(group, built);
  trial.too_long = built->too_long;
  return trial;
}

std::optional<Grouper::Trial> Grouper::tried(const Group& group, int64_t most_nodes) {
  const auto build_it = [&]() -> std::optional<Trial> {
    std::optional<Built> built = built_of(group, most_nodes);
    return built ? std::optional(trial_of(group, &*built)) : std::nullopt;
  };
  constexpr size_t kMostForms = 8;  // that are told apart by their values alone
  if (group.own != nullptr || group.host_loop) return build_it();
  const RowExtents rows = group.row.value_or(RowExtents{});
  const size_t form = llvm::hash_combine(form_hash(group.values), group.row.has_value(), rows.rows, rows.columns,
                                         rows.inner, group.scan, group.contract, most_nodes);
  const auto [known, fresh] = known_trials_.try_emplace(form);
  if (fresh) return build_it();
  for (const KnownTrial& before : known->second) {
    if (before.most_nodes == most_nodes && same_form(before.values, group.values)) return before.trial;
  }
  std::optional<Trial> trial = build_it();
  // Steps ahead are those of loops of this very group.
  const bool of_any = !trial || trial->launch->ahead.empty();
  if (of_any && known->second.size() < kMostForms) known->second.push_back({group.values, most_nodes, trial});
  return trial;
}

// As rows that every thread would repeat, if the group can be one of those.
std::optional<Grouper::Trial> Grouper::tried_short_rows(Group* group, int64_t most_nodes) {
  if (!take_short_rows(group)) return std::nullopt;
  std::optional<Trial> trial = tried(*group, most_nodes);
  if (!trial) group->row.reset();
  return trial;
}

}  // namespace sinter
