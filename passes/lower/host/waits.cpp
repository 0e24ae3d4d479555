#include "passes/lower/host/waits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "passes/analysis/values/hardware.h"

namespace sinter {

namespace {

// Where a step's argument may be. Pointers that take turns are never one array: each stands for what it points to.
std::set<size_t> arrays_of(const HostPlan& plan, size_t buffer) {
  return plan.buffers[buffer].turn ? std::set<size_t>{buffer} : places_of(plan, buffer);
}

// Arrays, and the share that a block has of what is read or written of each: nullopt, if any block may have any part.
// In order: steps have few, and they are copied and put together again and again.
struct ArrayShare {
  size_t array = 0;
  std::optional<BlockShare> share;
  bool operator==(const ArrayShare&) const = default;
};
using Shares = std::vector<ArrayShare>;

void exchange(size_t a, size_t b, Shares* shares) {
  for (ArrayShare& known : *shares) {
    if (known.array == a || known.array == b) known.array = known.array == a ? b : a;
  }
  std::ranges::sort(*shares, {}, &ArrayShare::array);
}

void add_share(size_t array, const std::optional<BlockShare>& share, Shares* shares) {
  const auto known = std::ranges::lower_bound(*shares, array, {}, &ArrayShare::array);
  if (known == shares->end() || known->array != array)
    shares->insert(known, {array, share});
  else if (known->share != share)
    known->share = std::nullopt;
}

struct SharedAccesses {
  Shares read, written;
  bool operator==(const SharedAccesses&) const = default;

  void add(const SharedAccesses& more) {
    for (const auto& [array, share] : more.read) add_share(array, share, &read);
    for (const auto& [array, share] : more.written) add_share(array, share, &written);
  }
  void swap(size_t a, size_t b) {
    exchange(a, b, &read);
    exchange(a, b, &written);
  }
};

// Steps of one block are whichever block's.
SharedAccesses shared_accesses_of(const Program& program, const HostStep& step) {
  SharedAccesses result;
  const Kernel* kernel = step.kind == HostStep::Kind::kLaunch ? &program.kernels[step.kernel] : nullptr;
  const bool divides = kernel != nullptr && kernel->launch.grid[0] > 1;
  for (size_t i = 0; i < step.buffers.size(); ++i) {
    const std::optional<BlockShare> share = divides ? kernel->parameters[i].share : std::nullopt;
    Shares& shares = is_written(program, step, i) ? result.written : result.read;
    for (const size_t array : arrays_of(program.plan, step.buffers[i])) add_share(array, share, &shares);
  }
  return result;
}

// `alike`: of arrays that both divide alike among the blocks; else of others.
void add_common(const Shares& first, const Shares& then, bool alike, std::set<size_t>* common) {
  auto other = then.begin();
  for (const auto& [array, share] : first) {
    while (other != then.end() && other->array < array) ++other;
    if (other == then.end()) return;
    if (other->array == array && (share.has_value() && share == other->share) == alike) common->insert(array);
  }
}

// Why `then` has to come after `first`; empty if it does not.
void add_cause(const SharedAccesses& first, const SharedAccesses& then, bool alike, WaitCause* cause) {
  add_common(first.written, then.read, alike, &cause->stored);
  add_common(first.written, then.written, alike, &cause->stored);
  add_common(first.read, then.written, alike, &cause->read);
}

bool is_empty(const WaitCause& cause) { return cause.stored.empty() && cause.read.empty(); }

// What has been done since all blocks last waited.
struct Since {
  SharedAccesses launched;
  SharedAccesses in_block;  // since a block's threads last waited
  // Copies and clears: an element of an array is always the same thread's, which waits for nobody to go on with it.
  SharedAccesses copied;
  bool operator==(const Since&) const = default;

  void add(const HostStep& step, const SharedAccesses& own) {
    (is_copied(step) ? copied : launched).add(own);
    in_block.add(own);
  }
  void add(const Since& other) {
    launched.add(other.launched);
    in_block.add(other.in_block);
    copied.add(other.copied);
  }
  // Pointers have changed places.
  void swap(size_t a, size_t b) {
    for (SharedAccesses* some : {&launched, &in_block, &copied}) some->swap(a, b);
  }
  WaitCause why_before(const HostStep& step, const SharedAccesses& own) const {
    WaitCause cause;
    add_cause(launched, own, false, &cause);
    if (!is_copied(step)) add_cause(copied, own, false, &cause);
    return cause;
  }
  WaitCause why_in_block(const SharedAccesses& own) const {
    WaitCause cause;
    add_cause(in_block, own, true, &cause);
    return cause;
  }

 private:
  static bool is_copied(const HostStep& step) {
    return step.kind == HostStep::Kind::kCopy || step.kind == HostStep::Kind::kClear;
  }
};

// What each step reads and writes, which is asked for each set of waits that is tried.
class StepAccesses {
 public:
  explicit StepAccesses(const Program& program) : program_(program) {}

  const SharedAccesses& of(const HostStep& step) {
    const auto [known, fresh] = known_.try_emplace(&step);
    if (fresh) known->second = shared_accesses_of(program_, step);
    return known->second;
  }

 private:
  const Program& program_;
  std::unordered_map<const HostStep*, SharedAccesses> known_;
};

class WaitFinder {
 public:
  WaitFinder(const Program& program, bool one_block, StepAccesses* accesses)
      : program_(program), one_block_(one_block), accesses_(*accesses) {}

