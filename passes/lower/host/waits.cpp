#include "passes/lower/host/waits.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "passes/analysis/values/hardware.h"

namespace sinter {

namespace {

// Arrays, and the share that a block has of what is read or written of each: nullopt, if any block may have any part.
class Shares {
 public:
  using Share = std::optional<BlockShare>;

  auto begin() const { return shares_.begin(); }
  auto end() const { return shares_.end(); }
  bool operator==(const Shares&) const = default;

  // nullptr: nothing is of that array.
  const Share* find(size_t array) const {
    const auto at = std::ranges::lower_bound(shares_, array, {}, &Entry::first);
    return at != shares_.end() && at->first == array ? &at->second : nullptr;
  }
  void add(size_t array, const Share& share) {
    const auto at = std::ranges::lower_bound(shares_, array, {}, &Entry::first);
    if (at == shares_.end() || at->first != array) {
      shares_.insert(at, {array, share});
    } else if (at->second != share) {
      at->second = std::nullopt;
    }
  }
  void add(const Shares& more) {
    if (shares_.empty()) {
      shares_ = more.shares_;
      return;
    }
    for (const auto& [array, share] : more) add(array, share);
  }
  void exchange(size_t a, size_t b) {
    for (Entry& entry : shares_) {
      if (entry.first == a || entry.first == b) entry.first = entry.first == a ? b : a;
    }
    std::ranges::sort(shares_, {}, &Entry::first);
  }

 private:
  using Entry = std::pair<size_t, Share>;
  std::vector<Entry> shares_;  // by array
};

struct SharedAccesses {
  Shares read, written;
  bool operator==(const SharedAccesses&) const = default;

  void add(const SharedAccesses& more) {
    read.add(more.read);
    written.add(more.written);
  }
  void swap(size_t a, size_t b) {
    read.exchange(a, b);
    written.exchange(a, b);
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
    for (const size_t array : arrays_of(program.plan, step.buffers[i])) shares.add(array, share);
  }
  return result;
}

// Those of the steps of a launch, which are walked through again and again.
class AccessesOfSteps {
 public:
  explicit AccessesOfSteps(const Program& program) : program_(program) {}

  const SharedAccesses& of(const HostStep& step) {
    const auto [known, fresh] = known_.try_emplace(&step);
    if (fresh) known->second = shared_accesses_of(program_, step);
    return known->second;
  }

 private:
  const Program& program_;
  std::unordered_map<const HostStep*, SharedAccesses> known_;
};

// `alike`: of arrays that both divide alike among the blocks; else of others.
void add_common(const Shares& first, const Shares& then, bool alike, std::set<size_t>* common) {
  for (const auto& [array, share] : first) {
    const Shares::Share* other = then.find(array);
    if (other != nullptr && (share.has_value() && share == *other) == alike) common->insert(array);
  }
}

// Why `then` has to come after `first`; empty if it does not.
void add_cause(const SharedAccesses& first, const SharedAccesses& then, bool alike, WaitCause* cause) {
  add_common(first.written, then.read, alike, &cause->stored);
  add_common(first.written, then.written, alike, &cause->stored);
  add_common(first.read, then.written, alike, &cause->read);
}

bool is_empty(const WaitCause& cause) { return cause.stored.empty() && cause.read.empty(); }

bool is_copied(const HostStep& step) {
  return step.kind == HostStep::Kind::kCopy || step.kind == HostStep::Kind::kClear;
}

// What has been done between two waits.
struct Done {
  SharedAccesses launched;
  SharedAccesses in_block;  // since a block's threads last waited
  // Copies and clears: an element of an array is always the same thread's, which waits for nobody to go on with it.
  SharedAccesses copied;
  bool operator==(const Done&) const = default;

  void add(const Done& other) {
    launched.add(other.launched);
    in_block.add(other.in_block);
    copied.add(other.copied);
  }
  void add_why_before(const HostStep& step, const SharedAccesses& own, WaitCause* cause) const {
    add_cause(launched, own, false, cause);
    if (!is_copied(step)) add_cause(copied, own, false, cause);
  }
  void add_why_in_block(const SharedAccesses& own, WaitCause* cause) const { add_cause(in_block, own, true, cause); }
};

// What has been done since all blocks last waited, and what was done before that, by the step before which they did:
// while pointers go by the names that they had there.
struct Since : Done {
  std::map<const HostStep*, Done> waited;
  bool operator==(const Since&) const = default;

