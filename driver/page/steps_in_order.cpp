#include "driver/page/steps_in_order.h"

namespace sinter {

// Explicit stack: nesting is the input's.
std::vector<OrderedStep> steps_in_order(const HostPlan& plan) {
  std::vector<OrderedStep> ordered, pending;
  const auto push = [&](const std::vector<HostStep>& steps, size_t top, bool in_loop) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) pending.push_back({&*step, top, in_loop});
  };
  for (size_t top = 0; top < plan.steps.size(); ++top) {
    pending.push_back({&plan.steps[top], top, false});
    while (!pending.empty()) {
      const OrderedStep step = pending.back();
      pending.pop_back();
      ordered.push_back(step);
      const bool loops = is_loop(*step.step);
      for (auto arm = step.step->arms.rbegin(); arm != step.step->arms.rend(); ++arm) push(*arm, top, step.in_loop);
      push(step.step->body, top, step.in_loop || loops);
      push(step.step->condition, top, step.in_loop || loops);
    }
  }
  return ordered;
}

}  // namespace sinter
