#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "driver/page/draw_graph.h"
#include "driver/page/page_parts.h"
#include "driver/page/svg.h"
#include "ir/module/host_functions.h"
#include "review/report/page.h"

namespace sinter {
namespace {

using kainjow::mustache::data;

// What the host does, one after the other; a loop or an arm of a branch is an entry where it begins and one where it
// ends. Explicit stack: nesting is the input's.
struct HostEntry {
  const HostStep* step = nullptr;  // nullptr: an end
  std::string opens;               // what a group is called that begins here
};

std::string arm_name(const HostStep& step, size_t arm) {
  if (step.kind == HostStep::Kind::kFork) return "branch " + std::to_string(arm + 1) + " of a graph";
  return "arm " + std::to_string(arm) + " of a branch";
}

std::vector<HostEntry> entries_of(const HostPlan& plan) {
  std::vector<HostEntry> entries, pending;
  const auto push = [&](const std::vector<HostStep>& steps) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) pending.push_back({&*step, ""});
  };
  const auto push_group = [&](const HostStep& of, const std::vector<HostStep>& steps, const std::string& name) {
    pending.push_back({});
    push(steps);
    pending.push_back({&of, name});
  };
  push(plan.steps);
  while (!pending.empty()) {
    const HostEntry entry = pending.back();
    pending.pop_back();
    if (entry.step == nullptr && !entries.back().opens.empty()) {
      entries.pop_back();  // nothing is in it
      continue;
    }
    if (entry.step == nullptr || !entry.opens.empty()) {
      entries.push_back(entry);
      continue;
    }
    const HostStep& step = *entry.step;
    if (step.kind == HostStep::Kind::kLoop) {
      push_group(step, step.body, std::to_string(step.trip) + " times");
    } else if (step.kind == HostStep::Kind::kWhile) {
      push_group(step, step.body, "as long as its condition holds");
      push_group(step, step.condition, "the condition, which the host reads");
    } else if (!step.arms.empty()) {
      for (size_t arm = step.arms.size(); arm-- > 0;) push_group(step, step.arms[arm], arm_name(step, arm));
    } else if (step.kind != HostStep::Kind::kSwap && step.kind != HostStep::Kind::kPoint) {
      entries.push_back(entry);
    }
  }
  return entries;
}

std::string box_name(const HostStep& step, const Program& program) {
  switch (step.kind) {
    case HostStep::Kind::kLaunch:
      return program.kernels[step.kernel].name;
    case HostStep::Kind::kCall: {
      const DeviceFunctionName called = parse_function_name(step.call.function);
      return (called.header.empty() ? "library::" : "") + called.function;
    }
    case HostStep::Kind::kCopy:
      return "copy to " + program.plan.buffers[step.buffers[1]].name;
    case HostStep::Kind::kClear:
      return "clear " + program.plan.buffers[step.buffers[0]].name;
    default:
      return "";
  }
}

std::string rem(double width) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2f", width);
  return text;
}

}  // namespace

data launch_boxes(const Program& program, const Gpu& gpu) {
  constexpr double kRow = 70, kRowOf = 20;  // rem that all boxes have together for each so many
  constexpr double kNamed = 5;              // rem from which on a box has room for a name
  const std::vector<HostEntry> entries = entries_of(program.plan);
  const auto us_of = [&](const HostEntry& entry) {
    return entry.step == nullptr || !entry.opens.empty() ? 0 : predicted_step_us(*entry.step, program, gpu).value_or(0);
  };
  double sum = 0;
  for (const HostEntry& entry : entries) sum += us_of(entry);
  const double rows = std::max(1.0, static_cast<double>(entries.size()) / kRowOf);
  data result = list();
  for (const HostEntry& entry : entries) {
    data box;
    if (entry.step == nullptr) {
      box.set("closes", true);
    } else if (!entry.opens.empty()) {
      box.set("opens", shown(entry.opens));
    } else {
      const HostStep& step = *entry.step;
      const double us = us_of(entry), width = sum > 0 ? kRow * rows * us / sum : 0;
      const std::string name = box_name(step, program), time = us > 0 ? time_text(us) : "";
      data one;
      // An empty text, since one that is missing would be the page's.
      one.set("name", "");
      one.set("number", "");
      one.set("time", width >= kNamed ? time : "");
      if (step.kind == HostStep::Kind::kLaunch) {
        one.set("link", kernel_id(step.kernel));
        one.set("number", kernel_number(step.kernel));
        one.set("colour", colour_class(step.kernel));
      }
      if (width >= kNamed || step.kind != HostStep::Kind::kLaunch) one.set("name", shown(name));
      const bool is_call = step.kind == HostStep::Kind::kCall;
      const std::string takes = time.empty() ? "" : ", " + time + (is_call ? " as a copy of its bytes" : "");
      one.set("what", shown(name + takes + (step.comment.empty() ? "" : ": " + step.comment)));
      one.set("width", rem(width));
      box.set("box", one);
    }
    result << box;
  }
  return result;
}

}  // namespace sinter
