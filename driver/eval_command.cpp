// sinter eval: run HLO text in the reference evaluator.
#include <CLI/CLI.hpp>

#include "driver/case.h"
#include "driver/command.h"
#include "driver/tensors.h"
#include "ir/evaluate.h"

namespace sinter {

std::optional<std::vector<Literal>> run_evaluator(const RunRequest& request, std::string& error) {
  Diagnostics diagnostics(request.source);
  std::optional<Literal> result;
  if (check_evaluable(request.module, diagnostics)) {
    result = evaluate(request.module, pack_arguments(request.module, request.inputs), diagnostics);
  }
  if (!result) {
    error = diagnostics.render();
    return std::nullopt;
  }
  return flatten(*result);
}

void add_eval_command(CLI::App& app, int& status) {
  auto options = std::make_shared<CaseOptions>();
  CLI::App* command = app.add_subcommand("eval", "run HLO text in the reference evaluator");
  add_case_options(*command, *options);
  command->callback([options, &status] { status = run_case(*options, run_evaluator); });
}

}  // namespace sinter
