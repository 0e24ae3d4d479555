#include "passes/lower/stages/base/kept_stages.h"

#include <algorithm>
#include <cstdint>

#include "passes/analysis/values/arrays.h"

namespace sinter {

namespace {

// A copy, if there is one of each kernel.
std::optional<LoweredStage> copy_of(const LoweredStage& stage) {
  LoweredStage copy;
  for (const Kernel& kernel : stage.kernels) {
    std::optional<Kernel> another = kernel.copy();
    if (!another) return std::nullopt;
    copy.kernels.push_back(std::move(*another));
  }
  copy.scratch = stage.scratch;
  copy.steps = stage.steps;
  return copy;
}

class InputText {
 public:
  // Without names: of the kernel, and of what it reads and writes.
  InputText(const StageInput& input, bool has_names) : input_(input), has_names_(has_names) {}

  std::string run() {
    Tree tree;
    tree.items.push_back(input_.node);
    if (!has_names_) tree.items.back().name.clear();
    text_ = print(tree) + input_.schedule + (input_.needed != nullptr ? " runs" : "") + (input_.is_part ? " part" : "");
    const DemandContext& context = input_.values.context;
    number(context.level);
    number(context.computed.size());
    for (const Instruction* value : context.computed) {
      number(value);
      name(value);
      for (const Instruction* operand : array_operands(*value)) name(operand);
    }
    number(context.counters.size());
    for (const auto& [counter, steps] : context.counters) {
      number(counter);
      number(steps.first);
      number(steps.second);
    }
    number(context.counter_trip);
    number(context.updates_in_place.size());
    for (const Instruction* update : context.updates_in_place) number(update);
    for (const Instruction* output : input_.values.outputs) {
      number(output);
      name(output);
    }
    return std::move(text_);
  }

 private:
  // Or a place in memory.
  template <class T>
  void number(T value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void name(const Instruction* value) {
    if (!has_names_) return;
    const auto found = input_.names.find(value);
    number(found == input_.names.end() ? SIZE_MAX : found->second.size());
    if (found != input_.names.end()) text_ += found->second;
  }

  const StageInput& input_;
  const bool has_names_;
  std::string text_;
};

// NOLINTNEXTLINE(misc-no-recursion): as deep as the loops of a stage's steps
void collect_names(const std::vector<StageStep>& steps, const BufferNames& names,
                   std::vector<std::pair<const Instruction*, std::string>>* collected) {
  for (const StageStep& step : steps) {
    for (const StageArgument& argument : step.arguments) {
      const auto found = names.find(argument.value);
      if (found != names.end()) collected->emplace_back(argument.value, found->second);
    }
    collect_names(step.body, names, collected);
  }
}

}  // namespace

std::optional<LoweredStage> KeptStages::lower(const StageInput& input, Diagnostics& diagnostics, bool is_plain) {
  const std::string text = InputText(input, /*has_names=*/true).run();
  if (const auto found = kept_.find(text); found != kept_.end()) {
    const Kept& kept = found->second;
    const bool same_names = std::ranges::all_of(kept.names, [&](const auto& named) {
      const auto name = input.names.find(named.first);
      return name != input.names.end() && name->second == named.second;
    });
    if (same_names) return copy_of(kept.stage);
  }
  std::string without_names;
  if (!is_plain) {
    without_names = InputText(input, /*has_names=*/false).run();
    const auto found = with_any_names_.find(without_names);
    if (any_names_ && found != with_any_names_.end()) {
      if (std::optional<LoweredStage> copy = copy_of(kept_.at(found->second).stage)) {
        copy->kernels[0].name = input.kernel_name("");
        has_other_names_ = true;
        return copy;
      }
    }
  }
  // A name that a second kernel was given depends on what else the program has.
  StageInput asked = input;
  bool names_more = false;
  asked.kernel_name = [&](const std::string& suffix) {
    names_more |= !suffix.empty();
    return input.kernel_name(suffix);
  };
  std::optional<LoweredStage> lowered = lower_item(asked, diagnostics);
  if (!lowered || names_more) return lowered;
  if (std::optional<LoweredStage> copy = copy_of(*lowered)) {
    Kept kept{std::move(*copy), {}};
    collect_names(lowered->steps, input.names, &kept.names);
    kept_.insert_or_assign(text, std::move(kept));
    if (!is_plain && lowered->kernels.size() == 1) with_any_names_.try_emplace(std::move(without_names), text);
  }
  return lowered;
}

}  // namespace sinter
