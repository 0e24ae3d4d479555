#include "passes/schedule/share_launches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "passes/schedule/launch_shape.h"
#include "passes/schedule/scan_tile.h"
#include "passes/schedule/topological_order.h"

namespace sinter {

namespace {

constexpr size_t kMostParts = 64;
// Pointers that a launch passes: 8 bytes each, of the 4 KiB that every device takes.
constexpr size_t kMostPointers = 480;
// A larger block leaves its threads too few registers for all that a launch computes.
constexpr int64_t kLargestBlock = 256;

// What a group asks of a launch.
struct Part {
  int64_t threads = 0;   // in all, if any block will do, ...
  int64_t together = 1;  // ... of which so many stay in one block
  int64_t block = 0;     // else the block that it needs, ...
  int64_t blocks = 0;    // ... and how many of them
  bool shares = false;   // its launch with others
};

Part part_of(const Group& group) {
  Part part;
  if (group.host_loop || group.own != nullptr || group.contract) return part;
  const auto is_empty = [](const Instruction* output) { return output->shape.element_count() == 0; };
  const std::vector<const Instruction*>& outputs = group.values.outputs;
  if (std::any_of(outputs.begin(), outputs.end(), is_empty)) return part;
  for (const Instruction* value : group.values.context.computed) {
    if (value->opcode == Opcode::kWhile) return part;  // may have many registers
    if (!group.scan || !is_scan(*value)) continue;
    const ScanTile tile = scan_tile(*value);
    if (tile.tiles > 1) return part;  // two launches, one after the other
    part.block = tile.threads;
    part.blocks = tile.blocks;
  }
  if (group.row) {
    const LaunchShape& shape = *group.launch;
    if (shape.tier == "block" || shape.tier == "across") {
      part.block = shape.block;
      part.blocks = shape.grid;
    } else {
      part.together = threads_a_row(shape.tier, group.row->columns, shape.block);
      part.threads = group.row->rows * part.together;
    }
  } else if (!group.scan) {
    part.threads = group.launch->threads;
  }
  part.shares = part.block <= kLargestBlock;
  return part;
}

class LaunchSharer {
 public:
  LaunchSharer(const Module& module, const std::vector<Group>& groups) : groups_(groups) {
    const LevelContext entry = level_context(*module.entry(), nullptr);
    const std::vector<const Instruction*> results = level_results(entry);
    for (const Alias& alias : module.input_output_alias) {
      const size_t output = alias.output_index.empty() ? 0 : static_cast<size_t>(alias.output_index[0]);
      const std::vector<Instruction*> parameters = module.entry()->parameters();
      if (output >= results.size() || alias.parameter >= static_cast<int64_t>(parameters.size())) continue;
      written_over_[results[output]].insert(parameters[alias.parameter]);
    }
  }

  std::vector<SharedLaunch> run() {
    std::map<const Instruction*, size_t> launch_of;  // that stores an array
    size_t first = 0;                                // launches before the host's last own step are closed
    for (const size_t g : in_order()) {
      const Part part = part_of(groups_[g]);
      const std::set<const Instruction*>&reads = reads_[g], &writes = writes_[g];
      size_t earliest = first;
      for (const Instruction* array : reads) {
        const auto made = launch_of.find(array);
        if (made != launch_of.end()) earliest = std::max(earliest, made->second + 1);
      }
      for (size_t l = 0; l < open_.size(); ++l) {
        if (meets(writes, open_[l].reads)) earliest = std::max(earliest, l + 1);
      }
      size_t home = earliest;
      while (home < open_.size() && !fits(open_[home], part, reads, writes)) ++home;
      if (groups_[g].host_loop) home = open_.size();
      if (home >= open_.size()) {
        home = open_.size();
        open_.emplace_back();
      }
      add(g, part, reads, writes, &open_[home]);
      for (const Instruction* output : groups_[g].values.outputs) launch_of.emplace(output, home);
      if (groups_[g].host_loop) first = open_.size();
    }
    std::vector<SharedLaunch> result;
    for (Open& open : open_) result.push_back(finish(open));
    return result;
  }

 private:
  struct Open {
    std::vector<size_t> groups;
    std::vector<Part> parts;
    std::set<const Instruction*> reads, writes;  // arrays read; parameters whose memory is written
    size_t pointers = 0;
  };

  static bool meets(const std::set<const Instruction*>& a, const std::set<const Instruction*>& b) {
    return std::any_of(a.begin(), a.end(), [&](const Instruction* value) { return b.count(value) > 0; });
  }

  // Each after those it reads; and, which saves a copy, after those that read what it writes over.
  std::vector<size_t> in_order() {
    std::map<const Instruction*, size_t> maker;
    std::map<const Instruction*, std::set<size_t>> readers;
    for (size_t g = 0; g < groups_.size(); ++g) {
      reads_.push_back(arrays_read(groups_[g].values.context.computed));
      writes_.push_back(writes_over(groups_[g]));
      for (const Instruction* output : groups_[g].values.outputs) maker.emplace(output, g);
      for (const Instruction* array : reads_[g]) readers[array].insert(g);
    }
    std::vector<Waiting> waiting(groups_.size());
    for (size_t g = 0; g < groups_.size(); ++g) {
      for (const Instruction* array : reads_[g]) {
        const auto made = maker.find(array);
        if (made != maker.end() && made->second != g) waiting[g].after.insert(made->second);
      }
      for (const Instruction* parameter : writes_[g]) {
        waiting[g].rather_after.insert(readers[parameter].begin(), readers[parameter].end());
      }
      waiting[g].rather_after.erase(g);
    }
    return topological_order(waiting);
  }

  std::set<const Instruction*> writes_over(const Group& group) const {
    std::set<const Instruction*> writes;
    for (const Instruction* output : group.values.outputs) {
      const auto found = written_over_.find(output);
      if (found != written_over_.end()) writes.insert(found->second.begin(), found->second.end());
    }
    return writes;
  }

  // No part may write over what another reads: parts run in any order.
  static bool fits(const Open& open, const Part& part, const std::set<const Instruction*>& reads,
                   const std::set<const Instruction*>& writes) {
    if (!part.shares || open.groups.size() >= kMostParts || meets(open.writes, reads) || meets(writes, open.reads)) {
      return false;
    }
    for (const Part& other : open.parts) {
      if (!other.shares || (part.block > 0 && other.block > 0 && part.block != other.block)) return false;
    }
    return open.pointers + reads.size() + 1 <= kMostPointers;
  }

  void add(size_t group, const Part& part, const std::set<const Instruction*>& reads,
           const std::set<const Instruction*>& writes, Open* open) const {
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
    for (const Part& part : open.parts) {
      launch.block = std::max(launch.block, part.block);
      threads += part.threads;
    }
    if (launch.block == 0) {
      launch.block = threads == static_cast<int64_t>(open.parts.size()) ? 1 : map_block(threads);
    }
    for (const Part& part : open.parts) {
      launch.blocks.push_back(part.block > 0 ? part.blocks
                                             : ceil_div(part.threads / part.together, launch.block / part.together));
    }
    return launch;
  }

  const std::vector<Group>& groups_;
  std::map<const Instruction*, std::set<const Instruction*>> written_over_;  // a result, parameters it may replace
  std::vector<std::set<const Instruction*>> reads_, writes_;                 // of each group
  std::vector<Open> open_;
};

}  // namespace

std::vector<SharedLaunch> share_launches(const Module& module, const std::vector<Group>& groups) {
  return LaunchSharer(module, groups).run();
}

}  // namespace sinter
