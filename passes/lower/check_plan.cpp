// A plan file is followed or refused: what it says of storage, distribution, trip counts, grids and blocks must be what
// lowering does; every name is a value's; every value that is read or given is computed, and before it is read.
#include <algorithm>

#include "ir/nearest_word.h"
#include "passes/lower/lowering.h"
#include "passes/schedule/value_names.h"

namespace sinter {

namespace {

constexpr int64_t kMaxThreads = 1024;

// The instruction that makes an array; nullptr for parameters, constants and the like.
const Instruction* computed_by(const Instruction* array) {
  const Instruction* maker = maker_of(array);
  return is_plumbing(*maker) ? nullptr : maker;
}

}  // namespace

bool Lowering::check_items(const std::vector<LevelUnit>& units, const LevelItems& level) {
  if (tree_.source == nullptr) return true;
  bool good = true;
  std::map<const Instruction*, size_t> first;  // the first item that computes a value
  for (size_t i = 0; i < units.size(); ++i) {
    for (const Instruction* value : level.computed[i]) first.try_emplace(value, i);
  }
  const auto refuse = [&](Loc loc, const std::string& message) {
    plan_error(loc, "E0406", message, "`sinter explain` prints the plan that computes all");
    good = false;
  };
  for (const auto& [array, readers] : level.readers) {
    const Instruction* maker = computed_by(array);
    if (maker == nullptr) continue;
    const auto made = first.find(maker);
    for (const size_t reader : readers) {
      // Parts of a launch run in any order, but for those of its last block.
      const auto together = [&](size_t a, size_t b) {
        return units[a].launch != nullptr && units[a].launch == units[b].launch && !units[b].last;
      };
      if (made != first.end() && made->second < reader && !together(made->second, reader)) continue;
      const TreeNode& node = *units[reader].node;
      refuse(node.loc, "'" + node.name + "' reads '" + array->name +
                           (made == first.end() ? "', which nothing computes" : "' before it is computed"));
    }
  }
  for (const Instruction* result : level.results) {
    const Instruction* maker = computed_by(result);
    if (maker != nullptr && first.count(maker) == 0) refuse({}, "nothing computes the result '" + result->name + "'");
  }
  return good;
}

bool Lowering::check_plan() {
  if (tree_.source == nullptr) return true;
  bool good = true;
  std::set<std::string> kernels;
  std::vector<const TreeNode*> left;
  const auto push = [&](const std::vector<TreeNode>& items) {
    for (auto item = items.rbegin(); item != items.rend(); ++item) left.push_back(&*item);
  };
  push(tree_.items);
  while (!left.empty()) {
    const TreeNode& node = *left.back();
    left.pop_back();
    const auto refuse = [&](const std::string& message, const std::string& hint) {
      plan_error(node.loc, "E0406", message, hint);
      good = false;
    };
    if (node.kind == TreeNode::Kind::kExchange) {
      refuse("the exchange of '" + node.values[0].name + "' is not lowered",
             "exchanges are made as the schedule needs them");
    }
    if (node.kind == TreeNode::Kind::kKernel) {
      if (split_of(node) != nullptr) good &= check_split(node);
      const int64_t threads = node.block[0] * node.block[1] * node.block[2];
      if (threads < 1 || threads > kMaxThreads) refuse("a block has 1 to 1024 threads", "");
      const std::string beginning = node.name.substr(0, 40);  // what identifier() keeps of a name
      if (is_function(node.name) || identifier(beginning) != beginning) {
        refuse("a kernel cannot be called '" + node.name + "'", "choose a C identifier that C++ and CUDA leave free");
      }
      if (!kernels.insert(node.name).second) refuse("two kernels are called '" + node.name + "'", "");
    }
    if (node.kind == TreeNode::Kind::kStage) {
      for (const TreeValue& value : node.values) {
        if (by_name_.count(value.name) == 0) {
          std::vector<std::string_view> names;
          for (const auto& [name, instruction] : by_name_) names.push_back(name);
          const std::string nearest = nearest_word(value.name, names);
          plan_error(node.loc, "E0405", "no value is called '" + value.name + "'",
                     (nearest.empty() ? "names" : "did you mean '" + nearest + "'? Names") +
                         std::string(" are those `sinter opt` prints"));
          good = false;
        }
        const bool numbers = value.storage == Storage::kShared && node.schedule == "map";
        const bool own = value.distribution.kind == Distribution::Kind::kDefault;
        if (own && (value.storage == Storage::kRegister || numbers)) continue;
        refuse("the home given for '" + value.name + "' is not lowered",
               "values of a stage are in registers, spread as its schedule does; numbers that are the same for all "
               "threads of a `map` may be `shared`; what other kernels read is stored");
      }
    }
    const auto loop = by_name_.find(node.name);
    if (node.kind == TreeNode::Kind::kLoop && loop != by_name_.end() && loop->second->opcode == Opcode::kWhile) {
      const std::optional<int64_t> trip = analyze_while(*loop->second).trip_count;
      if (node.trip != trip) {
        refuse("the loop '" + node.name + "' runs " +
                   (trip ? std::to_string(*trip) + " times" : "until its condition fails"),
               trip ? "write `trip " + std::to_string(*trip) + "`" : "write `while`");
      }
    }
    for (auto body = node.bodies.rbegin(); body != node.bodies.rend(); ++body) push(*body);
  }
  return good;
}

// The parts of a launch divide its blocks, in order; each is a stage that can be of any block.
bool Lowering::check_split(const TreeNode& kernel) {
  const TreeNode& split = *split_of(kernel);
  const auto refuse = [&](const std::string& message, const std::string& hint) {
    plan_error(split.loc, "E0406", message, hint);
    return false;
  };
  const auto is_item = [&](const TreeNode& item) { return &item == &kernel; };
  if (split.ranges.size() > 1 && std::none_of(tree_.items.begin(), tree_.items.end(), is_item)) {
    return refuse("the blocks of '" + kernel.name + "' are divided, inside a loop or branch",
                  "only those of the program's own kernels are");
  }
  if (kernel.body().size() != 1) return refuse("a kernel that is split has nothing else in it", "");
  int64_t next = 0;
  std::set<std::string> names = {kernel.name, "finished", "run_parts"};
  for (size_t i = 0; i < split.bodies.size(); ++i) {
    const bool last = i >= split.ranges.size();
    if (!last && split.ranges[i].first != next)
      return refuse("blocks " + std::to_string(next) + " and on have no part", "");
    if (!last) next = split.ranges[i].second;
    const std::string& part = split.parts[i];
    if (!part.empty() && (is_function(part) || identifier(part) != part || !names.insert(part).second)) {
      return refuse("a part cannot be called '" + part + "'", "choose a C identifier of its own, or none");
    }
    const std::vector<TreeNode>& body = split.bodies[i];
    constexpr std::string_view kKinds[] = {"map", "row(warp)", "row(block)", "row(across)", "scan", "row(lanes)"};
    // Lanes of a warp that have no row leave, and a barrier would follow.
    const auto kinds_end = std::end(kKinds) - (split.ranges.size() < split.bodies.size() ? 1 : 0);
    const bool stages = std::all_of(body.begin(), body.end(), [&](const TreeNode& item) {
      if (item.kind == TreeNode::Kind::kLoop) return item.scope != Scope::kHost && item.scope != Scope::kBlock;
      return item.kind == TreeNode::Kind::kStage &&
             std::find(std::begin(kKinds), kinds_end, item.schedule) != kinds_end;
    });
    if (!stages) return refuse("a part has stages of map, row or scan", "give others a kernel of their own");
  }
  if (kernel.grid[0] != next || kernel.grid[1] != 1 || kernel.grid[2] != 1) {
    return refuse("'" + kernel.name + "' needs a grid of " + std::to_string(next) + " for its parts", "");
  }
  return true;
}

bool Lowering::check_grid(const TreeNode& node, const Kernel& kernel) {
  if (tree_.source == nullptr || node.grid[0] == 0) return true;
  const int64_t(&grid)[3] = kernel.launch.grid;
  if (std::equal(std::begin(grid), std::end(grid), std::begin(node.grid))) return true;
  std::string needed = std::to_string(grid[0]);
  if (grid[1] != 1 || grid[2] != 1) needed += " x " + std::to_string(grid[1]);
  if (grid[2] != 1) needed += " x " + std::to_string(grid[2]);
  plan_error(node.loc, "E0406", "'" + node.name + "' needs a grid of " + needed + " for its block",
             "change the block, or the grid to that or to `auto`");
  return false;
}

}  // namespace sinter
