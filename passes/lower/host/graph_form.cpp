#include "passes/lower/host/graph_form.h"

#include <algorithm>
#include <optional>

#include "ir/module/host_functions.h"

namespace sinter {

namespace {

bool moves_pointers(const HostStep& step) {
  return step.kind == HostStep::Kind::kPoint || step.kind == HostStep::Kind::kSwap;
}

bool is_decided(const HostStep& step) {
  return step.kind == HostStep::Kind::kWhile || step.kind == HostStep::Kind::kBranch;
}

// A pointer that a loop's steps move: where it points before the loop, and what of a step it points to in the next.
struct Moved {
  size_t start = 0;
  size_t next = 0;          // a moved pointer, or a buffer
  bool is_written = false;  // by the steps, before they read it: what it points to before a step is nobody's
  bool is_read = false;     // by the steps, or by who comes after the loop
};

// One kWhile.
class LoopNodeMaker {
 public:
  LoopNodeMaker(const Program& program, const std::vector<HostStep>& around, size_t position)
      : program_(program), plan_(program.plan), around_(around), position_(position), loop_(around[position]) {}

  // What stands against it, or empty.
  std::string make(LoopNode* node) {
    node->moves = loop_.body.size();
    while (node->moves > 0 && moves_pointers(loop_.body[node->moves - 1])) --node->moves;
    follow_moves(node->moves);
    if (!find_starts()) return "a pointer of its state is set elsewhere";
    find_uses(node->moves);
    return place(node);
  }

 private:
  // The pointers after a step, as the last steps of the body leave them.
  void follow_moves(size_t first) {
    std::map<size_t, size_t> now;
    const auto held = [&](size_t buffer) {
      if (plan_.buffers[buffer].kind != Buffer::Kind::kPointer) return buffer;
      return now.try_emplace(buffer, buffer).first->second;
    };
    for (size_t i = first; i < loop_.body.size(); ++i) {
      const std::vector<size_t>& pointers = loop_.body[i].buffers;
      const size_t one = held(pointers[0]), other = held(pointers[1]);
      now[pointers[0]] = other;
      if (loop_.body[i].kind == HostStep::Kind::kSwap) now[pointers[1]] = one;
    }
    for (const auto& [pointer, next] : now) moved_[pointer].next = next;
  }

  bool find_starts() {
    for (auto& [pointer, moved] : moved_) {
      std::optional<size_t> start;
      for (size_t i = 0; i < position_; ++i) {
        const HostStep& step = around_[i];
        if (step.kind == HostStep::Kind::kPoint && step.buffers[0] == pointer) start = step.buffers[1];
      }
      if (!start) return false;
      moved.start = *start;
    }
    return true;
  }

  void find_uses(size_t first_move) {
    std::set<const HostStep*> own;  // which set the pointers
    for (size_t i = first_move; i < loop_.body.size(); ++i) own.insert(&loop_.body[i]);
    std::set<const HostStep*> inside;
    for (const std::vector<HostStep>* steps : {&loop_.condition, &loop_.body})
      for_each_step(*steps, [&](const HostStep& step) { inside.insert(&step); });
    for_each_step(plan_.steps, [&](const HostStep& step) {
      if (own.count(&step) > 0) return;
      const bool sets = step.kind == HostStep::Kind::kPoint;
      for (size_t i = sets ? 1 : 0; i < step.buffers.size(); ++i) {
        const bool writes =
            inside.count(&step) > 0 && !moves_pointers(step) && !is_decided(step) && is_written(program_, step, i);
        for (auto& [pointer, moved] : moved_) {
          // What a pointer of a loop in the loop may be is written through that.
          if (writes && may_be(plan_, step.buffers[i], pointer)) moved.is_written = true;
          if (!writes && step.buffers[i] == pointer) moved.is_read = true;
        }
      }
    });
  }

  bool is_live(size_t pointer) const {
    const Moved& moved = moved_.at(pointer);
    return moved.is_read && !moved.is_written;
  }

  // True if a step of the loop writes this buffer.
  bool is_of_steps(size_t buffer) const {
    bool found = false;
    for_each_step(loop_.body, [&](const HostStep& step) {
      if (moves_pointers(step) || is_loop(step) || is_decided(step)) return;
      for (size_t i = 0; i < step.buffers.size(); ++i)
        found |= is_written(program_, step, i) && may_be(plan_, step.buffers[i], buffer);
    });
    return found;
  }

  // A live pointer's array stays where it is if it is there for the steps to write; else it needs a place.
  std::string place(LoopNode* node) {
    needed_by_next();
    std::set<size_t> taken;
    std::map<size_t, size_t> at;  // of each live pointer
    for (const auto& [pointer, moved] : moved_) {
      if (moved.is_written && !taken.insert(moved.start).second) return "two arrays of its state begin as one";
    }
    std::vector<size_t> left;
    for (const auto& [pointer, moved] : moved_) {
      if (!live_.count(pointer)) continue;
      if (is_of_steps(moved.start) && taken.insert(moved.start).second) {
        at[pointer] = moved.start;
      } else {
        left.push_back(pointer);
      }
    }
    for (const size_t pointer : left) {
      const std::optional<size_t> place = free_place(pointer, &taken);
      if (!place) return "there is no room for what its first step alone reads elsewhere";
      node->starts.push_back({*place, pointer});
      at[pointer] = plan_.buffers[*place].kind == Buffer::Kind::kPointer ? moved_.at(*place).start : *place;
    }
    return turn(at, node);
  }

  // Live is what is read, and what comes to be it in a later step, unless the steps write it first.
  void needed_by_next() {
    for (const auto& [pointer, moved] : moved_) {
      if (is_live(pointer)) live_.insert(pointer);
    }
    for (bool more = true; more;) {
      more = false;
      for (const size_t pointer : std::set<size_t>(live_)) {
        const auto next = moved_.find(moved_.at(pointer).next);
        if (next != moved_.end() && !next->second.is_written) more |= live_.insert(next->first).second;
      }
    }
  }

