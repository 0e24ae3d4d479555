// Cumulative windows: a reduce-window whose windows all begin, or all end, where a dimension does.
#pragma once

#include <optional>

#include "ir/module/module.h"

namespace sinter {

struct CumulativeWindow {
  int64_t dimension = 0;
  bool reverse = false;  // windows end where the dimension does
};

// nullopt for other windows.
std::optional<CumulativeWindow> cumulative_window(const Instruction& window);

// The window of an array along a dimension of so many elements.
std::vector<WindowDimension> window_of(const CumulativeWindow& cumulative, const std::vector<int64_t>& dims);

// Whether one operation combines the elements, from a constant on: such a one has a kernel that combines every element
// once (passes/stages/scans/scan.h).
bool is_by_one_operation(const Instruction& window);

// How many elements before one, or behind it, fulfil a condition: the cumulative sum of where it is true. The element
// itself counts, or not; a number is added to the count.
struct RunningCount {
  int64_t dimension = 0;
  bool counts_itself = true;
  int64_t offset = 0;
  int64_t least() const { return (counts_itself ? 1 : 0) + offset; }  // where the predicate is true
};

// Where `predicate` is true the counts along the dimension all differ. nullopt for other values, and for counts that
// their type may not hold.
std::optional<RunningCount> running_count(const Instruction& value, const Instruction& predicate);

}  // namespace sinter
