#include "passes/lower/host/arena.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace sinter {

namespace {

constexpr int64_t kAlignment = 256;

struct Life {
  size_t buffer = 0;
  size_t first = 0, last = 0;
  int64_t bytes = 0;
};

// Ranges of positions, each with a number. Those that meet a range are found without a look at the others: a segment
// tree has those around its first position, an ordered set those that begin after it.
class Intervals {
 public:
  explicit Intervals(size_t positions) : positions_(positions), nodes_(2 * positions) {}

  void add(size_t first, size_t last, size_t number) {
    starts_.emplace(first, number);
    for (size_t left = first + positions_, right = last + positions_ + 1; left < right; left /= 2, right /= 2) {
      if (left % 2 == 1) nodes_[left++].push_back(number);
      if (right % 2 == 1) nodes_[--right].push_back(number);
    }
  }

  template <class Visit>
  void for_each_meeting(size_t first, size_t last, const Visit& visit) const {
    for (size_t node = first + positions_; node > 0; node /= 2) {
      for (const size_t number : nodes_[node]) visit(number);
    }
    for (auto it = starts_.lower_bound({first + 1, 0}); it != starts_.end() && it->first <= last; ++it)
      visit(it->second);
  }

 private:
  size_t positions_;
  std::vector<std::vector<size_t>> nodes_;      // by node of the tree, whose leaves are the positions
  std::set<std::pair<size_t, size_t>> starts_;  // first position, number
};

// With what pointers may point to.
void used_buffers(const HostPlan& plan, const HostStep& step, std::set<size_t>* result) {
  std::vector<const HostStep*> steps = {&step};
  while (!steps.empty()) {
    const HostStep* current = steps.back();
    steps.pop_back();
    std::vector<size_t> buffers = current->buffers;
    while (!buffers.empty()) {
      const size_t buffer = buffers.back();
      buffers.pop_back();
      if (!result->insert(buffer).second) continue;
      const std::vector<size_t>& targets = plan.buffers[buffer].targets;
      buffers.insert(buffers.end(), targets.begin(), targets.end());
    }
    for (const HostStep& inner : current->condition) steps.push_back(&inner);
    for (const HostStep& inner : current->body) steps.push_back(&inner);
    for (const std::vector<HostStep>& arm : current->arms) {
      for (const HostStep& inner : arm) steps.push_back(&inner);
    }
  }
}

}  // namespace

void assign_arena(HostPlan* plan) {
  std::map<size_t, Life> lives;
  for (size_t position = 0; position < plan->steps.size(); ++position) {
    std::set<size_t> used;
    used_buffers(*plan, plan->steps[position], &used);
    for (const size_t buffer : used) {
      if (plan->buffers[buffer].kind != Buffer::Kind::kArena) continue;
      const int64_t bytes = (plan->buffers[buffer].shape.bytes() + kAlignment - 1) / kAlignment * kAlignment;
      Life& life = lives.try_emplace(buffer, Life{buffer, position, position, bytes}).first->second;
      life.last = position;
    }
  }
  // A swapped pair may stand for each other after its loop.
  for (const HostStep& step : plan->steps) {
    std::vector<std::pair<size_t, size_t>> swaps;
    std::vector<const HostStep*> stack = {&step};
    while (!stack.empty()) {
      const HostStep* current = stack.back();
      stack.pop_back();
      if (current->kind == HostStep::Kind::kSwap) swaps.emplace_back(current->buffers[0], current->buffers[1]);
      for (const HostStep& inner : current->body) stack.push_back(&inner);
      for (const std::vector<HostStep>& arm : current->arms) {
        for (const HostStep& inner : arm) stack.push_back(&inner);
      }
    }
    for (size_t round = 0; round < swaps.size(); ++round) {
      for (const auto& [a, b] : swaps) {
        if (lives.count(a) == 0 || lives.count(b) == 0) continue;
        const size_t first = std::min(lives.at(a).first, lives.at(b).first);
        const size_t last = std::max(lives.at(a).last, lives.at(b).last);
        lives.at(a).first = lives.at(b).first = first;
        lives.at(a).last = lives.at(b).last = last;
      }
    }
  }
  std::vector<Life> order;
  for (const auto& [buffer, life] : lives) order.push_back(life);
  std::stable_sort(order.begin(), order.end(), [](const Life& a, const Life& b) { return a.bytes > b.bytes; });
  Intervals placed(plan->steps.size());
  for (const Life& life : order) {
    std::vector<std::pair<int64_t, int64_t>> taken;
    placed.for_each_meeting(life.first, life.last, [&](size_t other) {
      const int64_t offset = plan->buffers[order[other].buffer].offset;
      taken.emplace_back(offset, offset + order[other].bytes);
    });
    // The lowest first, no more of them than it takes to find a gap.
    std::make_heap(taken.begin(), taken.end(), std::greater<>());
    int64_t offset = 0;
    while (!taken.empty() && taken.front().first < offset + life.bytes) {
      offset = std::max(offset, taken.front().second);
      std::pop_heap(taken.begin(), taken.end(), std::greater<>());
      taken.pop_back();
    }
    plan->buffers[life.buffer].offset = offset;
    plan->arena_bytes = std::max(plan->arena_bytes, offset + life.bytes);
    placed.add(life.first, life.last, static_cast<size_t>(&life - order.data()));
  }
  std::vector<int64_t> grows(plan->steps.size() + 1);  // from a step to the next, the live set
  for (const Life& life : order) {
    grows[life.first] += life.bytes;
    grows[life.last + 1] -= life.bytes;
  }
  int64_t live = 0;
  for (const int64_t bytes : grows) plan->live_bytes = std::max(plan->live_bytes, live += bytes);
}

}  // namespace sinter
