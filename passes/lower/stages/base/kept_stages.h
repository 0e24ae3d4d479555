// Stages that were lowered, for trees of one module that are tried one after the other: most of their kernels are those
// of the tree before.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "passes/lower/stages/base/lowered_stage.h"

namespace sinter {

class KeptStages {
 public:
  // lower_item, or a copy of what it gave for the same input.
  std::optional<LoweredStage> lower(const StageInput& input, Diagnostics& diagnostics);

 private:
  struct Kept {
    LoweredStage stage;
    std::vector<std::pair<const Instruction*, std::string>> names;  // of the arrays that it is launched with
  };
  std::unordered_map<std::string, Kept> kept_;  // by all that a stage is lowered from
};

}  // namespace sinter
