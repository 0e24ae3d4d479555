// Device memory between inputs and outputs over the steps of a run: where each buffer is, and from when to when.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/compile/plan_report.h"

namespace sinter {

struct ArenaBar {
  size_t buffer = 0;
  size_t first = 0, last = 0;  // steps of the plan itself, both included
  int64_t offset = 0, bytes = 0;
  std::optional<size_t> kernel;  // that writes it first
};

// By their offsets, then by their first steps.
std::vector<ArenaBar> arena_bars(const Program& program);

// Inline SVG; empty where nothing is kept in the arena.
std::string draw_arena(const Program& program, const PlanReport& report);

// "step 3", "steps 3 to 5" as the drawing numbers them.
std::string steps_text(size_t first, size_t last);

}  // namespace sinter
