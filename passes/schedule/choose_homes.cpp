// The schedule of a module: as a plan file has it, or the tree that is predicted to take least time.
#include <algorithm>

#include "ir/support/diagnostics.h"
#include "passes/schedule/groups/updates_in_place.h"
#include "passes/schedule/home_chooser.h"
#include "passes/schedule/schedule.h"
#include "passes/schedule/try_loops.h"

namespace sinter {

namespace {

// Whether kernels of a loop's step update what it carries in place, of which the tree says so.
bool updates_carries(const std::vector<TreeNode>& items, bool in_loop) {
  return std::ranges::any_of(items, [&](const TreeNode& item) {
    const bool inside = in_loop || item.kind == TreeNode::Kind::kLoop;
    const auto updates = [](const TreeValue& value) { return value.in_place; };
    return (inside && std::ranges::any_of(item.values, updates)) ||
           std::ranges::any_of(item.bodies, [&](const auto& body) { return updates_carries(body, inside); });
  });
}

// Whether what updates in place leave of a parameter may be read before the next of them.
bool may_read_between(const Module& module, const Moves& moves) {
  return moves.update_in_place && moves.update_between &&
         donated_updates(module, true).size() != donated_updates(module, false).size();
}

// The schedule by other options, if it takes no more time than `schedule`.
std::optional<Schedule> if_faster(const Module& module, const std::string& program_name, const ScheduleOptions& others,
                                  const Schedule& schedule, GroupedLevels* levels) {
  const Source nowhere;
  Diagnostics unheard(nowhere);
  std::optional<Schedule> anew = HomeChooser(module, program_name, others, unheard, levels).run();
  if (!anew) return std::nullopt;
  Tree tried = schedule.tree;
  const std::optional<double> us = others.predicted_us(&tried), us_anew = others.predicted_us(&anew->tree);
  return us_anew && (!us || *us_anew <= *us) ? std::move(anew) : std::nullopt;
}

}  // namespace

std::shared_ptr<AlikeGroups> make_alike_groups() { return std::make_shared<AlikeGroups>(); }

std::optional<Schedule> choose_homes(const Module& module, const std::string& program_name,
                                     const ScheduleOptions& options, Diagnostics& diagnostics) {
  GroupedLevels levels(module, options.alike.get());
  if (options.plan) {
    Diagnostics of_plan(*options.plan);
    std::optional<Tree> tree = parse_tree(of_plan);
    for (const Diagnostic& error : of_plan.all()) {
      diagnostics.error_in(options.plan, error.loc, error.code, error.message, error.hint);
    }
    if (!tree) return std::nullopt;
    tree->source = options.plan;
    if (tree->name != program_name) {
      plan_error(*tree, tree->loc, "E0405",
                 "the plan is one of '" + tree->name + "', the program is '" + program_name + "'",
                 "--plan takes the plan.txt of the same program; --name gives a program another name", diagnostics);
      return std::nullopt;
    }
    Schedule schedule{std::move(*tree), {}};
    if (options.reasons) {
      Diagnostics unheard(diagnostics.source());
      std::optional<Schedule> chosen = HomeChooser(module, program_name, options, unheard, &levels).run();
      if (chosen) schedule.ledger = std::move(chosen->ledger);
    }
    return schedule;
  }
  std::optional<Schedule> schedule = HomeChooser(module, program_name, options, diagnostics, &levels).run();
  if (!schedule || !options.predicted_us || !options.gpu) return schedule;
  // That a kernel reads what it updates in time is known for certain once it is text.
  if (Tree tried = schedule->tree; updates_carries(tried.items, false) && !options.predicted_us(&tried)) {
    ScheduleOptions anew = options;
    anew.moves.update_in_place = false;
    GroupedLevels levels_anew = levels.with_other_moves();
    schedule = HomeChooser(module, program_name, anew, diagnostics, &levels_anew).run();
    if (schedule) try_loops(module, program_name, anew, diagnostics, &levels_anew, &*schedule);
    return schedule;
  }
  if (may_read_between(module, options.moves)) {
    ScheduleOptions whole = options;
    whole.moves.update_between = false;
    GroupedLevels levels_whole = levels.with_other_moves();
    if (std::optional<Schedule> anew = if_faster(module, program_name, whole, *schedule, &levels_whole)) {
      try_loops(module, program_name, whole, diagnostics, &levels_whole, &*anew);
      return anew;
    }
  }
  try_loops(module, program_name, options, diagnostics, &levels, &*schedule);
  return schedule;
}

}  // namespace sinter
