// What is known of integers by their place along a dimension, where these say which rows updates are of: that they
// ascend, that no two are equal, that equal ones follow each other. Running counts ascend, numbers of places that a
// sort has moved are all different:
//
//   cumsum(flags) - 1                            ascends
//   where(flags, cumsum(flags) - 1, n)           no two below n are equal
//   argsort(x)                                   no two are equal
#pragma once

#include <cstdint>
#include <optional>

#include "passes/analysis/loops/ranges.h"

namespace sinter {

class IndexOrder {
 public:
  // Of a module that stays as it is while the answers are asked for.
  explicit IndexOrder(const Ranges& ranges) : ranges_(ranges) {}

  // None along the dimension is less than the one before it, and none exceeds it by more than this: 0 where all are
  // equal, INT64_MAX where they ascend by whatever number. nullopt: not known to ascend.
  std::optional<int64_t> ascent(const Instruction& value, int64_t dimension, int depth = 0) const;

  // No two along the dimension are equal.
  bool differ(const Instruction& value, int64_t dimension, int depth = 0) const;
  // No two that are in [0, limit) are equal.
  bool differ_below(const Instruction& value, int64_t dimension, int64_t limit, int depth = 0) const;

  // Equal ones follow each other: ascending ones, or such as have begun below zero, and count from the end there.
  bool are_grouped(const Instruction& value, int64_t dimension) const;

 private:
  bool is_same_along(const Instruction& value, int64_t dimension, int depth) const {
    return ascent(value, dimension, depth) == 0;
  }
  // The arm of a select that is always taken; nullptr where neither is.
  const Instruction* only_arm(const Instruction& select) const;
  bool keeps_value(const Instruction& convert) const;
  std::optional<int64_t> ascent_of_window(const Instruction& window, int64_t dimension) const;
  std::optional<int64_t> ascent_of_arithmetic(const Instruction& value, int64_t dimension, int depth) const;

  const Ranges& ranges_;
};

// Whether a sort compares its first operand alone, by "less than".
bool sorts_ascending(const Instruction& sort);

}  // namespace sinter
