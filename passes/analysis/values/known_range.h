// Bounds that all elements of an integer value keep, where these say more than its type: mark_ranges notes them of what
// indices are read from.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "ir/module/module.h"

namespace sinter {

inline constexpr const char* kRangeAttribute = "sinter_range";

// Of an instruction that is marked, least and largest.
std::optional<std::pair<int64_t, int64_t>> known_range(const Instruction& instruction);

}  // namespace sinter
