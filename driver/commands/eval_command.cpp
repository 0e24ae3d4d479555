// sinter eval: run HLO text in the reference evaluator.
#include <CLI/CLI.hpp>

#include "driver/commands/case.h"
#include "driver/commands/command.h"
#include "driver/commands/line/help_format.h"
#include "driver/system/parallel.h"
#include "driver/tensors/sized_arrays.h"
#include "driver/tensors/tensors.h"
#include "ir/evaluate/evaluate.h"

namespace sinter {

RunResult run_evaluator(const RunRequest& request) {
  Diagnostics diagnostics(request.source);
  std::optional<Literal> result;
  if (check_evaluable(request.module, diagnostics)) {
    result = evaluate(request.module, pack_arguments(request.module, request.inputs), diagnostics);
  }
  if (!result) return {RunResult::Status::kRefused, {}, diagnostics.render()};
  return {RunResult::Status::kOk, results_there(request.module, request.inputs, flatten(*result)), ""};
}

namespace {

// A batch goes on, whatever happens to one of its modules.
RunResult run_guarded(const RunRequest& request) {
  try {
    return run_evaluator(request);
  } catch (const std::exception& bug) {
    return {RunResult::Status::kBug, {}, std::string("internal error: ") + bug.what() + "\n"};
  }
}

std::vector<RunResult> run_all(const std::vector<RunRequest>& requests) {
  std::vector<RunResult> results(requests.size());
  for_each_parallel(requests.size(), [&](size_t i) { results[i] = run_guarded(requests[i]); });
  return results;
}

}  // namespace

void add_eval_command(CLI::App& app, int& status) {
  auto options = std::make_shared<CaseOptions>();
  auto elided = std::make_shared<std::string>();
  auto grain = std::make_shared<GrainFlags>();
  CLI::App* command = app.add_subcommand("eval", "run HLO text in the reference evaluator");
  add_case_options(*command, *options);
  add_grain_flags(*command, *grain);
  add_elided_flag(*command, *elided);
  add_example(*command, "sinter eval softmax.hlo --inputs in.safetensors -o out.safetensors");
  command->callback([options, elided, grain, &status] {
    options->elided = elided_by_name(*elided);
    if (!to_choice(*grain, options->grain)) {
      status = kCallWrong;
      return;
    }
    status = run_case(*options, {run_evaluator, run_all});
  });
}

}  // namespace sinter
