// info.cpp: what the library says of itself; and the device memory of an instance, of which it tells.
#include <algorithm>

#include "emitter/host/emit_host.h"
#include "emitter/host/emit_template.h"
#include "emitter/text/version.h"

namespace sinter {

namespace {

// Kernels that a run launches; -1 where data decides, or where they are beyond counting.
int64_t count_launches(const HostPlan& plan) {
  struct Part {
    const std::vector<HostStep>* steps;
    int64_t times;
  };
  int64_t launches = 0;
  std::vector<Part> left = {{&plan.steps, 1}};
  while (!left.empty()) {
    const Part part = left.back();
    left.pop_back();
    for (const HostStep& step : *part.steps) {
      if (step.kind == HostStep::Kind::kWhile || step.kind == HostStep::Kind::kBranch) return -1;
      if (step.kind == HostStep::Kind::kLaunch && __builtin_add_overflow(launches, part.times, &launches)) return -1;
      for (const std::vector<HostStep>& arm : step.arms) left.push_back({&arm, part.times});
      if (step.kind != HostStep::Kind::kLoop) continue;
      left.push_back({&step.body, 0});
      if (__builtin_mul_overflow(part.times, step.trip, &left.back().times)) return -1;
    }
  }
  return launches;
}

int64_t aligned(int64_t bytes) { return (bytes + 255) / 256 * 256; }

}  // namespace

int64_t weights_bytes(const HostProgram& host) {
  int64_t bytes = 0;
  for (const HostTensor& weight : host.weights) bytes += aligned(weight.shape.bytes());
  return std::max(bytes, aligned(1));  // an address even where no array has elements
}

Workspace workspace_of(const HostPlan& plan, int64_t kept_at) {
  Workspace workspace;
  for (const Buffer& buffer : plan.buffers) {
    if (buffer.kind == Buffer::Kind::kFinished)
      workspace.counts = std::max(workspace.counts, buffer.index + buffer.shape.element_count());
  }
  const int64_t arena = aligned(plan.arena_bytes);
  const bool keeps = !plan.constants.empty() || workspace.counts > 0;
  workspace.constants = keeps ? std::max(arena, kept_at) : arena;
  workspace.finished = workspace.constants + aligned(static_cast<int64_t>(plan.constants.size()));
  workspace.bytes = workspace.finished + aligned(workspace.counts * static_cast<int64_t>(sizeof(uint32_t)));
  return workspace;
}

std::string emit_info(const HostProgram& host, const EmitOptions& options) {
  const HostPlan& plan = host.program->plan;
  return fill_template("host/info.cpp.mustache",
                       {.texts = {{"programs", ""},
                                  {"name", host.name},
                                  {"Name", host.type},
                                  {"NAME", host.macro},
                                  {"kernels", std::to_string(host.program->kernels.size())},
                                  {"launches", std::to_string(count_launches(plan))},
                                  {"generator", "sinter " + std::string(kCompilerVersion)},
                                  {"input_sha256", options.input_hash},
                                  {"workspace_bytes", std::to_string(workspace_of(plan, options.kept_at).bytes)},
                                  {"weights_bytes", std::to_string(host.weights.empty() ? std::ssize(plan.constants)
                                                                                        : weights_bytes(host))}},
                        .flags = {{"is_joined", false}},
                        .lists = {}});
}

}  // namespace sinter
