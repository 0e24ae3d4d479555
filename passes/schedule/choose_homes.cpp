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

// The schedule without updates in place of which versions between are read, if that takes less time.
std::optional<Schedule> without_reads_between(const Module& module, const std::string& program_name,
                                              const ScheduleOptions& options, const Schedule& schedule) {
  const Moves& moves = options.moves;
  if (!moves.update_in_place || !moves.update_between) return std::nullopt;
  if (donated_updates(module, true).size() == donated_updates(module, false).size()) return std::nullopt;
  ScheduleOptions whole = options;
  whole.moves.update_between = false;
  GroupedLevels levels;
  const Source nowhere;
  Diagnostics unheard(nowhere);
  std::optional<Schedule> anew = HomeChooser(module, program_name, whole, unheard, &levels).run();
  if (!anew) return std::nullopt;
  Tree tried = schedule.tree;
  const std::optional<double> us = options.predicted_us(&tried), us_anew = options.predicted_us(&anew->tree);
  return us_anew && (!us || *us_anew <= *us) ? std::move(anew) : std::nullopt;
}

}  // namespace

std::optional<Schedule> choose_homes(const Module& module, const std::string& program_name,
                                     const ScheduleOptions& options, Diagnostics& diagnostics) {
  GroupedLevels levels;
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
    GroupedLevels levels_anew;
    schedule = HomeChooser(module, program_name, anew, diagnostics, &levels_anew).run();
    if (schedule) try_loops(module, program_name, anew, diagnostics, &levels_anew, &*schedule);
    return schedule;
  }
  if (std::optional<Schedule> anew = without_reads_between(module, program_name, options, *schedule)) {
    ScheduleOptions whole = options;
    whole.moves.update_between = false;
    GroupedLevels levels_anew;
    try_loops(module, program_name, whole, diagnostics, &levels_anew, &*anew);
    return anew;
  }
  try_loops(module, program_name, options, diagnostics, &levels, &*schedule);
  return schedule;
}

}  // namespace sinter
