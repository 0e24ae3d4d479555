// Levels that were grouped: a module is scheduled again for each loop that somebody else is to run, and most levels, or
// most groups of one, are the same each time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "passes/schedule/groups/group_values.h"

namespace sinter {

// Of one module, made with the same moves.
class GroupedLevels {
 public:
  // group_values, or what that gave before.
  std::optional<LevelGroups> group(const LevelContext& level, const Moves& moves, const Gpu* gpu,
                                   Diagnostics& diagnostics);

 private:
  using Values = std::set<const Instruction*>;
  // What a kernel of a level depends on, beside what it computes; of the groups, also whether kernels are launched or
  // wait for one another, who runs its loops, and what stays apart.
  using Place = std::tuple<const Computation*, const Instruction*, Values,
                           std::map<const Instruction*, std::pair<int64_t, int64_t>>, int64_t>;
  std::map<Place, TriedGroups> tried_;
  std::map<std::tuple<Place, bool, double, Values, Values, Values>, LevelGroups> grouped_;
};

}  // namespace sinter
