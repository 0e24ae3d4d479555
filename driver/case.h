// One program, its inputs, and perhaps what it is expected to compute: what `eval` and `run` do, by either engine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/compare.h"
#include "driver/engine.h"

namespace CLI {
class App;
}

namespace sinter {

using Engine = std::function<std::optional<std::vector<Literal>>(const RunRequest&, std::string& error)>;

struct CaseOptions {
  std::string file;
  std::vector<std::string> inputs;
  std::optional<uint64_t> seed;
  std::string output;
  std::string expect;
  std::string batch;
  Tolerance tolerance;
};
void add_case_options(CLI::App& command, CaseOptions& options);

// Exit status. Text goes to standard output, errors to standard error.
int run_case(const CaseOptions& options, const Engine& engine);

}  // namespace sinter
