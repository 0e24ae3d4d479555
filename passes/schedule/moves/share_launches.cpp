#include "passes/schedule/moves/share_launches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/support/topological_order.h"
#include "passes/schedule/groups/updates_in_place.h"
#include "passes/schedule/moves/last_block.h"
#include "passes/schedule/moves/launch_part.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

namespace {

// A larger block leaves its threads too few registers for all that a launch computes.
constexpr int64_t kLargestBlock = 256;

class LaunchSharer {
 public:
  LaunchSharer(const std::vector<Group>& groups, const std::vector<GroupArrays>& arrays, const Gpu* gpu)
      : groups_(groups), arrays_(arrays), gpu_(gpu) {}

  std::vector<SharedLaunch> run() {
    std::map<const Instruction*, size_t> launch_of;  // that stores an array
    size_t first = 0;                                // launches before the host's last own step are closed
    for (const size_t g : in_order()) {
      const std::optional<LaunchPart> part = part_of(groups_[g]);
      const std::set<const Instruction*>&reads = arrays_[g].reads, &writes = arrays_[g].writes;
      size_t earliest = first;
      for (const Instruction* array : reads) {
        const auto made = launch_of.find(array);
        if (made != launch_of.end()) earliest = std::max(earliest, made->second + 1);
      }
      for (size_t l = 0; l < open_.size() && !writes.empty(); ++l) {
        if (meets(writes, open_[l].reads)) earliest = std::max(earliest, l + 1);
      }
      size_t home = part && groups_[g].is_kernel() ? earliest : open_.size();
      while (home < open_.size() &&
             !(fits(open_[home], *part, reads, writes) && is_worth(open_[home], groups_[g], reads)))
        ++home;
      if (home >= open_.size()) {
        home = open_.size();
        open_.emplace_back();
      }
      add(g, part, reads, writes, &open_[home]);
      for (const Instruction* output : groups_[g].values.outputs) launch_of.emplace(output, home);
      if (!groups_[g].is_kernel()) first = open_.size();
    }
    std::vector<SharedLaunch> result;
    for (Open& open : open_) result.push_back(finish(open));
    return result;
  }

 private:
  struct Open {
    std::vector<size_t> groups;
    std::vector<std::optional<LaunchPart>> parts;
    std::set<const Instruction*> reads, writes;  // arrays read; parameters whose memory is written
    size_t pointers = 0;
    std::optional<LaunchCost> cost;  // of all groups; unset where one has none
  };

  // Each after those it reads; and, which saves a copy, after those that read what it writes over.
  std::vector<size_t> in_order() const {
    std::map<const Instruction*, size_t> maker;
    std::map<const Instruction*, std::set<size_t>> readers;
    for (size_t g = 0; g < groups_.size(); ++g) {
      for (const Instruction* output : groups_[g].values.outputs) maker.emplace(output, g);
      for (const Instruction* array : arrays_[g].reads) readers[array].insert(g);
    }
    std::vector<Waiting> waiting(groups_.size());
    for (size_t g = 0; g < groups_.size(); ++g) {
      for (const Instruction* array : arrays_[g].reads) {
        const auto made = maker.find(array);
        if (made != maker.end() && made->second != g) waiting[g].after.insert(made->second);
      }
      for (const Instruction* parameter : arrays_[g].writes) {
        waiting[g].rather_after.insert(readers[parameter].begin(), readers[parameter].end());
      }
      waiting[g].rather_after.erase(g);
    }
    return topological_order(waiting);
  }

  // No part may write over what another reads: parts run in any order.
  static bool fits(const Open& open, const LaunchPart& part, const std::set<const Instruction*>& reads,
                   const std::set<const Instruction*>& writes) {
    if (open.groups.size() >= kMostParts || meets(open.writes, reads) || meets(writes, open.reads)) {
      return false;
    }
    for (const std::optional<LaunchPart>& other : open.parts) {
      if (!other || (part.block > 0 && other->block > 0 && part.block != other->block)) return false;
    }
    return open.pointers + reads.size() + 1 <= kMostPointers;
  }

  // Of one launch of all: what several of them read comes from memory once.
  static LaunchCost together(const Open& open, const LaunchCost& cost, const std::set<const Instruction*>& reads) {
    int64_t both_read = 0;
    for (const Instruction* array : reads) both_read += open.reads.count(array) > 0 ? array->shape.bytes() : 0;
    LaunchCost all = side_by_side(*open.cost, cost);
    all.launch.bytes -= std::min({both_read, open.cost->launch.bytes, cost.launch.bytes});
    return all;
  }

  // Whether one launch of all takes no longer than one more; with a product, whether it takes clearly less: its tiles
  // are large, and what others do beside them the model does not see.
  bool is_worth(const Open& open, const Group& group, const std::set<const Instruction*>& reads) const {
    constexpr double kClearly = 0.95;
    const auto is_product = [](const Group& of) { return of.form.kind->word == kContract; };
    const bool products =
        is_product(group) || std::ranges::any_of(open.groups, [&](size_t g) { return is_product(groups_[g]); });
    if (gpu_ == nullptr || !open.cost || !group.cost) return !products;
    const double one = predicted_us(together(open, *group.cost, reads), *gpu_);
    const double two = predicted_us(*open.cost, *gpu_) + predicted_us(*group.cost, *gpu_);
    return products ? one <= kClearly * two : !is_slower(one, two);
  }

  void add(size_t group, const std::optional<LaunchPart>& part, const std::set<const Instruction*>& reads,
           const std::set<const Instruction*>& writes, Open* open) const {
    const std::optional<LaunchCost>& cost = groups_[group].cost;
    if (open->groups.empty()) {
      open->cost = cost;
    } else {
      open->cost = open->cost && cost ? std::optional(together(*open, *cost, reads)) : std::nullopt;
    }
    open->groups.push_back(group);
    open->parts.push_back(part);
    open->reads.insert(reads.begin(), reads.end());
    open->writes.insert(writes.begin(), writes.end());
    open->pointers += reads.size() + groups_[group].values.outputs.size();
  }

