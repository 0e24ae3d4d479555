#include "passes/schedule/try_loops.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "passes/analysis/values/hardware.h"
#include "passes/schedule/home_chooser.h"

namespace sinter {

namespace {

// Outermost loops of kernels whose steps the host could launch in less than `us`, in the order of the tree. A loop
// whose steps need nothing of one another, all of which threads make at once, where launches take little of that: a
// step may be a product, of which tiles make better use.
std::vector<std::string> loops_worth_trying(const std::vector<TreeNode>& items, const Gpu& gpu, double us) {
  std::vector<std::string> loops;
  for (const TreeNode& item : items) {
    const bool of_kernel = item.kind == TreeNode::Kind::kLoop && !holds_kernels(item);
    if (!of_kernel) {
      for (const std::vector<TreeNode>& body : item.bodies) {
        for (std::string& loop : loops_worth_trying(body, gpu, us)) loops.push_back(std::move(loop));
      }
    } else if (item.trip) {
      constexpr double kLittle = 0.25;
      const double share = item.scope == Scope::kMap ? kLittle : 1;
      if (static_cast<double>(*item.trip) * gpu.launch_us < share * us) loops.push_back(item.name);
    }
  }
  return loops;
}

// Outermost loops of the host that hold nothing but kernels and such loops, whose launches take some of `us`,
// in the order of the tree.
std::vector<std::string> loops_worth_joining(const std::vector<TreeNode>& items, const Gpu& gpu, double us) {
  constexpr double kShare = 0.03;
  const auto count_launches = [](const auto& self, const TreeNode& item) -> double {  // infinite: no
    if (item.kind == TreeNode::Kind::kKernel) return 1;
    if (item.kind != TreeNode::Kind::kLoop || item.scope != Scope::kHost) {
      return std::numeric_limits<double>::infinity();
    }
    double inside = item.trip ? 0 : 1;  // what decides is read back
    for (const TreeNode& inner : item.body()) inside += self(self, inner);
    return inside * static_cast<double>(item.trip.value_or(1));
  };
  std::vector<std::string> loops;
  for (const TreeNode& item : items) {
    const bool of_host = item.kind == TreeNode::Kind::kLoop && item.scope == Scope::kHost;
    const double launches = of_host ? count_launches(count_launches, item) : 0;
    const bool joins = std::isfinite(launches);
    if (of_host && joins && launches > 1 && launches * gpu.launch_us > kShare * us) loops.push_back(item.name);
    if (item.kind == TreeNode::Kind::kKernel || (of_host && joins)) continue;
    for (const std::vector<TreeNode>& body : item.bodies) {
      for (std::string& loop : loops_worth_joining(body, gpu, us)) loops.push_back(std::move(loop));
    }
  }
  return loops;
}

// The loops that the steps of one loop are made of, and how many steps all of them have together.
struct LoopsInside {
  std::vector<std::string> names;  // outermost first
  double steps = 0;                // infinite: of one it is not known
};

void add_loops(const TreeNode& loop, double steps, LoopsInside* all) {
  for (const std::vector<TreeNode>& body : loop.bodies) {
    for (const TreeNode& item : body) {
      if (item.kind != TreeNode::Kind::kLoop) continue;
      const double trip = item.trip ? static_cast<double>(*item.trip) : HUGE_VAL;
      all->names.push_back(item.name);
      all->steps += steps * trip;
      add_loops(item, steps * trip, all);
    }
  }
}

LoopsInside loops_inside(const std::vector<TreeNode>& items, const std::string& loop) {
  LoopsInside all;
  for (const TreeNode& item : items) {
    if (item.kind == TreeNode::Kind::kLoop && item.name == loop) {
      add_loops(item, item.trip ? static_cast<double>(*item.trip) : HUGE_VAL, &all);
      return all;
    }
    for (const std::vector<TreeNode>& body : item.bodies) {
      all = loops_inside(body, loop);
      if (!all.names.empty()) return all;
    }
  }
  return all;
}

// Whether all kernels of a loop have rows that are shared by a warp, or a block, each.
bool has_rows_alone(const std::vector<TreeNode>& items, const std::string& loop, Tier tier, bool inside) {
  return std::ranges::all_of(items, [&](const TreeNode& item) {
    if (item.kind == TreeNode::Kind::kKernel) return !inside || row_tier(item) == tier;
    const bool in_loop = inside || item.name == loop;
    return std::ranges::all_of(item.bodies,
                               [&](const auto& body) { return has_rows_alone(body, loop, tier, in_loop); });
  });
}

// Tries loops run by somebody else, one after the other, in place of `best`.
class LoopTrials {
 public:
  LoopTrials(const Module& module, const std::string& program, const ScheduleOptions& options,
             const Diagnostics& diagnostics, GroupedLevels* levels, Schedule* best)
      : module_(module),
        program_(program),
        options_(options),
        diagnostics_(diagnostics),
        levels_(*levels),
        best_(*best) {}

