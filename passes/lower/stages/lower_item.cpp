// A kernel item of the tree becomes a stage of its kind, and what no GPU takes is refused.
#include <algorithm>

#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/lowered_stage.h"
#include "passes/lower/stages/base/stage_checks.h"
#include "passes/lower/stages/stage_lowerings.h"
#include "passes/stages/stage_kind.h"

namespace sinter {

namespace {

// Refuses launches that no GPU takes.
bool check_launches(const LoweredStage& stage, const StageInput& input, Diagnostics& diagnostics) {
  constexpr int64_t kMostBlocks[] = {INT32_MAX, kMostBlocksYZ, kMostBlocksYZ};
  for (const Kernel& kernel : stage.kernels) {
    for (int d = 0; d < 3; ++d) {
      if (kernel.launch.grid[d] <= kMostBlocks[d]) continue;
      diagnostics.error(input.values.outputs[0]->loc, "E0304",
                        "'" + input.values.outputs[0]->name + "' would take a launch of " +
                            std::to_string(kernel.launch.grid[d]) + " blocks along dimension " + std::to_string(d) +
                            ", which may have " + std::to_string(kMostBlocks[d]),
                        "split it into parts");
      return false;
    }
  }
  return true;
}

// The launches of each kernel.
void add_launches(std::vector<StageStep>* steps, std::vector<std::vector<StageStep*>>* launches) {
  for (StageStep& step : *steps) {
    if (step.kind == StageStep::Kind::kLaunch) (*launches)[step.kernel].push_back(&step);
    add_launches(&step.body, launches);
  }
}

// Whether lines of text, which a form has whatever it computes, may name the variable.
bool text_names(const Block& block, const std::string& name) {
  return std::ranges::any_of(block, [&](const Statement& statement) {
    return statement.text.find(name) != std::string::npos || text_names(statement.body, name) ||
           text_names(statement.other, name);
  });
}

bool reads(const Kernel& kernel, const Variable* parameter) {
  return mentions(kernel.body, parameter) || mentions(kernel.body, parameter->name) ||
         text_names(kernel.body, parameter->name);
}

void erase_argument(size_t number, StageStep* launch) {
  launch->arguments.erase(launch->arguments.begin() + static_cast<std::ptrdiff_t>(number));
  std::erase_if(launch->may_share, [&](const auto& pair) { return pair.first == number || pair.second == number; });
  for (auto& [read, written] : launch->may_share) {
    if (read > number) --read;
    if (written > number) --written;
  }
}

// Counters of loops of the host, and arrays, are parameters only where the text has not folded all that reads them away
// (`t >= 0`).
void drop_unread_parameters(LoweredStage* stage) {
  std::vector<std::vector<StageStep*>> launches(stage->kernels.size());
  add_launches(&stage->steps, &launches);
  for (size_t k = 0; k < stage->kernels.size(); ++k) {
    Kernel& kernel = stage->kernels[k];
    for (size_t i = kernel.parameters.size(); i-- > 0;) {
      const StageArgument::Kind kind = launches[k].at(0)->arguments[i].kind;
      const bool given = kind == StageArgument::Kind::kCounter || kind == StageArgument::Kind::kValue;
      const bool is_read = kernel.parameters[i].of_host || reads(kernel, kernel.parameters[i].variable);
      if (!given || kernel.parameters[i].output || is_read) continue;
      kernel.parameters.erase(kernel.parameters.begin() + static_cast<std::ptrdiff_t>(i));
      for (StageStep* launch : launches[k]) erase_argument(i, launch);
    }
  }
}

}  // namespace

std::optional<LoweredStage> lower_item(const StageInput& input, Diagnostics& diagnostics) {
  const StageKind* kind = stage_kind(input.schedule);
  if (kind == nullptr) {
    return refuse(input, "has a stage of an unknown kind: '" + input.schedule + "'", "docs/schedule.md lists the kinds",
                  diagnostics);
  }
  if (!kind->own && (input.node.block[1] != 1 || input.node.block[2] != 1)) {
    return refuse(input, "has threads along one dimension", "write the block as one number", diagnostics);
  }
  const auto all = stage_lowerings();
  const auto row = std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.word == kind->word; });
  check(row != all.end(), "lower", "no lowering for a stage '" + input.schedule + "'");
  std::optional<LoweredStage> stage = row->lower(input, diagnostics);
  if (!stage || !check_launches(*stage, input, diagnostics)) return std::nullopt;
  drop_unread_parameters(&*stage);
  return stage;
}

}  // namespace sinter