  // A buffer that the steps write in place, or where a pointer points of which nothing is read.
  std::optional<size_t> free_place(size_t pointer, std::set<size_t>* taken) const {
    const size_t next = moved_.at(pointer).next;
    if (moved_.count(next) == 0) {
      const bool free = is_of_steps(next) && taken->insert(next).second;
      return free ? std::optional(next) : std::nullopt;
    }
    for (const auto& [spare, moved] : moved_) {
      const bool unused = !moved.is_written && !moved.is_read && live_.count(spare) == 0;
      if (!unused || plan_.buffers[spare].constant || !is_of_steps(moved.start)) continue;
      if (plan_.buffers[spare].shape.bytes() != plan_.buffers[pointer].shape.bytes()) continue;
      if (taken->insert(moved.start).second) return spare;
    }
    return std::nullopt;
  }

  // All arrays take over at once: one is written when no other needs what is in it.
  std::string turn(const std::map<size_t, size_t>& at, LoopNode* node) const {
    std::map<size_t, size_t> pending;
    // Pointers that began at what is only read are no pointers to write by.
    std::map<size_t, size_t> written_as;
    for (const ArrayCopy& start : node->starts) written_as[start.from] = start.to;
    for (const auto& [pointer, place] : at) {
      const size_t next = moved_.at(pointer).next;
      if (next == pointer || next == place) continue;
      if (moved_.count(next) == 0) return "later steps read what is no array of its state";
      pending[pointer] = next;
    }
    while (!pending.empty()) {
      const auto is_needed = [&](size_t pointer) {
        return std::any_of(pending.begin(), pending.end(), [&](const auto& copy) { return copy.second == pointer; });
      };
      const auto free =
          std::find_if(pending.begin(), pending.end(), [&](const auto& copy) { return !is_needed(copy.first); });
      if (free == pending.end()) return "arrays of its state change places";
      const auto written = written_as.find(free->first);
      node->turns.push_back({written == written_as.end() ? free->first : written->second, free->second});
      pending.erase(free);
    }
    return "";
  }

  const Program& program_;
  const HostPlan& plan_;
  const std::vector<HostStep>& around_;
  size_t position_;
  const HostStep& loop_;
  std::map<size_t, Moved> moved_;
  std::set<size_t> live_;
};

// True if blocks of a launch inside wait for one another: whether a conditional node may have such a launch, CUDA does
// not say.
bool has_grid_barriers(const Program& program, const HostStep& step) {
  bool found = false;
  for_each_step({step}, [&](const HostStep& inner) {
    if (inner.kind != HostStep::Kind::kLaunch) return;
    const Kernel& kernel = program.kernels[inner.kernel];
    found |= kernel.resident && !kernel.apart;
  });
  return found;
}

// Beyond so many nodes making a graph is no longer little beside its runs.
constexpr int64_t kMostNodes = 65536;

// True if counted loops, whose steps are recorded one after the other, make more nodes than that.
bool has_many_nodes(const HostPlan& plan) {
  struct Steps {
    const std::vector<HostStep>* list;
    int64_t times;
  };
  std::vector<Steps> left = {{&plan.steps, 1}};
  int64_t nodes = 0;
  while (!left.empty()) {
    const Steps steps = left.back();
    left.pop_back();
    for (const HostStep& step : *steps.list) {
      if (!moves_pointers(step) && (nodes += steps.times) > kMostNodes) return true;
      const int64_t trip = step.kind == HostStep::Kind::kLoop ? step.trip : 1;
      if (trip > kMostNodes) return true;
      left.push_back({&step.condition, steps.times});
      left.push_back({&step.body, steps.times * trip});
      for (const std::vector<HostStep>& arm : step.arms) left.push_back({&arm, steps.times});
    }
  }
  return false;
}

std::string find_calls(const HostPlan& plan) {
  std::string called;
  for_each_step(plan.steps, [&](const HostStep& step) {
    if (step.kind == HostStep::Kind::kCall) called = parse_function_name(step.call.function).function;
  });
  return called;
}

}  // namespace

GraphForm graph_form(const Program& program) {
  GraphForm form;
  std::vector<const std::vector<HostStep>*> left = {&program.plan.steps};
  while (!left.empty()) {
    const std::vector<HostStep>& steps = *left.back();
    left.pop_back();
    for (size_t i = 0; i < steps.size(); ++i) {
      const HostStep& step = steps[i];
      form.decides |= is_decided(step);
      form.forks |= step.kind == HostStep::Kind::kFork;
      std::string why;
      if (is_decided(step) && has_grid_barriers(program, step)) {
        why = "a launch inside has barriers of all blocks";
      } else if (step.kind == HostStep::Kind::kWhile) {
        why = LoopNodeMaker(program, steps, i).make(&form.loops[&step]);
      }
      if (form.refusal.empty() && !why.empty())
        form.refusal = "the host waits for what decides about a loop or branch: " + why;
      left.push_back(&step.condition);
      left.push_back(&step.body);
      for (const std::vector<HostStep>& arm : step.arms) left.push_back(&arm);
    }
  }
  if (form.decides && form.refusal.empty() && has_many_nodes(program.plan))
    form.refusal = "the host waits for what decides about a loop or branch: counted loops would be too many nodes";
  const std::string called = find_calls(program.plan);
  if (called.empty()) return form;
  form.refusal = form.decides ? "the host waits for what decides about a loop or branch, and calls " + called
                              : "it calls " + called + ", which may wait";
  return form;
}

}  // namespace sinter
