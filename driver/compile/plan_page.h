// A compiled program as one HTML page that needs nothing else: its launches in order, what each value in device memory
// is there for, and of each kernel its HLO, Python lines and CUDA side by side (`sinter compile --report`).
#pragma once

#include <string>

#include "driver/compile/plan_report.h"

namespace sinter {

// Of an artifact with its files.
std::string plan_html(const Artifact& artifact, const PlanReport& report);

}  // namespace sinter
