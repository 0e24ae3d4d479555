// What instructions do besides computing a value: such instructions run, in the order of the text, whether or not their
// values are needed.
#pragma once

#include <unordered_set>

#include "ir/module/module.h"

namespace sinter {

// Moves the program's random state on, which is hidden: `rng`, `rng-get-and-update-state`.
bool draws(const Instruction& instruction);

// Draws, talks to the host, or is a custom call that is said to have effects.
bool has_own_effect(const Instruction& instruction);

using ComputationSet = std::unordered_set<const Computation*>;

// The computations that hold such an instruction, or one that calls such a computation.
ComputationSet computations_with(const Module& module, bool (*is_such)(const Instruction&));

bool calls_any(const Instruction& instruction, const ComputationSet& computations);

// The computations that, when run, do more than compute a value.
ComputationSet computations_with_effects(const Module& module);
bool has_effect(const Instruction& instruction, const ComputationSet& computations_with_effects);

}  // namespace sinter
