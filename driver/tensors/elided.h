// Constants whose values the text leaves out (`{...}`).
#pragma once

#include <string>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// What --elided says to do with them.
enum class Elided { kRefuse, kZeros, kRandom };

// Of the word that --elided takes; kRefuse if it is empty.
Elided elided_by_name(const std::string& word);

// The word of --elided for this; empty for kRefuse.
std::string elided_name(Elided elided);

// One error for each elided constant, with the JAX call that prints it in full; true if there is none.
bool refuse_elided(const Module& module, Diagnostics& diagnostics, const std::string& other_way = "");

// Refuses elided constants, or gives them stand-in values and warns of it; false if refused. `note` is then one line
// that says so wherever the result goes; empty if the text has all values.
//
// Random values are the same on every machine: they depend on the constant's type and on how many elided ones come
// before it. Floats are small, as weights are; integers are 0 or 1, so that they serve as indices.
bool settle_elided(Module& module, Elided elided, Diagnostics& diagnostics, std::string& note);

}  // namespace sinter
