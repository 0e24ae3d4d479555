// Runs of positions in a program's text that spans, from a kernel's first result to its last, make one: those that
// overlap are one run. What ends before a run begins waits for nothing in it, and cannot come to: whatever spans its
// beginning would belong to it.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace sinter {

class TextRuns {
 public:
  // Each position is a run of its own.
  explicit TextRuns(size_t positions = 0) : before_(positions) { std::iota(before_.begin(), before_.end(), size_t{0}); }

  // Where the run of a position begins.
  size_t begin(size_t position) {
    size_t first = position;
    while (before_[first] != first) first = before_[first];
    while (before_[position] != first) {
      const size_t next = before_[position];
      before_[position] = first;
      position = next;
    }
    return first;
  }

  // From `first` to `last` is one run, with what these belong to.
  void join(size_t first, size_t last) {
    for (size_t start = begin(last); start > first; start = begin(start)) before_[start] = start - 1;
  }

 private:
  std::vector<size_t> before_;  // a position of the same run further to the beginning; of the first one itself
};

}  // namespace sinter
