// Cumulative windows whose function is no single operation, for the passes that make them in parts.
#pragma once

#include <optional>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

struct OrderedWindow {
  size_t along = 0;    // dimension
  int64_t length = 0;  // of it
  bool reverse = false;
  std::vector<Literal> initials;
};

// nullopt for other windows, of no elements, and of initial values that are no constants.
std::optional<OrderedWindow> ordered_window(const Instruction& window);

// Turns a window into these results: a tuple where it has several.
void become_results(Instruction& window, const std::vector<Instruction*>& results);

}  // namespace sinter
