#include "passes/lower/host/forks.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <utility>

#include "passes/lower/host/accesses.h"
#include "passes/lower/host/arena.h"
#include "passes/lower/host/graph_form.h"

namespace sinter {

namespace {

// What it takes that branches begin and end, in microseconds: an edge more before and behind each. Not measured.
constexpr double kForkCostUs = 2;
// Of the time of the steps a fork is made of, and of a run, what is to be saved at least.
constexpr double kLeastSaved = 0.05;
// Of the arena without forks, how much larger it may be with them; and what is little in any case, in bytes.
constexpr double kMostArena = 1.25;
constexpr int64_t kSmallArena = int64_t{32} << 20;
// Steps that one fork is looked for among, and branches that it has.
constexpr size_t kMostSteps = 64, kMostBranches = 8;

// Which steps of a list have to wait for which before them.
class Needs {
 public:
  explicit Needs(const Program& program) : program_(program), plan_(program.plan) {}

  // Of each step that has a load, the positions of earlier ones: those between two that have none are compared alone.
  std::vector<std::vector<size_t>> of(const std::vector<HostStep>& steps,
                                      const std::vector<std::optional<StepLoad>>& loads) const {
    struct Place {
      std::optional<size_t> written;  // by the step
      std::vector<size_t> read;       // since then
    };
    std::map<size_t, Place> places;
    std::vector<std::vector<size_t>> needs(steps.size());
    for (size_t i = 0; i < steps.size(); ++i) {
      if (!loads[i]) continue;
      const Accesses accesses = accesses_of(program_, steps[i]);
      const std::set<size_t> read = arrays_of(accesses.read), written = arrays_of(accesses.written);
      std::set<size_t> before;
      for (const size_t array : read) {
        if (places[array].written) before.insert(*places[array].written);
      }
      for (const size_t array : written) {
        const Place& place = places[array];
        if (place.written) before.insert(*place.written);
        before.insert(place.read.begin(), place.read.end());
      }
      for (const size_t array : read) places[array].read.push_back(i);
      for (const size_t array : written) places[array] = {i, {}};
      needs[i].assign(before.begin(), before.end());
    }
    return needs;
  }

 private:
  std::set<size_t> arrays_of(const std::set<size_t>& buffers) const {
    std::set<size_t> arrays;
    for (const size_t buffer : buffers) {
      if (const std::optional<size_t> array = array_of(buffer)) arrays.insert(*array);
    }
    return arrays;
  }

  // One number for buffers that may be one array: a donated input is its output's.
  std::optional<size_t> array_of(size_t number) const {
    const Buffer& buffer = plan_.buffers[number];
    switch (buffer.kind) {
      case Buffer::Kind::kFinished:  // each branch gets its own
      case Buffer::Kind::kConstant:
      case Buffer::Kind::kWeight:
      case Buffer::Kind::kPointer:  // one of its places
        return std::nullopt;
      case Buffer::Kind::kInput:
      case Buffer::Kind::kDonated:
      case Buffer::Kind::kOutput: {
        const bool is_output = buffer.kind == Buffer::Kind::kOutput;
        const int64_t output = is_output ? buffer.index : program_.inputs.at(buffer.index).donated_to;
        const size_t beyond = plan_.buffers.size();
        return output >= 0 ? beyond + static_cast<size_t>(output) : number;
      }
      case Buffer::Kind::kArena:
        return number;
    }
    return std::nullopt;
  }

  const Program& program_;
  const HostPlan& plan_;
};

using Branches = std::vector<std::vector<StepLoad>>;

double sum_us(const std::vector<StepLoad>& loads) {
  return std::accumulate(loads.begin(), loads.end(), 0.0, [](double us, const StepLoad& load) { return us + load.us; });
}

// Of a fork into branches, beside them one after the other.
double saved_by(const Branches& branches) {
  double us = 0;
  for (const std::vector<StepLoad>& loads : branches) us += sum_us(loads);
  return us - kForkCostUs - side_by_side_us(branches);
}

// Finds forks in one list of steps, and makes them.
class Forker {
 public:
  Forker(const LoadOf& load_of, Program* program) : load_of_(load_of), program_(*program) {}