  // A loop whose steps are more than its kernel's threads have time for is the host's: each step has kernels of its
  // own, with all threads that there is work for.
  void try_host() {
    try_each(loops_worth_trying, [&](const Instruction* loop) {
      LoopChoice trial = chosen_;
      trial.host.insert(loop);
      take_if_faster(trial, 0.95);
      if (chosen_.host.contains(loop)) return;
      // Its steps may be loops that take all of the time.
      const LoopsInside inner = loops_inside(best_.tree.items, loop->name);
      if (inner.names.empty() || inner.steps * options_.gpu->launch_us > *us_) return;
      for (const std::string& name : inner.names) trial.host.insert(names_.at(name));
      take_if_faster(trial, 0.95);
    });
  }

  // The steps of a loop of the host are one launch, whose blocks wait for one another, where that takes less time than
  // to launch them.
  void try_grid() {
    try_each(loops_worth_joining, [&](const Instruction* loop) {
      const auto try_form = [&](const GridLoop& form, double worthwhile) {
        LoopChoice trial = chosen_;
        trial.grid[loop] = form;
        return take_if_faster(trial, worthwhile);
      };
      const int64_t needed = try_form({}, kWorthJoining);
      // Products have a form of either size, and one that takes less time.
      if (needed != 0) try_form({.block = needed}, chosen_.grid.count(loop) > 0 ? 1 : kWorthJoining);
      // Where steps multiply with what none of them changes. Blocks of products have that many threads.
      try_form({.keeps_weights = true}, kWorthJoining);
      // Of few rows a warp each leaves most multiprocessors without one.
      if (chosen_.grid.count(loop) > 0 && has_rows_alone(best_.tree.items, loop->name, Tier::kWarp, false))
        try_form({.block_rows = true, .keeps_weights = chosen_.grid[loop].keeps_weights}, kWorthBlocks);
      // What a step takes longest is its rows, of which each block has one.
      if (chosen_.grid.count(loop) == 0 || !has_rows_alone(best_.tree.items, loop->name, Tier::kBlock, false)) return;
      GridLoop largest = chosen_.grid[loop];
      largest.block = kMostThreads;
      try_form(largest, kWorthJoining);
    });
  }

 private:
  static constexpr double kWorthJoining = 0.98;
  static constexpr double kWorthBlocks = 0.9;  // more of them wait for one another, if rows are not apart
  using LoopFinder = std::vector<std::string> (*)(const std::vector<TreeNode>& items, const Gpu& gpu, double us);

  void try_each(LoopFinder find, const std::function<void(const Instruction*)>& attempt) {
    constexpr size_t kMostTrials = 4, kMostLowered = 4096;  // instructions, of all trials
    std::set<std::string> tried;
    const auto found = [&](double us) { return find(best_.tree.items, *options_.gpu, us); };
    for (size_t trials = trials_of(module_, kMostTrials, kMostLowered); trials > 0; --trials) {
      if (!us_) {
        if (found(0).empty() && found(std::numeric_limits<double>::infinity()).empty()) return;
        us_ = options_.predicted_us(&best_.tree);
        if (!us_) return;
      }
      const Instruction* next = nullptr;
      for (const std::string& loop : found(*us_)) {
        if (!tried.insert(loop).second) continue;
        if (names_.empty()) names_ = instructions_by_name(module_);
        next = names_.at(loop);
        break;
      }
      if (next == nullptr) return;
      attempt(next);
    }
  }

  // `worthwhile`: of the time without. The size of blocks that may do better, or are needed, if there is such a one.
  int64_t take_if_faster(const LoopChoice& loops, double worthwhile) {
    Diagnostics unheard(diagnostics_.source());
    HomeChooser chooser(module_, program_, options_, unheard, &levels_, loops);
    std::optional<Schedule> trial = chooser.run();
    const int64_t needed = chooser.needed_block();
    if (!trial) return needed;
    const std::optional<double> us = options_.predicted_us(&trial->tree);
    if (!us || *us > worthwhile * *us_) return needed;
    best_ = std::move(*trial);
    us_ = us;
    chosen_ = loops;
    return needed;
  }

  const Module& module_;
  const std::string& program_;
  const ScheduleOptions& options_;
  const Diagnostics& diagnostics_;
  GroupedLevels& levels_;
  Schedule& best_;
  std::optional<double> us_;  // of the best, once that is asked for
  InstructionsByName names_;  // once there is a loop to try
  LoopChoice chosen_;
};

}  // namespace

void try_loops(const Module& module, const std::string& program_name, const ScheduleOptions& options,
               const Diagnostics& diagnostics, GroupedLevels* levels, Schedule* best) {
  LoopTrials trials(module, program_name, options, diagnostics, levels, best);
  if (options.moves.loop_kernels) trials.try_host();
  if (options.moves.grid_loops) trials.try_grid();
}

}  // namespace sinter
