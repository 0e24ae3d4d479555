// Runs kmeans, which is built with ranges, and twice, which is not: which ranges there are, and that all are closed,
// also where any call of CUDA fails.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cpu/sinter_cpu.h"
#include "kmeans/kmeans.hpp"
#include "nvtx3/nvToolsExt.h"
#include "twice/twice.hpp"

#define EXPECT(condition) \
  if (!(condition)) std::printf("line %d: %s\n", __LINE__, #condition), print(), std::exit(1)

namespace {

void print() {
  for (const std::string& range : recorded_ranges()) std::printf("%s\n", range.c_str());
}

// The depth that is left open; -1 where one is closed that is not open. `deepest` is the depth of the deepest.
int depth(int* deepest) {
  int open = 0;
  *deepest = 0;
  for (const std::string& range : recorded_ranges()) {
    open += range == "-" ? -1 : 1;
    if (open < 0) return -1;
    if (open > *deepest) *deepest = open;
  }
  return open;
}

long count(const std::string& range) {
  long times = 0;
  for (const std::string& recorded : recorded_ranges()) times += recorded == range;
  return times;
}

}  // namespace

int main() {
  std::vector<float> points(kmeans::count(&kmeans::Inputs::points)), centres(kmeans::count(&kmeans::Inputs::centres));
  for (size_t i = 0; i < points.size(); ++i) points[i] = static_cast<float>(i * 7 % 11);
  for (size_t i = 0; i < centres.size(); ++i) centres[i] = static_cast<float>(i % 8);
  std::vector<float> new_centres(centres.size());
  std::vector<int> assignment(kmeans::count(&kmeans::Outputs::assignment)), steps(1);
  const kmeans::Inputs in = {points, centres};
  const kmeans::Outputs out = {new_centres, assignment, steps};
  kmeans::Instance model;
  EXPECT(recorded_ranges().empty());

  // A run, and in it its steps one after the other.
  model.run(in, out);
  const std::vector<std::string> all = recorded_ranges();
  int deepest = 0;
  EXPECT(depth(&deepest) == 0 && deepest == 2);
  EXPECT(all.size() > 10 && all[0] == "+kmeans_run" && all.back() == "-" && count("+kmeans_run") == 1);
  EXPECT(all[1] == "+nearest: reduce.19  (make_samples.py:23)" && all[2] == "-");
  EXPECT(all[3] == "+condition" && all[4] == "-" && all[5] == "+update: scatter-add.11  (make_samples.py:28)");
  EXPECT(count("+condition") == steps[0] + 1 && count(all[5]) == steps[0]);

  // Each call of CUDA fails in turn: what was opened is closed, and the failed step was the last.
  int failed = 0;
  for (int n = 1;; ++n) {
    recorded_ranges().clear();
    sinter_cpu::faults() = {.failing = n, .error = cudaErrorLaunchFailure};
    const kmeans::Status status = model.try_run(in, out);
    const bool happened = sinter_cpu::faults().failed != nullptr;
    sinter_cpu::faults() = {};
    EXPECT(depth(&deepest) == 0);
    if (!happened) break;
    EXPECT(!status.ok() && recorded_ranges().size() <= all.size());
    ++failed;
  }
  EXPECT(failed > 5 && recorded_ranges() == all);

  // What is refused has no range; the other model has none at all.
  recorded_ranges().clear();
  EXPECT(!model.try_run({}, out).ok() && recorded_ranges().empty());
  std::vector<float> x(8);
  twice::Instance().run({x}, {std::vector<float>(8)});
  EXPECT(recorded_ranges().empty());
  std::printf("%zu ranges of a run, %d runs failed as they should\n", all.size() / 2, failed);
  return 0;
}
