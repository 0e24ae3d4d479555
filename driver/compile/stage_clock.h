// A stop watch for the stages of the main line.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

namespace sinter {

// What is told of a stage when it is over: its name and the seconds it took. May be empty.
using StageObserver = std::function<void(std::string_view name, double seconds)>;

class StageClock {
 public:
  explicit StageClock(const StageObserver& observer) : observer_(observer) {}

  // The stage since the last call (or the beginning) is over.
  void end(std::string_view stage) {
    const std::chrono::duration<double> seconds = Clock::now() - start_;
    if (observer_) observer_(stage, seconds.count());
    start_ = Clock::now();
  }
  // What happened since the last call is told otherwise.
  void skip() { start_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  const StageObserver& observer_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace sinter
