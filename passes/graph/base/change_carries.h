// Editing the state of a `while`, one tuple element (carry) at a time.
#pragma once

#include <vector>

#include "passes/analysis/loops/while_carries.h"

namespace sinter {

// Whether operand `slot` of `user` is how the body hands the carry on to the next step, unchanged.
bool hands_on(const Instruction& user, size_t slot, const Instruction& read);
// Whether the body or condition does anything else with what it reads. A condition may be a carry itself.
bool is_used(const Instruction& read);
// Puts a value in the place of a carry that is read, but where the body hands it on; true if there was a use.
bool replace_read(Instruction& read, Instruction* value);

// Begins carry `i`, whose next value has been given another shape, with a value of that shape; reads are of that
// shape from here on. There is an init(i) and a next(i).
void replace_carry(const CarriedLoop& loop, size_t i, Instruction* init);

// Whether the loop can carry more: it is taken apart, and its state and next state are tuples that are built here.
bool can_add_carries(const CarriedLoop& loop);

// Carries these values of the computation around the loop too, unchanged by its steps; how the body reads them. The
// loop can carry more.
std::vector<Instruction*> add_invariants(const CarriedLoop& loop, const std::vector<Instruction*>& values);

// What stands behind a loop that something in its computation reads.
Instruction& behind(Instruction& loop);

// Keeps these carries, which must include the live ones. False if that is all of them.
bool keep_carries(const CarriedLoop& loop, const std::vector<bool>& keep);

}  // namespace sinter
