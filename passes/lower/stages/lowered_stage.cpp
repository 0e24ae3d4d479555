#include "passes/lower/stages/lowered_stage.h"

#include "ir/support/diagnostics.h"
#include "passes/lower/stages/lower_bins.h"
#include "passes/lower/stages/lower_fft.h"
#include "passes/lower/stages/lower_scatter.h"
#include "passes/lower/stages/lower_solve.h"
#include "passes/lower/stages/lower_sort.h"
#include "passes/lower/stages/lower_topk.h"

namespace sinter {

namespace {

struct OwnLowering {
  std::string_view schedule;  // of own_stages.h
  LoweredStage (*lower)(const StageInput& input);
};

constexpr OwnLowering kOwnLowerings[] = {
    {"sort", lower_sort},       {"topk", lower_topk}, {"bins", lower_bins},
    {"scatter", lower_scatter}, {"fft", lower_fft},   {"solve", lower_solve},
};

}  // namespace

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

LoweredStage lower_own_stage(const std::string& schedule, const StageInput& input) {
  for (const OwnLowering& row : kOwnLowerings) {
    if (row.schedule == schedule) return row.lower(input);
  }
  throw InternalError("lower", "no lowering for a stage '" + schedule + "'");
}

}  // namespace sinter
