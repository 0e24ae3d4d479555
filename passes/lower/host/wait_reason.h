// Why blocks wait, as a comment of the kernel says it: "product is stored, x_next is read".
#pragma once

#include <functional>
#include <string>

#include "passes/lower/host/host_plan.h"
#include "passes/lower/host/waits.h"

namespace sinter {

// By what the step that waits calls its arrays. `writes`: whether it does so through an argument.
std::string wait_reason(const HostPlan& plan, const WaitCause& cause, const HostStep& step,
                        const std::function<bool(size_t argument)>& writes,
                        const std::function<std::string(size_t buffer)>& name_of);

}  // namespace sinter
