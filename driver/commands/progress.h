// A line on a terminal that says what a long compile is at: there from its first second to its end, and nowhere else.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace sinter {

// "sinter: schedule (stage 3 of 5), 12 s" for a stage of the main line; a stage that is none of those has no number.
std::string progress_line(std::string_view stage, double seconds);

class Progress {
 public:
  // Nothing is ever shown where `file` is no terminal.
  explicit Progress(int file);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { end(); }

  void begin(std::string_view stage);
  // Clears the line: others may write from here on.
  void end();

 private:
  void show();

  const int file_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_ended_ = false;
  std::string stage_;
  std::thread thread_;  // none where nothing is shown
};

}  // namespace sinter
