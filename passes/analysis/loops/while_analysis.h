// What is known about a `while` without running it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

enum class CarryKind : uint8_t {
  kInduction,  // advances by a constant each iteration from a constant start
  kInvariant,  // the body returns it unchanged
  kGeneral,
};

struct Carry {
  CarryKind kind = CarryKind::kGeneral;
  int64_t start = 0;  // of kInduction
  int64_t step = 0;
};

// Whether a counter leaves its type, and wraps around, within so many steps: it is no index from there on.
bool wraps_within(const Carry& counter, DType dtype, int64_t steps);

struct WhileInfo {
  // Body runs; nullopt if it depends on data.
  std::optional<int64_t> trip_count;
  // The body runs at most so often, where a counter bounds a loop that may end sooner; equals trip_count if that is
  // known.
  std::optional<int64_t> trip_limit;
  // The tuple element the condition tests (valid when trip_count is known by induction), else -1.
  int64_t counter = -1;
  std::vector<Carry> carries;  // one for each tuple element (one in all where the state is no tuple)
};

WhileInfo analyze_while(const Instruction& while_instruction);

}  // namespace sinter
