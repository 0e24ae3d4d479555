// Pointers that the steps of a loop move alike: where one begins at an array, becomes another or changes places with
// it, so do all of them, with arrays of their own. One pointer to structs of arrays can do it for them.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "passes/lower/host/host_plan.h"

namespace sinter {

// The pointers that become one another's, and the arrays that they begin at.
struct MovedArrays {
  std::string name;           // what is common to its pointers' names: "weight" of weight_current, weight_next
  std::vector<size_t> roles;  // buffers, in the order in which steps name them
};

struct MovedAlike {
  std::vector<MovedArrays> members;  // several; all have as many roles
  std::vector<bool> is_pointer;      // by role
};

// `pointers`: those that the steps set. The largest group first.
std::vector<MovedAlike> moved_alike(const HostPlan& plan, const std::vector<HostStep>& steps,
                                    const std::set<size_t>& pointers);

}  // namespace sinter
