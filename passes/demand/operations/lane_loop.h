// Loops whose lanes run on their own: what jax.vmap makes of a while loop.
//
//   condition:  any(p(state))
//   body:       next = select(p(state), f(state), state), for each carry that changes
//
// A lane whose p is false stays as it is from then on, so the loop's result is what each lane has when its own p fails:
// a thread a lane may run it to its own end.
#pragma once

#include "ir/module/module.h"

namespace sinter {

// p as the body computes it, an array of a predicate a lane; nullptr for any other loop. Says nothing of whether lanes
// read each other.
const Instruction* lane_predicate(const Instruction& while_instruction);

}  // namespace sinter
