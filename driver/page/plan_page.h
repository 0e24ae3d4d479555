// A compiled program as one HTML page that needs nothing else (`sinter compile --report`): the graph of its kernels,
// its launches in order, device memory over time, a roofline, what each value in device memory is there for, and of
// each kernel what it computes, HLO, Python lines and CUDA side by side.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/plan_report.h"

namespace sinter {

// Of an artifact with its files. `sources`: files that its instructions have their lines from, as far as they are
// known.
std::string plan_html(const Artifact& artifact, const PlanReport& report, const std::vector<Source>& sources = {});

}  // namespace sinter
