#include "passes/schedule/tree/loop_scope.h"

#include "passes/analysis/loops/map_loop.h"

namespace sinter {

Scope loop_scope(const Instruction& loop, bool maps_loops, bool blocks) {
  if (maps_loops && is_map_loop(loop)) return Scope::kMap;
  return blocks ? Scope::kBlock : Scope::kThread;
}

}  // namespace sinter
