#include "driver/commands/progress.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace sinter {
namespace {

using std::chrono::steady_clock;

// A compile that is over sooner says nothing; then the line is as new as anyone reads.
constexpr std::chrono::milliseconds kSilent{1000}, kBetween{200};

constexpr std::array<std::string_view, 5> kStages = {"parse", "passes", "schedule", "lower", "emit"};

// To the start of the line, and nothing right of there.
constexpr std::string_view kClear = "\r\x1b[K";

void put(int file, const std::string& text) {
  // What cannot be shown is not: a compile does not fail for that.
  [[maybe_unused]] const ssize_t written = ::write(file, text.data(), text.size());
}

}  // namespace

std::string progress_line(std::string_view stage, double seconds) {
  std::string line = "sinter: " + std::string(stage);
  const auto known = std::find(kStages.begin(), kStages.end(), stage);
  if (known != kStages.end()) {
    line += " (stage " + std::to_string(known - kStages.begin() + 1) + " of " + std::to_string(kStages.size()) + ")";
  }
  return line + ", " + std::to_string(static_cast<long>(seconds)) + " s";
}

Progress::Progress(int file) : file_(file) {
  if (isatty(file) == 1) thread_ = std::thread([this] { show(); });
}

void Progress::begin(std::string_view stage) {
  const std::lock_guard<std::mutex> lock(mutex_);
  stage_ = stage;
}

void Progress::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ended_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void Progress::show() {
  const auto start = steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  bool is_shown = false;
  while (!ended_.wait_for(lock, is_shown ? kBetween : kSilent, [this] { return is_ended_; })) {
    const std::chrono::duration<double> seconds = steady_clock::now() - start;
    put(file_, std::string(kClear) + progress_line(stage_, seconds.count()));
    is_shown = true;
  }
  if (is_shown) put(file_, std::string(kClear));
}

}  // namespace sinter
