#include "passes/schedule/groups/text_runs.h"

#include <gtest/gtest.h>

namespace sinter {
namespace {

TEST(TextRuns, SpansThatOverlapAreOneRun) {
  TextRuns runs(20);
  runs.join(3, 5);
  runs.join(9, 12);
  EXPECT_EQ(runs.begin(2), 2u);
  EXPECT_EQ(runs.begin(5), 3u);
  EXPECT_EQ(runs.begin(6), 6u);
  EXPECT_EQ(runs.begin(12), 9u);
  runs.join(5, 10);
  EXPECT_EQ(runs.begin(12), 3u);
  EXPECT_EQ(runs.begin(7), 3u);
  EXPECT_EQ(runs.begin(13), 13u);
  runs.join(13, 13);
  EXPECT_EQ(runs.begin(13), 13u);
  runs.join(0, 19);
  EXPECT_EQ(runs.begin(19), 0u);
}

}  // namespace
}  // namespace sinter