  double saved_us() const { return saved_us_; }

  // `times`: how often a run does the steps.
  void fork(double times, std::vector<HostStep>* steps) {
    std::vector<HostStep> result;
    loads_.clear();
    for (const HostStep& step : *steps) loads_.push_back(load_of_beside(step));
    needs_ = Needs(program_).of(*steps, loads_);
    for (size_t i = 0; i < steps->size();) {
      const Fork best = best_from(i);
      if (best.end == i) {
        result.push_back(std::move((*steps)[i++]));
        continue;
      }
      HostStep fork;
      fork.kind = HostStep::Kind::kFork;
      for (const std::vector<size_t>& branch : best.branches) {
        std::vector<HostStep>& arm = fork.arms.emplace_back();
        for (const size_t step : branch) arm.push_back(std::move((*steps)[step]));
      }
      count_apart(&fork.arms);
      result.push_back(std::move(fork));
      saved_us_ += times * best.saved_us;
      i = best.end;
    }
    *steps = std::move(result);
  }

 private:
  struct Fork {
    size_t end = 0;
    double saved_us = 0;
    std::vector<std::vector<size_t>> branches;  // positions of steps
  };

  // nullopt: others do not run beside it.
  std::optional<StepLoad> load_of_beside(const HostStep& step) const {
    const bool is_launch = step.kind == HostStep::Kind::kLaunch;
    const bool is_plain =
        is_launch || step.kind == HostStep::Kind::kClear || (step.kind == HostStep::Kind::kCopy && !step.unless_same);
    // A branch has a node, which copies and clears of nothing are not.
    if (is_plain && !is_launch && program_.plan.buffers[step.buffers[0]].shape.bytes() == 0) return std::nullopt;
    // All blocks of a resident launch have to be on the device before any goes on.
    if (!is_plain || (is_launch && program_.kernels[step.kernel].resident)) return std::nullopt;
    return load_of_(step);
  }

  Fork best_from(size_t begin) const {
    Fork best = {.end = begin};
    std::vector<size_t> group;  // of each step from `begin` on, the first that it is connected with
    size_t groups = 0;
    double us = 0;
    for (size_t i = begin; i < loads_.size() && i < begin + kMostSteps && loads_[i]; ++i) {
      us += loads_[i]->us;
      size_t own = i;
      std::set<size_t> joined;
      for (const size_t before : needs_[i]) {
        if (before < begin) continue;
        joined.insert(group[before - begin]);
        own = std::min(own, group[before - begin]);
      }
      group.push_back(own);
      groups = groups + 1 - joined.size();
      if (joined.size() > 1) {
        for (size_t& other : group) other = joined.contains(other) ? own : other;
      }
      if (groups < 2) continue;
      Fork fork = fork_of(begin, group, us);
      if (fork.saved_us > std::max(best.saved_us, kLeastSaved * us)) best = std::move(fork);
    }
    return best;
  }

  Fork fork_of(size_t begin, const std::vector<size_t>& group, double us) const {
    Fork fork = {.end = begin + group.size()};
    std::map<size_t, std::vector<size_t>> connected;
    for (size_t i = 0; i < group.size(); ++i) connected[group[i]].push_back(begin + i);
    Branches loads;
    for (auto& [first, steps] : connected) {
      size_t branch = fork.branches.size();
      if (branch == kMostBranches) {  // behind the one that is done first
        const auto shortest = std::ranges::min_element(loads, {}, sum_us);
        branch = static_cast<size_t>(shortest - loads.begin());
      } else {
        fork.branches.emplace_back();
        loads.emplace_back();
      }
      for (const size_t step : steps) {
        fork.branches[branch].push_back(step);
        loads[branch].push_back(*loads_[step]);
      }
    }
    const double longest = std::ranges::max(loads | std::views::transform(sum_us));
    if (us - longest <= kForkCostUs) return fork;
    fork.saved_us = saved_by(loads);
    return fork;
  }

