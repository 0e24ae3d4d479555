#include "passes/lower/host/arena.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace sinter {

namespace {

constexpr int64_t kAlignment = 256;

// Offsets that are taken: ranges in order, between which there are gaps.
class Taken {
 public:
  void add(int64_t begin, int64_t end) {
    const auto first = std::lower_bound(ranges_.begin(), ranges_.end(), begin,
                                        [](const auto& range, int64_t offset) { return range.second < offset; });
    auto last = first;
    for (; last != ranges_.end() && last->first <= end; ++last) {
      begin = std::min(begin, last->first);
      end = std::max(end, last->second);
    }
    if (first == last) {
      ranges_.insert(first, {begin, end});
    } else {
      *first = {begin, end};
      ranges_.erase(first + 1, last);
    }
  }

  const std::vector<std::pair<int64_t, int64_t>>& ranges() const { return ranges_; }

 private:
  std::vector<std::pair<int64_t, int64_t>> ranges_;
};

// What is taken from one position to another, found without a look at all that has been placed: a segment tree whose
// leaves are the positions. A span of them is a few nodes, and what meets it lies below these or spans one of those
// above its ends.
class Placement {
 public:
  explicit Placement(size_t positions)
      : leaves_(std::bit_ceil(positions)), meeting_(2 * leaves_), spanning_(2 * leaves_) {}

  void add(const ArenaLife& life, int64_t offset) {
    for_each_inside(life, [&](size_t node) {
      spanning_[node].add(offset, offset + life.bytes);
      meeting_[node].add(offset, offset + life.bytes);
    });
    for_each_above(life, [&](size_t node) { meeting_[node].add(offset, offset + life.bytes); });
  }

  // The lowest offset at which there is room from the first to the last position.
  int64_t gap(const ArenaLife& life) const {
    std::vector<std::pair<int64_t, int64_t>> taken;
    const auto take = [&](const Taken& some) { taken.insert(taken.end(), some.ranges().begin(), some.ranges().end()); };
    for_each_inside(life, [&](size_t node) { take(meeting_[node]); });
    for_each_above(life, [&](size_t node) { take(spanning_[node]); });
    std::sort(taken.begin(), taken.end());
    int64_t offset = 0;
    for (const auto& [begin, end] : taken) {
      if (offset + life.bytes <= begin) break;
      offset = std::max(offset, end);
    }
    return offset;
  }

 private:
  // The nodes that the span is.
  template <class Visit>
  void for_each_inside(const ArenaLife& life, const Visit& visit) const {
    for (size_t left = life.first + leaves_, right = life.last + leaves_ + 1; left < right; left /= 2, right /= 2) {
      if (left % 2 == 1) visit(left++);
      if (right % 2 == 1) visit(--right);
    }
  }

  // Those that its ends lie in.
  template <class Visit>
  void for_each_above(const ArenaLife& life, const Visit& visit) const {
    for (size_t left = life.first + leaves_, right = life.last + leaves_; right > 0; left /= 2, right /= 2) {
      visit(left);
      if (right != left) visit(right);
    }
  }

  size_t leaves_;
  std::vector<Taken> meeting_;   // by node: by what takes an offset at any of its positions, ...
  std::vector<Taken> spanning_;  // ... and by what does at all of them, and not of the node above
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

std::vector<ArenaLife> arena_lives(const HostPlan& plan) {
  std::map<size_t, ArenaLife> lives;
  for (size_t position = 0; position < plan.steps.size(); ++position) {
    std::set<size_t> used;
    used_buffers(plan, plan.steps[position], &used);
    for (const size_t buffer : used) {
      if (plan.buffers[buffer].kind != Buffer::Kind::kArena) continue;
      const int64_t bytes = (plan.buffers[buffer].shape.bytes() + kAlignment - 1) / kAlignment * kAlignment;
      ArenaLife& life = lives.try_emplace(buffer, ArenaLife{buffer, position, position, bytes}).first->second;
      life.last = position;
    }
  }
  // A swapped pair may stand for each other after its loop.
  for (const HostStep& step : plan.steps) {
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
  std::vector<ArenaLife> result;
  for (const auto& [buffer, life] : lives) result.push_back(life);
  return result;
}

LivePeak live_peak(const HostPlan& plan, const std::vector<ArenaLife>& lives) {
  std::vector<int64_t> grows(plan.steps.size() + 1);  // from a step to the next, the live set
  for (const ArenaLife& life : lives) {
    grows[life.first] += life.bytes;
    grows[life.last + 1] -= life.bytes;
  }
  LivePeak peak;
  int64_t live = 0;
  for (size_t step = 0; step < grows.size(); ++step) {
    live += grows[step];
    if (live > peak.bytes) peak = {step, live};
  }
  return peak;
}

void assign_arena(HostPlan* plan) {
  const std::vector<ArenaLife> lives = arena_lives(*plan);
  plan->arena_bytes = 0;
  plan->live_bytes = live_peak(*plan, lives).bytes;
  std::vector<ArenaLife> order = lives;
  std::stable_sort(order.begin(), order.end(),
                   [](const ArenaLife& a, const ArenaLife& b) { return a.bytes > b.bytes; });
  Placement placed(plan->steps.size());
  for (const ArenaLife& life : order) {
    const int64_t offset = placed.gap(life);
    plan->buffers[life.buffer].offset = offset;
    plan->arena_bytes = std::max(plan->arena_bytes, offset + life.bytes);
    placed.add(life, offset);
  }
}

}  // namespace sinter
