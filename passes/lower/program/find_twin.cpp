// Kernels of the program that items yet to be lowered are launches of: those that compute the same, on other arrays. A
// network's layers are lowered once.
#include <algorithm>

#include "passes/analysis/shapes/extents.h"
#include "passes/lower/program/lowering.h"
#include "passes/stages/domain/same_form.h"

namespace sinter {

// `kernel` if an item computes the same as its first one.
std::optional<Twin> Lowering::twin_of(size_t kernel, const TreeNode& node, const std::string& schedule,
                                      const KernelValues& values) const {
  const auto before = sites_.find(kernel);
  if (before == sites_.end() || before->second.schedule != schedule) return std::nullopt;
  const TreeNode& first = before->second.node;
  const bool one_stage = first.body().size() == 1 && node.body().size() == 1;
  if (!one_stage || !std::ranges::equal(first.grid, node.grid) || !std::ranges::equal(first.block, node.block))
    return std::nullopt;
  if (first.body()[0].domain != node.body()[0].domain) return std::nullopt;
  const auto shared = [](const TreeNode& item) {
    std::set<std::string> names;
    for (const TreeValue& value : item.body()[0].values) {
      if (value.shared) names.insert(value.name);
    }
    return names;
  };
  if (shared(first) != shared(node)) return std::nullopt;
  const StageStep& launch = before->second.launches[0];
  const auto is_scratch = [](const StageArgument& argument) { return argument.kind == StageArgument::Kind::kScratch; };
  if (launch.kind != StageStep::Kind::kLaunch || std::ranges::any_of(launch.arguments, is_scratch)) return std::nullopt;
  const auto arrays = same_form(before->second.values, values);
  if (!arrays) return std::nullopt;
  // A launch may have the tiles that a run needs.
  const auto needs_same = [&](const Instruction* one, const Instruction* other) {
    return needed_.of(*one) == needed_.of(*other);
  };
  if (!std::ranges::equal(before->second.values.outputs, values.outputs, needs_same)) return std::nullopt;
  Twin twin = {.kernel = kernel, .stage = {}};
  twin.stage.steps = {launch};
  for (StageArgument& argument : twin.stage.steps[0].arguments) {
    if (argument.kind != StageArgument::Kind::kValue) continue;
    const Instruction* array = arrays->lookup(argument.value);
    // The size of a run is none of the kernel's arrays where only the launch reads it.
    if (array != nullptr || !is_extent(*argument.value)) argument.value = array;
  }
  twin.stage.kernels.emplace_back().launch = program_.kernels[kernel].launch;
  return twin;
}

// Of a part of a launch: the part before it. Of a kernel with a launch to itself: any such kernel.
std::optional<Twin> Lowering::find_twin(const LevelUnit& unit, const std::string& schedule, const KernelValues& values,
                                        const std::vector<HostStep>& steps) const {
  if (unit.launch != nullptr) {
    const std::vector<std::string>& forms = joint_.back().forms;
    if (unit.last || forms.empty() || is_outline(forms.back())) return std::nullopt;
    return twin_of(steps.back().kernel, *unit.node, schedule, values);
  }
  const auto alike = kernels_alike_.find(form_hash(values));
  if (alike == kernels_alike_.end()) return std::nullopt;
  for (const size_t kernel : alike->second) {
    if (std::optional<Twin> twin = twin_of(kernel, *unit.node, schedule, values)) return twin;
  }
  return std::nullopt;
}

// Of all parts of a launch, where an earlier one has the same; none where there is no such launch.
std::vector<Twin> Lowering::find_twins(std::span<const LevelUnit> parts, std::span<const std::string> schedules,
                                       const std::vector<KernelValues>& values) const {
  const auto alike = launches_alike_.find(form_hash(values));
  if (alike == launches_alike_.end()) return {};
  std::vector<Twin> twins;
  for (const size_t launch : alike->second) {
    const std::vector<size_t>& kernels = joint_[launch].kernels;
    if (kernels.size() != parts.size()) continue;
    twins.clear();
    while (twins.size() < parts.size()) {
      const size_t i = twins.size();
      std::optional<Twin> twin = twin_of(kernels[i], *parts[i].node, schedules[i], values[i]);
      if (!twin) break;
      twins.push_back(std::move(*twin));
    }
    if (twins.size() == parts.size()) return twins;
  }
  return {};
}

}  // namespace sinter
