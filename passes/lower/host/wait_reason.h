// Why blocks, or a block's threads, wait, as a comment of the kernel says it: "product is stored, and no block reads
// x_next any more".
#pragma once

#include <functional>
#include <string>

#include "passes/lower/host/host_plan.h"
#include "passes/lower/host/waits.h"

namespace sinter {

// By what the steps that wait call their arrays. `who`: "block", "thread". `writes`: whether a step does so through an
// argument.
std::string wait_reason(const HostPlan& plan, const WaitCauses& causes, const std::string& who,
                        const std::function<bool(const HostStep& step, size_t argument)>& writes,
                        const std::function<std::string(size_t buffer)>& name_of);

// What stands beside the statement of a wait: "  // until product is stored". A longer reason stands above it.
std::string beside_wait(const std::string& why, Block* block);

}  // namespace sinter
