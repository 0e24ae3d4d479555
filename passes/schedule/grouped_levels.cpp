#include "passes/schedule/grouped_levels.h"

namespace sinter {

std::optional<LevelGroups> GroupedLevels::group(const LevelContext& level, const Moves& moves, const Gpu* gpu,
                                                Diagnostics& diagnostics) {
  const auto of_level = [&](const Values& loops) {
    Values own = loops;
    std::erase_if(own, [&](const Instruction* loop) { return loop->parent() != level.computation; });
    return own;
  };
  const Place place = {level.computation, level.host_loop, level.updates_in_place, level.counters, level.counter_trip};
  const std::tuple key = {place,
                          level.one_launch,
                          gpu == nullptr ? 0 : gpu->launch_us,
                          of_level(level.host_loops),
                          of_level(level.grid_loops),
                          level.apart};
  if (const auto known = grouped_.find(key); known != grouped_.end()) return known->second;
  std::optional<LevelGroups> groups = group_values(level, moves, gpu, diagnostics, &tried_[place]);
  if (groups) grouped_.emplace(key, *groups);
  return groups;
}

}  // namespace sinter
