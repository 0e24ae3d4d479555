#include "passes/schedule/moves/last_block.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/per_element.h"

namespace sinter {

namespace {

// Kernels that one launch computed side by side, and that come one after the other then.
constexpr size_t kMostAtOnce = 3;
// Blocks that count themselves in one place, one after the other, where no cost says what that takes.
constexpr int64_t kMostCountedUnasked = 2048;
// Steps of a row's threads that take as long as a launch.
constexpr int64_t kStepsOfALaunch = 64;
// Cycles of a launch; of an element, until what it reads is there, and for each operation.
constexpr int64_t kLaunchCycles = 4000, kReadCycles = 300, kOperationCycles = 4;

// What groups need of a launch, told once.
using Parts = std::vector<std::optional<LaunchPart>>;

int64_t block_of(const SharedLaunch& launch, const std::vector<Group>& groups, const Parts& parts) {
  if (launch.block > 0) return launch.block;
  const size_t group = launch.groups[0];
  return parts[group]->block > 0 ? parts[group]->block : groups[group].launch->block;
}

std::vector<int64_t> blocks_of(const SharedLaunch& launch, const std::vector<Group>& groups, const Parts& parts) {
  if (launch.block > 0) return launch.blocks;
  const size_t group = launch.groups[0];
  return {parts[group]->block > 0 ? parts[group]->blocks : groups[group].launch->grid};
}

// Of rows of a few lanes some lanes of a warp may leave, and others wait for them in a shuffle, which is no place to be
// when a barrier follows.
bool leaves_in_warps(const LaunchPart& part) { return part.together == 1 || part.together == kWarp; }

// Whether all blocks of a launch are told apart by one number, and may have more to compute.
bool has_last_block(const SharedLaunch& launch, const Parts& parts) {
  return std::ranges::all_of(launch.groups, [&](size_t g) { return parts[g] && leaves_in_warps(*parts[g]); });
}

// Whether one block goes through all elements of a map in no more time than a launch takes: each is some operations on
// few others.
bool is_short(const Group& group, int64_t steps) {
  int64_t cycles = kReadCycles;
  for (const Instruction* value : group.values.context.computed) {
    const Family family = family_of(*value);
    if (family != Family::kElementwise && family != Family::kIndexMap) return false;
    cycles += kOperationCycles * operation_cost(*value);
  }
  return steps * cycles <= kLaunchCycles;
}

// Whether one block of so many threads computes the group, in little more time than its own launch would.
bool fits_block(const Group& group, const std::optional<LaunchPart>& part, int64_t block) {
  if (!part || part->loops || !leaves_in_warps(*part)) return false;
  if (part->block == 0) {
    if (part->together > 1) return part->threads <= block && block % kWarp == 0;
    return part->threads <= block || (!group.form.rows && is_short(group, ceil_div(part->threads, block)));
  }
  if (part->blocks != 1) return false;
  if (!group.form.rows) return part->block == block;
  const int64_t columns = group.form.rows->columns;
  const bool across = group.launch->tier == Tier::kAcross;
  const int64_t own = across ? part->block / kWarp : part->block, given = across ? block / kWarp : block;
  return block % kWarp == 0 && given > 1 && columns / given - columns / own <= kStepsOfALaunch;
}

std::vector<size_t> all_groups(const SharedLaunch& launch) {
  std::vector<size_t> all = launch.groups;
  all.insert(all.end(), launch.last.begin(), launch.last.end());
  return all;
}

class LastBlocks {
 public:
  LastBlocks(const std::vector<Group>& groups, const std::vector<GroupArrays>& arrays, const Gpu* gpu)
      : groups_(groups), arrays_(arrays), gpu_(gpu) {
    for (const Group& group : groups) parts_.push_back(launch_part(group));
  }

  std::vector<SharedLaunch> run(std::vector<SharedLaunch> launches) {
    for (SharedLaunch& launch : launches) {
      const std::optional<Home> home = home_of(launch);
      if (home) {
        SharedLaunch& other = result_[home->launch];
        other.blocks = blocks_of(other, groups_, parts_);
        other.block = home->block;
        other.last.insert(other.last.end(), launch.groups.begin(), launch.groups.end());
      } else {
        result_.push_back(std::move(launch));
      }
      const size_t place = home ? home->launch : result_.size() - 1;
      for (const size_t g : all_groups(result_[place])) {
        for (const Instruction* output : groups_[g].values.outputs) launch_of_.emplace(output, place);
      }
    }
    return std::move(result_);
  }

 private:
  struct Home {
    size_t launch = 0;  // position
    int64_t block = 0;  // threads that its blocks have then
  };

