// Constants whose values the text leaves out (`{...}`).
#pragma once

#include "ir/diagnostics.h"
#include "ir/module.h"

namespace sinter {

// One error for each elided constant, with the JAX call that prints it in full; true if there is none.
bool refuse_elided(const Module& module, Diagnostics& diagnostics);

// Gives every elided constant values that are neither zero nor all equal, so that passes and schedule treat it as
// the array it is.
void make_up_elided(Module& module);

}  // namespace sinter
