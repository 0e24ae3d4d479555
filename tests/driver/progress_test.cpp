// The line of a long compile: what it says, and that it is there on a terminal alone and gone at the end.
#include "driver/commands/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>

namespace sinter {
namespace {

// What has come within a few seconds: all, or up to `until`.
std::string read_until(int file, const std::string& until) {
  constexpr int kPatience = 10'000;  // milliseconds
  std::string text;
  pollfd ready = {.fd = file, .events = POLLIN, .revents = 0};
  while (text.find(until) == std::string::npos && poll(&ready, 1, kPatience) > 0) {
    char buffer[256];
    const ssize_t size = read(file, buffer, sizeof buffer);
    if (size <= 0) break;
    text.append(buffer, static_cast<size_t>(size));
  }
  return text;
}

TEST(Progress, SaysTheStageAndTheTime) {
  EXPECT_EQ(progress_line("parse", 1.0), "sinter: parse (stage 1 of 5), 1 s");
  EXPECT_EQ(progress_line("schedule", 12.9), "sinter: schedule (stage 3 of 5), 12 s");
  EXPECT_EQ(progress_line("other", 3.0), "sinter: other, 3 s");
}

TEST(Progress, IsShownOnATerminalAndCleared) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) GTEST_SKIP() << "no terminals here";
  const int shown = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  ASSERT_GE(shown, 0);
  Progress progress(shown);
  progress.begin("schedule");
  EXPECT_NE(read_until(terminal, " s").find("\r\x1b[Ksinter: schedule (stage 3 of 5), "), std::string::npos);
  progress.begin("lower");
  EXPECT_NE(read_until(terminal, "lower").find("sinter: lower"), std::string::npos);
  progress.end();
  ASSERT_EQ(write(shown, "!", 1), 1);
  const std::string rest = read_until(terminal, "!");
  EXPECT_TRUE(rest.ends_with("\r\x1b[K!")) << rest;
  close(shown);
  close(terminal);
}

TEST(Progress, SaysNothingInAShortCompile) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) GTEST_SKIP() << "no terminals here";
  const int shown = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  ASSERT_GE(shown, 0);
  {
    Progress progress(shown);
    progress.begin("parse");
  }
  ASSERT_EQ(write(shown, "!", 1), 1);
  EXPECT_EQ(read_until(terminal, "!"), "!");
  close(shown);
  close(terminal);
}

TEST(Progress, SaysNothingWhereThereIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    Progress progress(ends[1]);
    progress.begin("schedule");
    usleep(1'300'000);
  }
  close(ends[1]);
  EXPECT_EQ(read_until(ends[0], "sinter"), "");
  close(ends[0]);
}

}  // namespace
}  // namespace sinter
