// One program, its inputs, and perhaps what it is expected to compute: what `eval` and `run` do, by either engine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/build/engine.h"
#include "driver/compile/read_module.h"
#include "driver/tensors/compare.h"
#include "driver/weights/weight_inputs.h"

namespace CLI {
class App;
}

namespace sinter {

// What runs modules: one, which may throw what is a bug, or a batch, which never does.
struct Engine {
  std::function<RunResult(const RunRequest&)> one;
  std::function<std::vector<RunResult>(const std::vector<RunRequest>&)> batch;
};

struct CaseOptions {
  std::string file;
  std::vector<std::string> inputs;
  std::optional<uint64_t> seed;
  std::string output;
  std::string expect;
  std::string batch;
  Tolerance tolerance;
  Elided elided = Elided::kRefuse;
  GrainChoice grain;
  std::optional<Source> weights_of;  // a safetensors file that some inputs are in; --inputs has the others
  bool shares_weights = false;       // it is of several programs: some of its tensors are no inputs of this one
  bool is_recorded = false;          // the text is a folder's: its weights are in that file
};
// Inputs and tolerances alone.
void add_input_options(CLI::App& command, CaseOptions& options);
void add_case_options(CLI::App& command, CaseOptions& options);

// The inputs that are in the file of weights.
std::optional<std::vector<WeightInput>> weights_in(const CaseOptions& options, const Module& module,
                                                   Diagnostics& diagnostics);
// By a runner whose inputs these are not.
RunResult run_without_weights(const RunRequest& request, const BuiltRunner& runner, const CaseOptions& options);

// Exit status. Text goes to standard output, errors to standard error.
int run_case(const CaseOptions& options, const Engine& engine);

}  // namespace sinter
