// Bytes of device memory that a step of the host reads and writes.
#pragma once

#include <cstdint>

#include "passes/lower/host/host_plan.h"

namespace sinter {

struct Traffic {
  int64_t read = 0;
  int64_t written = 0;
};

// Of a launch, copy or call of a library: each array once, of a resident launch in each of its rounds.
Traffic traffic_of(const HostStep& step, const Program& program);
// The same of a launch of a kernel that has these parameters.
Traffic traffic_of(const HostStep& step, const HostPlan& plan, const std::vector<Parameter>& parameters);

}  // namespace sinter
