// Places of intermediate buffers in one arena, by liveness.
#pragma once

#include "passes/lower/host/host_plan.h"

namespace sinter {

// Sets offset of every kArena buffer (256-byte aligned), arena_bytes and live_bytes. A buffer used inside a host loop
// lives through the whole loop, and with every buffer its pointer is swapped with.
void assign_arena(HostPlan* plan);

}  // namespace sinter