  void add(const HostStep& step, const SharedAccesses& own) {
    (is_copied(step) ? copied : launched).add(own);
    in_block.add(own);
  }
  void add(const Since& other) {
    Done::add(other);
    for (const auto& [step, done] : other.waited) waited[step].add(done);
  }
  // Pointers have changed places.
  void swap(size_t a, size_t b) {
    for (SharedAccesses* some : {&launched, &in_block, &copied}) some->swap(a, b);
  }
  void wait_before(const HostStep* step) {
    Done done = std::move(*this);
    *this = {};
    waited[step] = std::move(done);
  }
  void wait_in_block_before(const HostStep* step) { waited[step].in_block = std::exchange(in_block, {}); }
};

class WaitFinder {
 public:
  // `most_alone`: blocks that are left to the last one; 0: none are. `enough`: so many waits are as good as more of
  // them: no step is looked at any further. `tells_causes`: what steps wait for is asked, too.
  WaitFinder(const Program& program, AccessesOfSteps* accesses, int64_t most_alone, size_t enough, bool tells_causes)
      : program_(program),
        accesses_(*accesses),
        most_alone_(most_alone),
        enough_(enough),
        tells_causes_(tells_causes) {}

  bool has_enough() const { return waits.before.size() >= enough_; }

  void walk(const std::vector<HostStep>& steps, Since* since) {
    for (size_t i = 0; i < steps.size() && !has_enough(); ++i) {
      const HostStep& step = steps[i];
      waits.last_block.erase(&step);
      if (is_loop(step)) {
        loop(step, since);
      } else if (step.kind == HostStep::Kind::kSwap && program_.plan.buffers[step.buffers[0]].turn) {
        since->swap(step.buffers[0], step.buffers[1]);
        since->waited.clear();
      } else if (step.kind == HostStep::Kind::kPoint) {
        since->waited.clear();
      } else if (does_something(step)) {
        const SharedAccesses& own = accesses_.of(step);
        if (!comes_after_wait(&step, own, since)) {
          wait_in_block(&step, own, since);
          since->add(step, own);
        } else if (const size_t count = count_of_few_blocks(steps, i); count > 0) {
          waits.last_block[&step] = count;
          in_last_block(std::span(steps).subspan(i, count), since);
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
    WaitCause cause;
    since->add_why_before(*step, own, &cause);
    if (!is_empty(cause)) waits.before.insert(step);
    if (waits.before.count(step) == 0) return false;
    waits.in_block.erase(step);
    since->add_why_in_block(own, &cause);
    note_cause(step, step, cause);
    if (tells_causes_) {
      since->wait_before(step);
    } else {
      *since = {};
    }
    return true;
  }

  void wait_in_block(const HostStep* step, const SharedAccesses& own, Since* since) {
    note_earlier(step, own, *since);
    WaitCause cause;
    since->add_why_in_block(own, &cause);
    if (!is_empty(cause)) waits.in_block.insert(step);
    if (waits.in_block.count(step) == 0) return;
    note_cause(step, step, cause);
    if (tells_causes_) {
      since->wait_in_block_before(step);
    } else {
      since->in_block = {};
    }
  }

  // Of steps that one block does alone, whose others wait for it afterwards.
  void in_last_block(std::span<const HostStep> steps, Since* since) {
    SharedAccesses done = accesses_.of(steps.front());
    for (const HostStep& step : steps.subspan(1)) {
      const SharedAccesses& own = accesses_.of(step);
      note_earlier(&step, own, *since);
      WaitCause cause;
      for (const bool alike : {false, true}) add_cause(done, own, alike, &cause);
      waits.in_block.erase(&step);
      if (!is_empty(cause)) {
        waits.in_block.insert(&step);
        note_cause(&step, &step, cause);
        done = {};
      }
      done.add(own);
    }
    *since = {};
  }

  // What a step needs not wait for, since those before it have.
  void note_earlier(const HostStep* step, const SharedAccesses& own, const Since& since) {
    for (const auto& [wait, done] : since.waited) {
      WaitCause cause;
      done.add_why_before(*step, own, &cause);
      done.add_why_in_block(own, &cause);
      if (!is_empty(cause)) note_cause(wait, step, cause);
    }
  }

  void note_cause(const HostStep* wait, const HostStep* step, const WaitCause& cause) {
    if (!tells_causes_) return;
    WaitCauses& causes = waits.causes[wait];
    auto known = std::ranges::find(causes, step, &StepCause::step);
    if (known == causes.end()) known = causes.insert(known, {step, {}});
    known->cause.stored.insert(cause.stored.begin(), cause.stored.end());
    known->cause.read.insert(cause.read.begin(), cause.read.end());
  }

  // How many of these come one after the other, from step number `first` on.
  size_t count_of_few_blocks(const std::vector<HostStep>& steps, size_t first) const {
    size_t count = 0;
    while (most_alone_ > 0 && first + count < steps.size()) {
      const HostStep& step = steps[first + count];
      if (step.kind != HostStep::Kind::kLaunch) break;
      if (!has_few_blocks(program_.kernels[step.kernel], most_alone_)) break;
      ++count;
    }
    return count;
  }

  // The first iteration comes after what is before the loop, the others after the last steps of one: until no step more
  // has to wait.
  void loop(const HostStep& step, Since* since) {
    if (waits.before_loop.count(&step) > 0) *since = {};
    Since before = *since;
    while (!has_enough()) {
      Since state = before;
      walk(step.condition, &state);
      if (step.kind == HostStep::Kind::kWhile) {
        SharedAccesses condition;
        for (const size_t array : places_of(program_.plan, step.buffers[0])) condition.read.add(array, std::nullopt);
        if (!comes_after_wait(&step, condition, &state)) note_earlier(&step, condition, state);
        state.add(step, condition);
        *since = state;  // where it ends
        since->waited.clear();
      }
      walk(step.body, &state);
      state.waited.clear();
      if (step.kind == HostStep::Kind::kLoop) *since = state;
      Since all = before;
      all.add(state);
      if (all == before) return;
      before = std::move(all);
    }
  }

  const Program& program_;
  AccessesOfSteps& accesses_;
  const int64_t most_alone_;
  const size_t enough_;
  const bool tells_causes_;
};

}  // namespace

bool has_few_blocks(const Kernel& kernel, int64_t most) {
  const int64_t blocks = kernel.launch.blocks();
  return blocks == 1 || (blocks <= most && static_cast<double>(blocks - 1) * kernel.work.chain < kFoundCycles);
}

std::set<size_t> arrays_of(const HostPlan& plan, size_t buffer) {
  return plan.buffers[buffer].turn ? std::set<size_t>{buffer} : places_of(plan, buffer);
}

bool has_one_block(const Program& program, const std::vector<HostStep>& steps) {
  bool one = true;
  for_each_step(steps, [&](const HostStep& step) {
    one &= step.kind != HostStep::Kind::kLaunch || program.kernels[step.kernel].launch.grid[0] == 1;
  });
  return one;
}

// One block does up to `most_alone` blocks of a step alone.
static Waits waits_with_alone(const Program& program, const std::vector<HostStep>& steps, int64_t most_alone,
                              AccessesOfSteps* accesses) {
  // nullopt: there are `enough`.
  const auto fewer_than = [&](size_t enough, std::set<const HostStep*> before, std::set<const HostStep*> before_loop) {
    WaitFinder finder(program, accesses, most_alone, enough, false);
    finder.waits.before = std::move(before);
    finder.waits.before_loop = std::move(before_loop);
    Since since;
    finder.walk(steps, &since);
    return finder.has_enough() ? std::nullopt : std::optional(std::move(finder.waits));
  };
  constexpr size_t kAnyNumber = SIZE_MAX;
  std::vector<const HostStep*> all;
  for_each_step(steps, [&](const HostStep& step) { all.push_back(&step); });
  // What a loop's first iteration made wait need not, where a step before it waits for the iteration before.
  const auto without_needless = [&](Waits waits) {
    for (const HostStep* step : all) {
      if (!waits.before.contains(step)) continue;
      std::set<const HostStep*> others = waits.before;
      others.erase(step);
      if (std::optional<Waits> fewer = fewer_than(waits.before.size(), std::move(others), waits.before_loop))
        waits = std::move(*fewer);
    }
    return waits;
  };
  Waits waits = without_needless(*fewer_than(kAnyNumber, {}, {}));
  // Nor where all have waited before the loop.
  for (const HostStep* step : all) {
    if (!is_loop(*step)) continue;
    std::set<const HostStep*> loops = waits.before_loop;
    loops.insert(step);
    Waits fewer = without_needless(*fewer_than(kAnyNumber, {}, std::move(loops)));
    if (fewer.before.size() < waits.before.size()) waits = std::move(fewer);
  }
  // Causes are those that are left where all of these wait.
  WaitFinder finder(program, accesses, most_alone, kAnyNumber, true);
  finder.waits.before = std::move(waits.before);
  finder.waits.before_loop = std::move(waits.before_loop);
  finder.waits.in_block = std::move(waits.in_block);
  Since since;
  finder.walk(steps, &since);
  return std::move(finder.waits);
}

Waits find_waits(const Program& program, const std::vector<HostStep>& steps, bool one_block) {
  AccessesOfSteps accesses(program);
  if (one_block) return waits_with_alone(program, steps, 0, &accesses);
  Waits waits = waits_with_alone(program, steps, kMostAlone, &accesses);
  bool has_several = false;
  for_each_step(steps, [&](const HostStep& step) {
    const Kernel* kernel = step.kind == HostStep::Kind::kLaunch ? &program.kernels[step.kernel] : nullptr;
    has_several |= kernel != nullptr && !has_few_blocks(*kernel, 1) && has_few_blocks(*kernel, kMostAlone);
  });
  if (!has_several) return waits;
  // They are done one after the other where that makes a wait less.
  Waits of_ones = waits_with_alone(program, steps, 1, &accesses);
  const auto count = [](const Waits& some) { return some.before.size() + some.before_loop.size(); };
  return count(of_ones) <= count(waits) ? of_ones : waits;
}

}  // namespace sinter
