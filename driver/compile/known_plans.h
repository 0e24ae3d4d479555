// What programs that were planned take: passes that make another form of a program may come to the same one, with and
// without each other, and it is planned once.
#pragma once

#include <map>
#include <string>

#include "driver/compile/tried_trees.h"
#include "ir/module/module.h"
#include "passes/schedule/schedule.h"

namespace sinter {

struct KnownPlan {
  Schedule schedule;
  Weight weight;
};
// By plan_key of the module.
using KnownPlans = std::map<std::string, KnownPlan>;

// All that the plan of a module depends on: its text, and in which order users of each value stand, which that does not
// say.
std::string plan_key(const Module& module);

}  // namespace sinter
