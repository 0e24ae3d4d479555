#include "passes/lower/host_plan.h"

#include <set>

namespace sinter {

bool may_be(const HostPlan& plan, size_t buffer, size_t other) {
  std::vector<size_t> left = {buffer};
  std::set<size_t> seen;
  while (!left.empty()) {
    const size_t current = left.back();
    left.pop_back();
    if (current == other) return true;
    if (!seen.insert(current).second) continue;
    left.insert(left.end(), plan.buffers[current].targets.begin(), plan.buffers[current].targets.end());
  }
  return false;
}

}  // namespace sinter
