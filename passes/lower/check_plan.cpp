// A plan file is followed or refused: what it says of storage, distribution, trip counts and grids must be what lowering
// does.
#include <algorithm>

#include "passes/lower/lowering.h"

namespace sinter {

bool Lowering::check_plan() {
  if (tree_.text.empty()) return true;
  bool good = true;
  std::vector<const TreeNode*> left;
  const auto push = [&](const std::vector<TreeNode>& items) {
    for (auto item = items.rbegin(); item != items.rend(); ++item) left.push_back(&*item);
  };
  push(tree_.items);
  while (!left.empty()) {
    const TreeNode& node = *left.back();
    left.pop_back();
    const auto refuse = [&](const std::string& message, const std::string& hint) {
      plan_error(node.loc, "E0403", message, hint);
      good = false;
    };
    if (node.kind == TreeNode::Kind::kExchange) {
      refuse("the exchange of '" + node.values[0].name + "' is not lowered", "exchanges are made as the schedule needs them");
    }
    if (node.kind == TreeNode::Kind::kStage) {
      for (const TreeValue& value : node.values) {
        if (value.storage == Storage::kRegister && value.distribution.kind == Distribution::Kind::kDefault) continue;
        refuse("the home given for '" + value.name + "' is not lowered",
               "values of a stage are in registers, spread as its schedule does; what other kernels read is stored");
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

bool Lowering::check_grid(const TreeNode& node, const Kernel& kernel) {
  if (tree_.text.empty()) return true;
  const int64_t(&grid)[3] = kernel.launch.grid;
  if (std::equal(std::begin(grid), std::end(grid), std::begin(node.grid))) return true;
  std::string needed = std::to_string(grid[0]);
  if (grid[1] != 1 || grid[2] != 1) needed += " x " + std::to_string(grid[1]);
  if (grid[2] != 1) needed += " x " + std::to_string(grid[2]);
  plan_error(node.loc, "E0403", "'" + node.name + "' needs a grid of " + needed + " for its block", "change the block, or the grid to that");
  return false;
}

}  // namespace sinter
