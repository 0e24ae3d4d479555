// Levels that were grouped: a module is scheduled again for each loop that somebody else is to run, and most levels, or
// most groups of one, are the same each time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "passes/schedule/groups/group_values.h"

namespace sinter {

// Of one module, made with the same moves.
class GroupedLevels {
 public:
  // `alike`: of other forms of the program; nullptr: there is none.
  GroupedLevels(const Module& module, AlikeGroups* alike)
      : alike_(alike), ids_(alike == nullptr ? nullptr : std::make_shared<const ContentIds>(module)) {}
  // Levels of the same module that are made with other moves, of groups that are alike.
  GroupedLevels with_other_moves() const {
    GroupedLevels others = *this;
    others.grouped_.clear();
    return others;
  }

  // group_values, or what that gave before.
  std::optional<LevelGroups> group(const LevelContext& level, const Moves& moves, const Gpu* gpu,
                                   Diagnostics& diagnostics);

 private:
  using Values = std::set<const Instruction*>;
  // What a kernel of a level depends on, beside what it computes.
  using Place = std::tuple<const Computation*, const Instruction*, Values,
                           std::map<const Instruction*, std::pair<int64_t, int64_t>>, int64_t>;
  // What the groups of a level depend on: that, whether they are one launch, what a launch takes, who runs its loops.
  using Level = std::tuple<Place, bool, double, Values, Values>;
  AlikeGroups* alike_ = nullptr;
  std::shared_ptr<const ContentIds> ids_;
  std::shared_ptr<std::map<Place, TriedGroups>> tried_ = std::make_shared<std::map<Place, TriedGroups>>();
  std::map<Level, LevelGroups> grouped_;
};

}  // namespace sinter
