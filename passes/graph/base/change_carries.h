// Editing the state of a `while`, one tuple element (carry) at a time.
#pragma once

#include <vector>

#include "passes/analysis/loops/while_carries.h"

namespace sinter {

// Begins carry `i`, whose next value has been given another shape, with a value of that shape; reads are of that
// shape from here on. There is an init(i) and a next(i).
void replace_carry(const CarriedLoop& loop, size_t i, Instruction* init);

// Whether the loop can carry more: it is taken apart, and its state and next state are tuples that are built here.
bool can_add_carries(const CarriedLoop& loop);

// Carries these values of the computation around the loop too, unchanged by its steps; how the body reads them. The
// loop can carry more.
std::vector<Instruction*> add_invariants(const CarriedLoop& loop, const std::vector<Instruction*>& values);

// Keeps these carries, which must include the live ones. False if that is all of them.
bool keep_carries(const CarriedLoop& loop, const std::vector<bool>& keep);

}  // namespace sinter
