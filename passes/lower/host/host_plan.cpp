#include "passes/lower/host/host_plan.h"

#include <algorithm>
#include <set>

namespace sinter {

bool may_be(const HostPlan& plan, size_t buffer, size_t other) {
  if (plan.buffers[buffer].targets.empty()) return buffer == other;
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

std::set<size_t> places_of(const HostPlan& plan, size_t buffer) {
  std::set<size_t> places, seen;
  std::vector<size_t> left = {buffer};
  while (!left.empty()) {
    const size_t next = left.back();
    left.pop_back();
    if (!seen.insert(next).second) continue;
    const Buffer& place = plan.buffers[next];
    if (place.kind != Buffer::Kind::kPointer) places.insert(next);
    left.insert(left.end(), place.targets.begin(), place.targets.end());
  }
  return places;
}

bool is_for_two_arrays(const HostStep& step) { return step.unless_same && step.reason == "updated-in-place"; }

bool is_written(const Program& program, const HostStep& step, size_t argument) {
  if (step.kind == HostStep::Kind::kCopy) return argument == 1;
  if (step.kind == HostStep::Kind::kClear) return true;
  if (step.kind == HostStep::Kind::kCall) return argument >= step.call.operands;
  return program.kernels[step.kernel].parameters[argument].output;
}

namespace {

// `Steps`: const or not.
template <class Steps, class Visit>
void walk_steps(Steps* steps, const Visit& visit) {
  std::vector<Steps*> left = {steps};
  while (!left.empty()) {
    Steps* list = left.back();
    left.pop_back();
    for (auto& step : *list) {
      visit(step);
      left.push_back(&step.condition);
      left.push_back(&step.body);
      for (auto& arm : step.arms) left.push_back(&arm);
    }
  }
}

}  // namespace

void for_each_step(const std::vector<HostStep>& steps, const std::function<void(const HostStep&)>& visit) {
  walk_steps(&steps, visit);
}

void for_each_step(std::vector<HostStep>* steps, const std::function<void(HostStep*)>& visit) {
  walk_steps(steps, [&](HostStep& step) { visit(&step); });
}

namespace {

void erase_points_to(const std::vector<bool>& pointers, std::vector<HostStep>* steps) {
  std::erase_if(*steps,
                [&](const HostStep& step) { return step.kind == HostStep::Kind::kPoint && pointers[step.buffers[0]]; });
  for (HostStep& step : *steps) {
    erase_points_to(pointers, &step.condition);
    erase_points_to(pointers, &step.body);
    for (std::vector<HostStep>& arm : step.arms) erase_points_to(pointers, &arm);
  }
}

}  // namespace

void drop_unread_pointers(HostPlan* plan) {
  // What one of them was set to may be another.
  for (bool any = true; any;) {
    std::vector<bool> unread(plan->buffers.size());
    for_each_step(plan->steps, [&](const HostStep& step) {
      if (step.kind == HostStep::Kind::kPoint) unread[step.buffers[0]] = true;
    });
    for_each_step(plan->steps, [&](const HostStep& step) {
      const bool sets = step.kind == HostStep::Kind::kPoint;
      for (size_t i = sets ? 1 : 0; i < step.buffers.size(); ++i) unread[step.buffers[i]] = false;
    });
    any = std::find(unread.begin(), unread.end(), true) != unread.end();
    if (any) erase_points_to(unread, &plan->steps);
  }
}

}  // namespace sinter
