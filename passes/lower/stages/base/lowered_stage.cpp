#include "passes/lower/stages/base/lowered_stage.h"

namespace sinter {

LoweredStage one_launch(LoweredKernel lowered) {
  LoweredStage stage;
  StageStep step;
  step.arguments = std::move(lowered.arguments);
  step.may_share = std::move(lowered.may_share);
  stage.steps.push_back(std::move(step));
  stage.kernels.push_back(std::move(lowered.kernel));
  stage.scratch = std::move(lowered.scratch);
  return stage;
}

}  // namespace sinter
