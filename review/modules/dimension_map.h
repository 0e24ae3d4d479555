// Extents that change everywhere, 64 -> 96, explain numbers that follow from them, 4096 = 64*64 -> 9216 = 96*96.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "review/modules/module_changes.h"

namespace sinter {

struct ExtentChange {
  int64_t from = 0, to = 0;
  bool operator==(const ExtentChange&) const = default;
};

// Those that explain all others, the most frequent first.
std::vector<ExtentChange> changed_extents(const ModulePair& pair);

// How a number follows from extents, before and after: "64*64", "96*96". Empty where it is one of them.
struct Explanation {
  std::string from, to;
};
std::optional<Explanation> explain(int64_t from, int64_t to, const std::vector<ExtentChange>& extents);

}  // namespace sinter