  // The launch whose last block can compute all of this one: the last of those that it waits for.
  std::optional<Home> home_of(const SharedLaunch& launch) const {
    std::optional<size_t> home;
    for (const size_t g : launch.groups) {
      for (const Instruction* array : arrays_[g].reads) {
        const auto made = launch_of_.find(array);
        if (made != launch_of_.end()) home = std::max(home.value_or(0), made->second);
      }
    }
    if (!home) return std::nullopt;
    const SharedLaunch& other = result_[*home];
    if (launch.groups.size() > kMostAtOnce || !has_last_block(other, parts_)) return std::nullopt;
    const int64_t block = block_for(other, launch);
    std::vector<size_t> parts = all_groups(other);
    parts.insert(parts.end(), launch.groups.begin(), launch.groups.end());
    size_t pointers = 1;
    for (const size_t g : parts) pointers += arrays_[g].reads.size() + groups_[g].values.outputs.size();
    if (parts.size() > kMostParts || pointers > kMostPointers) return std::nullopt;
    const bool fits = std::all_of(launch.groups.begin(), launch.groups.end(), [&](size_t g) {
      return fits_block(groups_[g], parts_[g], block) && !is_overwritten(g, other) && !overwrites(g, *home + 1);
    });
    return fits && is_worth(other, launch, block) ? std::optional<Home>({*home, block}) : std::nullopt;
  }

  // Of a launch; unset where one of its groups has no cost.
  std::optional<LaunchCost> cost_of(const SharedLaunch& launch) const {
    std::optional<LaunchCost> cost;
    for (const size_t g : launch.groups) {
      if (!groups_[g].cost) return std::nullopt;
      cost = cost ? side_by_side(*cost, *groups_[g].cost) : groups_[g].cost;
    }
    return add_last(std::move(cost), launch.last, launch.block);
  }

  // Blocks of so many threads do what was made for others.
  std::optional<LaunchCost> add_last(std::optional<LaunchCost> cost, const std::vector<size_t>& last,
                                     int64_t block) const {
    for (const size_t g : last) {
      if (!groups_[g].cost) return std::nullopt;
      LaunchCost in_turn = *groups_[g].cost;
      const LaunchPart& part = *parts_[g];
      if (part.block == 0) {
        in_turn.launch.blocks = ceil_div(part.threads, block);
      } else if (part.block > block) {
        in_turn.work.chain *= static_cast<double>(part.block) / static_cast<double>(block);
      }
      cost = one_after_the_other(*cost, in_turn);
    }
    return cost;
  }

  // Whether a launch that ends with another takes no longer than both.
  bool is_worth(const SharedLaunch& other, const SharedLaunch& launch, int64_t block) const {
    const std::optional<LaunchCost> first = cost_of(other), then = cost_of(launch);
    if (gpu_ == nullptr || !first || !then) {
      const std::vector<int64_t> blocks = blocks_of(other, groups_, parts_);
      return std::accumulate(blocks.begin(), blocks.end(), int64_t{0}) <= kMostCountedUnasked;
    }
    const std::optional<LaunchCost> together = add_last(first, launch.groups, block);
    return !is_slower(predicted_us(*together, *gpu_), predicted_us(*first, *gpu_) + predicted_us(*then, *gpu_));
  }

  // Threads of the blocks of `other`, if it also computes `launch`: as many as now, or of a single block the larger
  // number.
  int64_t block_for(const SharedLaunch& other, const SharedLaunch& launch) const {
    const int64_t own = block_of(other, groups_, parts_);
    const std::vector<int64_t> blocks = blocks_of(other, groups_, parts_);
    if (std::accumulate(blocks.begin(), blocks.end(), int64_t{0}) > 1) return own;
    int64_t larger = own;
    for (const size_t g : launch.groups) {
      if (parts_[g]) larger = std::max(larger, block_of({.groups = {g}}, groups_, parts_));
    }
    const std::vector<size_t> all = all_groups(other);
    const bool fits =
        std::all_of(all.begin(), all.end(), [&](size_t g) { return fits_block(groups_[g], parts_[g], larger); });
    return fits ? larger : own;
  }

  // Whether a launch writes over what a group reads.
  bool is_overwritten(size_t group, const SharedLaunch& launch) const {
    const std::vector<size_t> before = all_groups(launch);
    return std::any_of(before.begin(), before.end(),
                       [&](size_t g) { return meets(arrays_[g].writes, arrays_[group].reads); });
  }

  // Whether a group writes over what launches from `first` on read.
  bool overwrites(size_t group, size_t first) const {
    for (size_t l = first; l < result_.size() && !arrays_[group].writes.empty(); ++l) {
      for (const size_t g : all_groups(result_[l])) {
        if (meets(arrays_[group].writes, arrays_[g].reads)) return true;
      }
    }
    return false;
  }

  const std::vector<Group>& groups_;
  const std::vector<GroupArrays>& arrays_;
  const Gpu* gpu_;
  Parts parts_;
  std::vector<SharedLaunch> result_;
  std::map<const Instruction*, size_t> launch_of_;  // that stores an array
};

}  // namespace

std::vector<SharedLaunch> compute_in_last_blocks(const std::vector<Group>& groups,
                                                 const std::vector<GroupArrays>& arrays, const Gpu* gpu,
                                                 std::vector<SharedLaunch> launches) {
  return LastBlocks(groups, arrays, gpu).run(std::move(launches));
}

}  // namespace sinter
