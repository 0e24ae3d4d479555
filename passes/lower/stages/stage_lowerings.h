// How each kind of stage is lowered: the other half of the rows of passes/stages/stage_kinds.cpp.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "passes/lower/stages/base/lowered_stage.h"

namespace sinter {

struct StageLowering {
  std::string_view word;  // of the kind
  // A plan file that does not fit is reported.
  std::optional<LoweredStage> (*lower)(const StageInput& input, Diagnostics& diagnostics);
};

// One of each kind.
std::span<const StageLowering> stage_lowerings();

}  // namespace sinter
