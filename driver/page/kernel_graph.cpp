// A copy passes on who wrote its source. A buffer that is written twice has two writers, of which the one that a launch
// stands behind, or shares a loop with, is read there.
#include "driver/page/kernel_graph.h"

#include <map>
#include <numeric>
#include <set>

#include "driver/page/steps_in_order.h"

namespace sinter {
namespace {

// Buffers that may be one array: through pointers, and after the swaps of a loop.
class Arrays {
 public:
  Arrays(const HostPlan& plan, const std::vector<OrderedStep>& steps) : plan_(plan), swapped_(plan.buffers.size()) {
    std::iota(swapped_.begin(), swapped_.end(), size_t{0});
    for (const OrderedStep& place : steps) {
      if (place.step->kind != HostStep::Kind::kSwap) continue;
      swapped_[root(place.step->buffers[0])] = root(place.step->buffers[1]);
    }
  }

  // What stands for each array that the buffer may be.
  std::set<size_t> of(size_t buffer) const {
    std::set<size_t> arrays;
    for (const size_t place : places_of(plan_, buffer)) arrays.insert(root(place));
    return arrays;
  }

 private:
  size_t root(size_t buffer) const {
    while (swapped_[buffer] != buffer) buffer = swapped_[buffer];
    return buffer;
  }

  const HostPlan& plan_;
  std::vector<size_t> swapped_;
};

bool is_launched(const HostStep& step) {
  return step.kind == HostStep::Kind::kLaunch || step.kind == HostStep::Kind::kCall;
}

class GraphBuilder {
 public:
  explicit GraphBuilder(const Program& program)
      : program_(program), steps_(steps_in_order(program.plan)), arrays_(program.plan, steps_) {}

  KernelGraph build() {
    add_nodes();
    add_writers();
    for (bool changed = true; changed;) changed = pass_copies_on();
    for (size_t at = 0; at < steps_.size(); ++at) {
      if (is_launched(*steps_[at].step)) add_edges(at);
    }
    for (auto& [ends, buffers] : edges_) {
      graph_.edges.push_back({ends.first, ends.second, {buffers.begin(), buffers.end()}});
    }
    return std::move(graph_);
  }

 private:
  void add_nodes() {
    std::map<size_t, size_t> by_kernel;
    node_of_.resize(steps_.size());
    for (size_t at = 0; at < steps_.size(); ++at) {
      const HostStep& step = *steps_[at].step;
      if (!is_launched(step)) continue;
      const bool is_kernel = step.kind == HostStep::Kind::kLaunch;
      const size_t next = graph_.nodes.size();
      node_of_[at] = is_kernel ? by_kernel.try_emplace(step.kernel, next).first->second : next;
      if (node_of_[at] == next) {
        graph_.nodes.push_back({is_kernel ? std::optional(step.kernel) : std::nullopt, &step});
      }
    }
  }

  void add_writers() {
    for (size_t at = 0; at < steps_.size(); ++at) {
      const HostStep& step = *steps_[at].step;
      if (!is_launched(step)) continue;
      for (size_t i = 0; i < step.buffers.size(); ++i) {
        if (!is_written(program_, step, i)) continue;
        for (const size_t array : arrays_.of(step.buffers[i])) writers_[array].emplace(at, node_of_[at]);
      }
    }
  }

  // True if what stands at one place may be there when the other runs.
  bool reaches(size_t from, size_t to) const {
    return from < to || (steps_[from].top == steps_[to].top && steps_[from].in_loop && steps_[to].in_loop);
  }

  bool pass_copies_on() {
    bool changed = false;
    for (size_t at = 0; at < steps_.size(); ++at) {
      const HostStep& step = *steps_[at].step;
      if (step.kind != HostStep::Kind::kCopy) continue;
      std::set<std::pair<size_t, size_t>> copied;
      for (const size_t array : arrays_.of(step.buffers[0])) {
        for (const auto& [from, node] : writers_[array]) {
          if (reaches(from, at)) copied.emplace(at, node);
        }
      }
      for (const size_t array : arrays_.of(step.buffers[1])) {
        std::set<std::pair<size_t, size_t>>& writers = writers_[array];
        const size_t before = writers.size();
        writers.insert(copied.begin(), copied.end());
        changed = changed || writers.size() != before;
      }
    }
    return changed;
  }

  void add_edges(size_t at) {
    const HostStep& step = *steps_[at].step;
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      if (is_written(program_, step, i)) continue;
      for (const size_t array : arrays_.of(step.buffers[i])) {
        for (const auto& [from, node] : writers_[array]) {
          if (reaches(from, at)) edges_[{node, node_of_[at]}].insert(step.buffers[i]);
        }
      }
    }
  }

  const Program& program_;
  const std::vector<OrderedStep> steps_;
  const Arrays arrays_;
  KernelGraph graph_;
  std::vector<size_t> node_of_;                                    // by place in steps_
  std::map<size_t, std::set<std::pair<size_t, size_t>>> writers_;  // by array: places in steps_, and nodes
  std::map<std::pair<size_t, size_t>, std::set<size_t>> edges_;
};

}  // namespace

KernelGraph kernel_graph(const Program& program) { return GraphBuilder(program).build(); }

std::vector<std::optional<size_t>> first_writers(const Program& program) {
  const std::vector<OrderedStep> steps = steps_in_order(program.plan);
  const Arrays arrays(program.plan, steps);
  std::map<size_t, size_t> by_array;
  for (const OrderedStep& place : steps) {
    const HostStep& step = *place.step;
    if (step.kind != HostStep::Kind::kLaunch) continue;
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      if (!is_written(program, step, i)) continue;
      for (const size_t array : arrays.of(step.buffers[i])) by_array.try_emplace(array, step.kernel);
    }
  }
  std::vector<std::optional<size_t>> writers(program.plan.buffers.size());
  for (size_t buffer = 0; buffer < writers.size(); ++buffer) {
    for (const size_t array : arrays.of(buffer)) {
      const auto found = by_array.find(array);
      if (found != by_array.end() && !writers[buffer]) writers[buffer] = found->second;
    }
  }
  return writers;
}

}  // namespace sinter
