#include "passes/lower/host/traffic.h"

#include <algorithm>
#include <map>

namespace sinter {

namespace {

// What a step touches of its i-th buffer: a library's function all of it, a kernel what its parameter says.
int64_t touched_bytes(int64_t all, const Parameter* parameter) {
  return parameter != nullptr ? parameter->bytes.value_or(all) : all;
}

Traffic sum_up(const HostStep& step, const HostPlan& plan, const std::function<const Parameter*(size_t)>& parameter_of,
               const std::function<bool(size_t)>& is_output) {
  std::map<size_t, int64_t> reads, writes;  // by buffer
  for (size_t i = 0; i < step.buffers.size(); ++i) {
    const int64_t all = plan.buffers[step.buffers[i]].shape.bytes();
    const Parameter* parameter = parameter_of(i);
    int64_t& bytes = (is_output(i) ? writes : reads)[step.buffers[i]];
    bytes = std::min(all, bytes + touched_bytes(all, parameter));
    if (parameter != nullptr && parameter->scratch) reads[step.buffers[i]] = bytes;
  }
  Traffic traffic;
  for (const auto& [buffer, bytes] : reads) traffic.read += bytes;
  for (const auto& [buffer, bytes] : writes) traffic.written += bytes;
  return traffic;
}

}  // namespace

Traffic traffic_of(const HostStep& step, const HostPlan& plan, const std::vector<Parameter>& parameters) {
  return sum_up(
      step, plan, [&](size_t i) { return i < parameters.size() ? &parameters[i] : nullptr; },
      [&](size_t i) { return parameters[i].output; });
}

Traffic traffic_of(const HostStep& step, const Program& program) {
  if (step.kind == HostStep::Kind::kLaunch) {
    const Kernel& kernel = program.kernels[step.kernel];
    if (!kernel.resident) return traffic_of(step, program.plan, kernel.parameters);
    Traffic traffic;
    for (const Round& round : kernel.rounds) {
      traffic.read += static_cast<int64_t>(round.times) * round.bytes_read;
      traffic.written += static_cast<int64_t>(round.times) * round.bytes_written;
    }
    return traffic;
  }
  return sum_up(
      step, program.plan, [](size_t) { return nullptr; }, [&](size_t i) { return is_written(program, step, i); });
}

}  // namespace sinter
