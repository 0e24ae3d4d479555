// Graph passes: HLO in, HLO out. The one ordered list, with the reason for each place, is in pipeline.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"
#include "passes/graph/base/graph_pass.h"

namespace sinter {

// Every pass once, in the order of the pipeline (where a pass runs twice, at its first place).
std::span<const GraphPass> graph_passes();
const GraphPass* find_graph_pass(std::string_view name);
// Leaves a pass out of the pipeline. False if there is no such pass, or none that may be left out.
bool leave_out(std::string_view name, GraphPassOptions& options);

struct PassObserver {
  // After each pass: its name, whether it changed the module, seconds it took. May be empty.
  std::function<void(std::string_view name, bool changed, double seconds, const Module&)> after;
  // After each pass that changed something; a failure is an InternalError naming the pass. Of a long module the whole
  // pipeline verifies what its last pass leaves alone: a dozen times are a twentieth of its compile.
  bool verify = true;
};

// The whole pipeline.
void run_graph_passes(Module& module, const GraphPassOptions& options, const PassObserver& observer = {});
// Just these, in this order (`opt --passes=a,b`).
void run_graph_passes(Module& module, const std::vector<const GraphPass*>& passes, const GraphPassOptions& options,
                      const PassObserver& observer = {});

}  // namespace sinter