  static SharedLaunch finish(Open& open) {
    SharedLaunch launch = {.groups = std::move(open.groups)};
    if (launch.groups.size() == 1) return launch;
    int64_t threads = 0;
    for (const std::optional<LaunchPart>& part : open.parts) {
      launch.block = std::max(launch.block, part->block);
      threads += part->threads;
    }
    if (launch.block == 0) {
      launch.block = threads == static_cast<int64_t>(open.parts.size()) ? 1 : map_block(threads);
    }
    for (const std::optional<LaunchPart>& part : open.parts) {
      launch.blocks.push_back(
          part->block > 0 ? part->blocks : ceil_div(part->threads / part->together, launch.block / part->together));
    }
    return launch;
  }

  // What may share its launch with others that it needs nothing of.
  static std::optional<LaunchPart> part_of(const Group& group) {
    std::optional<LaunchPart> part = launch_part(group);
    return part && !part->loops && part->block <= kLargestBlock ? part : std::nullopt;
  }

  const std::vector<Group>& groups_;
  const std::vector<GroupArrays>& arrays_;
  const Gpu* gpu_;
  std::vector<Open> open_;
};

}  // namespace

std::map<const Instruction*, std::set<const Instruction*>> find_written_over(const Module& module,
                                                                             const LevelContext& level) {
  std::map<const Instruction*, std::set<const Instruction*>> written_over;  // by a result
  const std::vector<Instruction*> parameters = level.computation->parameters();
  if (level.computation == module.entry()) {
    const std::vector<const Instruction*> results = level_results(level);
    for (const Alias& alias : module.input_output_alias) {
      const size_t output = alias.output_index.empty() ? 0 : static_cast<size_t>(alias.output_index[0]);
      if (output >= results.size() || alias.parameter >= static_cast<int64_t>(parameters.size())) continue;
      written_over[results[output]].insert(parameters[alias.parameter]);
    }
  } else if (level.host_loop != nullptr && level.computation->root()->opcode == Opcode::kTuple) {
    for (const Instruction* state : parameters.at(0)->users()) {
      if (state->opcode != Opcode::kGetTupleElement) continue;
      const Instruction* next = level.computation->root()->operand(*state->attributes->tuple_index);
      written_over[array_value(next)].insert(state);
    }
  }
  // All that was there before an update: the parameter or carry, and what updates and scatters of rows have left of it.
  for (const Instruction* update : level.updates_in_place) {
    std::vector<const Instruction*> over = {update};
    for (const Instruction* array = update; level.updates_in_place.count(array) > 0;) {
      array = array_value(array->operand(0));
      over.push_back(array);
    }
    for (const Instruction* rows : rows_written_before(*update)) {
      over.push_back(rows);
      for (const Instruction* array = rows; array->opcode == Opcode::kScatter || array->opcode == Opcode::kReshape;)
        over.push_back(array = array_value(array->operand(0)));
    }
    for (size_t i = 0; i < over.size(); ++i) written_over[over[i]].insert(over.begin() + i + 1, over.end());
  }
  return written_over;
}

namespace {

std::vector<GroupArrays> arrays_of(const Module& module, const LevelContext& level, const std::vector<Group>& groups) {
  const auto written_over = find_written_over(module, level);
  std::vector<GroupArrays> all;
  for (const Group& group : groups) {
    GroupArrays& arrays = all.emplace_back();
    arrays.reads = arrays_read(group.values.context.computed);
    for (const Instruction* output : group.values.outputs) {
      const auto found = written_over.find(output);
      if (found != written_over.end()) arrays.writes.insert(found->second.begin(), found->second.end());
    }
  }
  return all;
}

}  // namespace

std::vector<SharedLaunch> plan_launches(const Module& module, const LevelContext& level,
                                        const std::vector<Group>& groups, const Moves& moves, const Gpu* gpu) {
  const std::vector<GroupArrays> arrays = arrays_of(module, level, groups);
  std::vector<SharedLaunch> launches;
  if (level.computation == module.entry() && moves.share_launches) {
    launches = LaunchSharer(groups, arrays, gpu).run();
  } else {
    for (size_t g = 0; g < groups.size(); ++g) launches.push_back({.groups = {g}});
  }
  return moves.last_block ? compute_in_last_blocks(groups, arrays, gpu, std::move(launches)) : launches;
}

std::optional<double> predicted_launches(const Module& module, const LevelContext& level,
                                         const std::vector<Group>& groups, const Moves& moves, const Gpu& gpu) {
  const std::vector<GroupArrays> arrays = arrays_of(module, level, groups);
  double us = 0;
  for (const SharedLaunch& launch : plan_launches(module, level, groups, moves, &gpu)) {
    std::optional<LaunchCost> all;
    std::set<const Instruction*> read;
    for (const bool last : {false, true}) {
      for (const size_t g : last ? launch.last : launch.groups) {
        if (!groups[g].is_kernel()) continue;
        if (!groups[g].cost) return std::nullopt;
        LaunchCost cost = *groups[g].cost;
        for (const Instruction* array : arrays[g].reads) {
          if (!read.insert(array).second) cost.launch.bytes -= std::min(cost.launch.bytes, array->shape.bytes());
        }
        all = !all ? cost : last ? one_after_the_other(*all, cost) : side_by_side(*all, cost);
      }
    }
    if (all) us += predicted_us(*all, gpu);
  }
  return us;
}

}  // namespace sinter
