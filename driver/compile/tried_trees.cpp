#include "driver/compile/tried_trees.h"

#include <utility>

#include "driver/compile/plan_report.h"
#include "ir/support/diagnostics.h"

namespace sinter {

Weight weight_of(const Program& program, const Gpu& gpu) {
  return {predicted_once_us(program, gpu), program.plan.arena_bytes};
}

namespace {

// NOLINTNEXTLINE(misc-no-recursion): as deep as the tree
void clear_names_of_kernels(std::vector<TreeNode>* items) {
  for (TreeNode& item : *items) {
    if (item.kind == TreeNode::Kind::kKernel) item.name.clear();
    for (std::string& part : item.parts) part.clear();
    for (std::vector<TreeNode>& body : item.bodies) clear_names_of_kernels(&body);
  }
}

}  // namespace

std::string text_without_names(Tree tree) {
  clear_names_of_kernels(&tree.items);
  return print(tree);
}

std::optional<double> try_tree(const Module& module, Tree* tree, const Gpu& gpu, TriedTrees* tried) {
  const std::string text = print(*tree);
  if (const auto before = tried->as_tried.find(text); before != tried->as_tried.end()) {
    tree->items = before->second.items;
    return before->second.us;
  }
  const Source nowhere;
  Diagnostics why_not(nowhere);
  std::optional<double> us;
  tried->stages.begin_trial();
  std::optional<Program> program = lower(module, tree, tree->name, why_not, &tried->stages);
  const bool has_other_names = tried->stages.end_trial();
  if (program && why_not.ok()) {
    fill_in_grids(*program, tree);
    const Weight weight = weight_of(*program, gpu);
    us = weight.us;
    tried->weights.insert_or_assign(text_without_names(*tree), weight);
    const std::string filled = print(*tree);
    tried->as_tried.insert_or_assign(filled, TriedTrees::Tried{tree->items, us});
    if (!has_other_names) tried->programs.insert_or_assign(filled, std::move(*program));
  }
  tried->as_tried.insert_or_assign(text, TriedTrees::Tried{tree->items, us});
  return us;
}

}  // namespace sinter
