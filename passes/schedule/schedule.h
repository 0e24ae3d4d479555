// Choosing homes: the schedule tree of a module.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"
#include "passes/schedule/cost/gpu.h"
#include "passes/schedule/tree/ledger.h"
#include "passes/schedule/tree/moves.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {

// What is known of the kernels of programs that are alike (groups/group_values.h).
struct AlikeGroups;
std::shared_ptr<AlikeGroups> make_alike_groups();

struct ScheduleOptions {
  std::shared_ptr<const Source> plan;  // a plan file: used as given, checked, never improved
  bool reasons = true;                 // beside a plan file: the ledger of what would have been chosen
  int64_t unroll = 0;                  // 0: by the cost model; n: every loop of thread scope
  Moves moves;
  // That moves are made for, whichever the program is for: what is emitted does not depend on that. Without it no move
  // asks what it costs.
  std::optional<Gpu> gpu;
  // What a run of a tree takes, in microseconds, each loop of an unknown number of steps counted as one; nullopt where
  // the tree cannot be lowered. Grids that were left open are filled in. Without it the moves that try
  // whole trees are not made.
  std::function<std::optional<double>(Tree*)> predicted_us;
  // What is known of groups of other forms of the program that were scheduled for the same GPU; nullptr: there is none.
  std::shared_ptr<AlikeGroups> alike;
};

struct Schedule {
  Tree tree;
  std::vector<LedgerEntry> ledger;
};

// Errors (an op that cannot be scheduled yet, a plan that does not fit) are reported with the instruction's place.
std::optional<Schedule> choose_homes(const Module& module, const std::string& program_name,
                                     const ScheduleOptions& options, Diagnostics& diagnostics);

}  // namespace sinter