  // Blocks of launches at the same time count in places of their own.
  void count_apart(std::vector<std::vector<HostStep>>* arms) {
    int64_t first = 0;
    for (std::vector<HostStep>& arm : *arms) {
      int64_t end = first;
      for_each_step(&arm, [&](HostStep* step) {
        for (size_t& buffer : step->buffers) {
          if (program_.plan.buffers[buffer].kind != Buffer::Kind::kFinished) continue;
          buffer = counts_from(first, buffer);
          const Buffer& counts = program_.plan.buffers[buffer];
          end = std::max(end, counts.index + counts.shape.element_count());
        }
      });
      first = end;
    }
  }

  // The same counts, so many further.
  size_t counts_from(int64_t first, size_t number) {
    if (first == 0) return number;
    Buffer counts = program_.plan.buffers[number];
    counts.index += first;
    const auto [place, fresh] =
        counts_.try_emplace({counts.index, counts.shape.element_count()}, program_.plan.buffers.size());
    if (fresh) program_.plan.buffers.push_back(std::move(counts));
    return place->second;
  }

  const LoadOf& load_of_;
  Program& program_;
  std::vector<std::optional<StepLoad>> loads_;  // of the steps
  std::vector<std::vector<size_t>> needs_;
  std::map<std::pair<int64_t, int64_t>, size_t> counts_;  // buffers, by place and number
  double saved_us_ = 0;
};

}  // namespace

double side_by_side_us(const std::vector<std::vector<StepLoad>>& branches) {
  struct Running {
    const std::vector<StepLoad>* loads;
    size_t step = 0;
    double left_us = 0;  // if it ran alone
  };
  std::vector<Running> running;
  for (const std::vector<StepLoad>& loads : branches) {
    if (!loads.empty()) running.push_back({&loads, 0, loads[0].us});
  }
  double us = 0;
  while (!running.empty()) {
    double busy = 0;
    for (const Running& branch : running) busy += (*branch.loads)[branch.step].busy;
    const double slower = std::max(1.0, busy);
    const double next = std::ranges::min(running, {}, &Running::left_us).left_us;
    us += next * slower;
    for (Running& branch : running) {
      branch.left_us -= next;
      if (branch.left_us <= 0 && ++branch.step < branch.loads->size()) branch.left_us = (*branch.loads)[branch.step].us;
    }
    std::erase_if(running, [](const Running& branch) { return branch.step == branch.loads->size(); });
  }
  return us;
}

double saved_us(const HostStep& fork, const LoadOf& load_of) {
  Branches branches;
  for (const std::vector<HostStep>& arm : fork.arms) {
    std::vector<StepLoad>& loads = branches.emplace_back();
    for (const HostStep& step : arm) loads.push_back(load_of(step).value_or(StepLoad()));
  }
  return saved_by(branches);
}

void fork_steps(const LoadOf& load_of, Program* program) {
  if (!graph_form(*program).refusal.empty()) return;
  HostPlan& plan = program->plan;
  const std::vector<HostStep> without = plan.steps;
  const size_t buffers = plan.buffers.size();
  Forker forker(load_of, program);
  double run_us = 0;
  struct Steps {
    std::vector<HostStep>* list;
    double times;
  };
  std::vector<Steps> left = {{&plan.steps, 1}};
  while (!left.empty()) {
    const Steps steps = left.back();
    left.pop_back();
    for (const HostStep& step : *steps.list) run_us += steps.times * load_of(step).value_or(StepLoad()).us;
    forker.fork(steps.times, steps.list);
    for (HostStep& step : *steps.list) {
      if (step.kind == HostStep::Kind::kFork) continue;
      const double trip = step.kind == HostStep::Kind::kLoop ? static_cast<double>(step.trip) : 1;
      for (std::vector<HostStep>* inner : {&step.condition, &step.body}) left.push_back({inner, steps.times * trip});
      for (std::vector<HostStep>& arm : step.arms) left.push_back({&arm, steps.times});
    }
  }
  if (forker.saved_us() == 0) return;
  const int64_t before = plan.arena_bytes;
  assign_arena(&plan);
  const auto most = static_cast<int64_t>(kMostArena * static_cast<double>(before));
  if (forker.saved_us() >= kLeastSaved * run_us && plan.arena_bytes <= std::max(most, before + kSmallArena)) return;
  plan.steps = without;
  plan.buffers.resize(buffers);
  assign_arena(&plan);
}

}  // namespace sinter