  void walk(const std::vector<HostStep>& steps, Since* since) {
    for (size_t i = 0; i < steps.size(); ++i) {
      const HostStep& step = steps[i];
      waits.last_block.erase(&step);
      if (is_loop(step)) {
        loop(step, since);
      } else if (step.kind == HostStep::Kind::kSwap && program_.plan.buffers[step.buffers[0]].turn) {
        since->swap(step.buffers[0], step.buffers[1]);
      } else if (does_something(step)) {
        const SharedAccesses& own = accesses_.of(step);
        if (!comes_after_wait(&step, own, since)) {
          wait_in_block(&step, own, since);
          since->add(step, own);
        } else if (const size_t count = count_of_few_blocks(steps, i); count > 0) {
          waits.last_block[&step] = count;
          i += count - 1;
        } else {
          since->add(step, own);
        }
      }
    }
  }

  Waits waits;

 private:
  static bool does_something(const HostStep& step) {
    return step.kind == HostStep::Kind::kLaunch || step.kind == HostStep::Kind::kCopy ||
           step.kind == HostStep::Kind::kClear;
  }

  // Once a step waits it does so however the loops around it begin.
  bool comes_after_wait(const HostStep* step, const SharedAccesses& own, Since* since) {
    WaitCause cause = since->why_before(*step, own);
    if (!is_empty(cause)) waits.before.insert(step);
    if (waits.before.count(step) == 0) return false;
    waits.in_block.erase(step);
    note_cause(step, std::move(cause));
    *since = {};
    return true;
  }

  void wait_in_block(const HostStep* step, const SharedAccesses& own, Since* since) {
    WaitCause cause = since->why_in_block(own);
    if (!is_empty(cause)) waits.in_block.insert(step);
    if (waits.in_block.count(step) == 0) return;
    note_cause(step, std::move(cause));
    since->in_block = {};
  }

  void note_cause(const HostStep* step, WaitCause cause) {
    waits.causes[step].stored.merge(cause.stored);
    waits.causes[step].read.merge(cause.read);
  }

  // A launch of one block, or of two of which the second takes less time than a wait.
  static bool has_few_blocks(const Kernel& kernel) {
    const LaunchDimensions& launch = kernel.launch;
    const int64_t blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
    return blocks == 1 || (blocks == 2 && kernel.work.chain < kFoundCycles);
  }

  // How many of these come one after the other, from step number `first` on.
  size_t count_of_few_blocks(const std::vector<HostStep>& steps, size_t first) const {
    size_t count = 0;
    while (!one_block_ && first + count < steps.size()) {
      const HostStep& step = steps[first + count];
      if (step.kind != HostStep::Kind::kLaunch) break;
      if (!has_few_blocks(program_.kernels[step.kernel])) break;
      ++count;
    }
    return count;
  }

  // The first iteration comes after what is before the loop, the others after the last steps of one: until no step more
  // has to wait.
  void loop(const HostStep& step, Since* since) {
    if (waits.before_loop.count(&step) > 0) *since = {};
    Since before = *since;
    for (;;) {
      Since state = before;
      walk(step.condition, &state);
      if (step.kind == HostStep::Kind::kWhile) {
        SharedAccesses condition;
        for (const size_t array : places_of(program_.plan, step.buffers[0]))
          add_share(array, std::nullopt, &condition.read);
        comes_after_wait(&step, condition, &state);
        state.add(step, condition);
        *since = state;  // where it ends
      }
      walk(step.body, &state);
      if (step.kind == HostStep::Kind::kLoop) *since = state;
      Since all = before;
      all.add(state);
      if (all == before) return;
      before = std::move(all);
    }
  }

  const Program& program_;
  const bool one_block_;
  StepAccesses& accesses_;
};

}  // namespace

bool has_one_block(const Program& program, const std::vector<HostStep>& steps) {
  bool one = true;
  for_each_step(steps, [&](const HostStep& step) {
    one &= step.kind != HostStep::Kind::kLaunch || program.kernels[step.kernel].launch.grid[0] == 1;
  });
  return one;
}

Waits find_waits(const Program& program, const std::vector<HostStep>& steps, bool one_block) {
  StepAccesses accesses(program);
  const auto waits_with = [&](std::set<const HostStep*> before, std::set<const HostStep*> before_loop) {
    WaitFinder finder(program, one_block, &accesses);
    finder.waits.before = std::move(before);
    finder.waits.before_loop = std::move(before_loop);
    Since since;
    finder.walk(steps, &since);
    return std::move(finder.waits);
  };
  std::vector<const HostStep*> all;
  for_each_step(steps, [&](const HostStep& step) { all.push_back(&step); });
  // What a loop's first iteration made wait need not, where a step before it waits for the iteration before.
  const auto without_needless = [&](Waits waits) {
    for (const HostStep* step : all) {
      std::set<const HostStep*> others = waits.before;
      if (others.erase(step) == 0) continue;
      Waits fewer = waits_with(std::move(others), waits.before_loop);
      if (fewer.before.size() < waits.before.size()) waits = std::move(fewer);
    }
    return waits;
  };
  Waits waits = without_needless(waits_with({}, {}));
  // Nor where all have waited before the loop.
  for (const HostStep* step : all) {
    if (!is_loop(*step)) continue;
    std::set<const HostStep*> loops = waits.before_loop;
    loops.insert(step);
    Waits fewer = without_needless(waits_with({}, std::move(loops)));
    if (fewer.before.size() < waits.before.size()) waits = std::move(fewer);
  }
  return waits;
}

}  // namespace sinter
