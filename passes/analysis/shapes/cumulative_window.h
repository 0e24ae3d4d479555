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

// Whether one operation combines real numbers, from a constant on: such a one has a kernel that combines every element
// once (passes/stages/scans/scan.h).
bool is_by_one_operation(const Instruction& window);

}  // namespace sinter
