// The order of a launch's steps. Those that need nothing of one another may come in any order: one that needs nothing
// of what has been made since blocks last waited comes before one that does, and so may make a wait less.
//
//   sums; barrier; total; counts; barrier; mean   =>   sums; counts; barrier; total, mean
#include <algorithm>
#include <set>
#include <vector>

#include "passes/lower/host/accesses.h"
#include "passes/lower/host/waits.h"

namespace sinter {

namespace {

// Of a loop that data ends.
constexpr double kStepsOfData = 10;

// How often blocks wait.
double count_waits(const std::vector<HostStep>& steps, const Waits& waits, double times) {
  double count = 0;
  for (const HostStep& step : steps) {
    if (waits.before_loop.contains(&step)) count += times;
    const double inside =
        step.kind == HostStep::Kind::kLoop ? times * static_cast<double>(step.trip) : times * kStepsOfData;
    if (waits.before.contains(&step)) count += step.kind == HostStep::Kind::kWhile ? inside : times;
    if (!is_loop(step)) continue;
    count += count_waits(step.condition, waits, inside) + count_waits(step.body, waits, inside);
  }
  return count;
}

bool meet(const std::set<size_t>& a, const std::set<size_t>& b) {
  return std::ranges::any_of(a, [&](size_t array) { return b.contains(array); });
}

bool may_change_places(const Accesses& a, const Accesses& b) {
  return !meet(a.written, b.written) && !meet(a.written, b.read) && !meet(a.read, b.written);
}

bool is_movable(const HostStep& step) {
  return step.kind == HostStep::Kind::kLaunch || step.kind == HostStep::Kind::kCopy ||
         step.kind == HostStep::Kind::kClear;
}

// Steps from `first` up to `end`, in the order that they may have.
class StepOrder {
 public:
  StepOrder(const Program& program, const std::vector<HostStep>& steps, size_t first, size_t end) {
    for (size_t i = first; i < end; ++i) {
      accesses_.push_back(accesses_of(program, steps[i]));
      few_.push_back(steps[i].kind == HostStep::Kind::kLaunch &&
                     has_few_blocks(program.kernels[steps[i].kernel], kMostAlone));
    }
    done_.resize(accesses_.size());
  }

  // Positions from `first` on. `few_first`: where all have to wait, those of few blocks come first, which the last
  // block does alone.
  std::vector<size_t> run(bool few_first) {
    const auto any = [](size_t) { return true; };
    while (order_.size() < accesses_.size()) {
      if (take([&](size_t i) { return needs_none_of(i, since_); })) continue;
      since_.clear();
      while (few_first && take([&](size_t i) { return few_[i]; })) since_.clear();
      if (order_.size() < accesses_.size()) take(any);
    }
    return order_;
  }

 private:
  bool needs_none_of(size_t step, const std::vector<size_t>& others) const {
    return std::ranges::all_of(others,
                               [&](size_t other) { return may_change_places(accesses_[step], accesses_[other]); });
  }

  // The first step that is wanted, and needs nothing of those before it that are left.
  template <class Wanted>
  bool take(const Wanted& wanted) {
    std::vector<size_t> left;
    for (size_t i = 0; i < accesses_.size(); ++i) {
      if (done_[i]) continue;
      if (wanted(i) && needs_none_of(i, left)) {
        done_[i] = true;
        order_.push_back(i);
        since_.push_back(i);
        return true;
      }
      left.push_back(i);
    }
    return false;
  }

  std::vector<Accesses> accesses_;
  std::vector<bool> few_, done_;
  std::vector<size_t> order_, since_;  // since_: blocks last waited
};

class StepSorter {
 public:
  StepSorter(const Program& program, std::vector<HostStep>* all) : program_(program), all_(*all) {}

  void run(std::vector<HostStep>* steps) {
    for (HostStep& step : *steps) {
      if (!is_loop(step)) continue;
      run(&step.condition);
      run(&step.body);
    }
    for (size_t first = 0; first < steps->size();) {
      size_t end = first;
      while (end < steps->size() && is_movable((*steps)[end])) ++end;
      if (end - first > 2) {
        for (const bool few_first : {true, false}) try_order(first, end, few_first, steps);
      }
      first = std::max(end, first + 1);
    }
  }

 private:
  // Keeps it if blocks wait less often.
  void try_order(size_t first, size_t end, bool few_first, std::vector<HostStep>* steps) {
    const std::vector<size_t> order = StepOrder(program_, *steps, first, end).run(few_first);
    if (std::ranges::is_sorted(order)) return;
    const double before = count();
    const auto begin = steps->begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<HostStep> old(begin, begin + std::ssize(order));
    for (size_t i = 0; i < order.size(); ++i) (*steps)[first + i] = old[order[i]];
    if (count() < before) return;
    std::ranges::copy(old, begin);
  }

  double count() const { return count_waits(all_, find_waits(program_, all_), 1); }

  const Program& program_;
  std::vector<HostStep>& all_;
};

}  // namespace

void order_steps(const Program& program, std::vector<HostStep>* steps) {
  if (has_one_block(program, *steps)) return;
  StepSorter(program, steps).run(steps);
}

}  // namespace sinter
