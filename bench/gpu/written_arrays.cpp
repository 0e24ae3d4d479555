#include "bench/gpu/written_arrays.h"

#include <algorithm>
#include <set>

namespace sinter {
namespace {

class Collector {
 public:
  explicit Collector(const Program& program) : program_(program), plan_(program.plan), ways_(plan_.buffers.size()) {}

  std::map<std::string, std::vector<WrittenArray>> collect() {
    for (size_t i = 0; i < plan_.buffers.size(); ++i) {
      const Buffer& buffer = plan_.buffers[i];
      ways_[i] = buffer.targets;
      // `run` begins with a copy of a donated input into its output.
      if (buffer.kind == Buffer::Kind::kDonated) add("copy", i);
    }
    for_each_step(plan_.steps, [&](const HostStep& step) {
      if (step.kind != HostStep::Kind::kSwap) return;
      ways_[step.buffers[0]].push_back(step.buffers[1]);
      ways_[step.buffers[1]].push_back(step.buffers[0]);
    });
    for_each_step(plan_.steps, [&](const HostStep& step) {
      switch (step.kind) {
        case HostStep::Kind::kClear:
          return add("clear", step.buffers[0]);
        case HostStep::Kind::kCopy:
          return add_written(step, "copy");
        case HostStep::Kind::kCall:
          return add_written(step, step.call.function);
        case HostStep::Kind::kLaunch:
          return add_written(step, program_.kernels[step.kernel].name);
        default:
          return;
      }
    });
    return std::move(written_);
  }

 private:
  void add_written(const HostStep& step, const std::string& name) {
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      if (is_written(program_, step, i)) add(name, step.buffers[i]);
    }
  }

  // All arrays that `first` is or may point to.
  void add(const std::string& name, size_t first) {
    std::vector<size_t> left = {first};
    for (std::set<size_t> seen; !left.empty();) {
      const size_t current = left.back();
      left.pop_back();
      if (!seen.insert(current).second) continue;
      left.insert(left.end(), ways_[current].begin(), ways_[current].end());
      const Buffer& buffer = plan_.buffers[current];
      if (buffer.kind == Buffer::Kind::kArena) add_array(name, {true, buffer.offset, &buffer});
      if (buffer.kind == Buffer::Kind::kOutput) add_array(name, {false, buffer.index, &buffer});
      if (buffer.kind == Buffer::Kind::kDonated) add_array(name, {false, buffer.output, &buffer});
    }
  }

  void add_array(const std::string& name, const WrittenArray& array) {
    const auto same = [&](const WrittenArray& other) {
      return other.of_arena == array.of_arena && other.place == array.place &&
             other.buffer->shape.dtype == array.buffer->shape.dtype &&
             other.buffer->shape.bytes() == array.buffer->shape.bytes();
    };
    std::vector<WrittenArray>& arrays = written_[name];
    if (array.buffer->shape.bytes() > 0 && std::none_of(arrays.begin(), arrays.end(), same)) arrays.push_back(array);
  }

  const Program& program_;
  const HostPlan& plan_;
  std::vector<std::vector<size_t>> ways_;  // by buffer: what else its pointer may be
  std::map<std::string, std::vector<WrittenArray>> written_;
};

}  // namespace

std::map<std::string, std::vector<WrittenArray>> written_arrays(const Program& program) {
  return Collector(program).collect();
}

}  // namespace sinter
