// A carry of a loop that is a way through a tree: twice what it was, and 0 or 1, in each step.
#pragma once

#include <cstdint>
#include <optional>

#include "passes/analysis/loops/ranges.h"

namespace sinter {

// What such a carry, that begins within `init`, is behind so many steps at the most; nullopt for any other, and where
// it leaves its type.
std::optional<Interval> doubled_carry(const Instruction& loop, size_t carry, const std::optional<Interval>& init,
                                      const std::optional<int64_t>& steps);

}  // namespace sinter
