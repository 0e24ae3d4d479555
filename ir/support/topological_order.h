// An order of things that wait for each other: Kahn's algorithm.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

namespace sinter {

struct Waiting {
  std::set<size_t> after;         // others, by number
  std::set<size_t> rather_after;  // others that it comes after where nothing is held up by that
  size_t rank = 0;                // of those that need not wait, the lowest rank comes first, then the lowest number
};

// The numbers of `things` in order; they may not wait for each other in a circle.
std::vector<size_t> topological_order(const std::vector<Waiting>& things);

}  // namespace sinter
