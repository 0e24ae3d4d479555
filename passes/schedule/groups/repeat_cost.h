// What it takes to compute a value again, in each kernel that reads it or for each time it is read: place_values.cpp
// stores those that take too long. Costs are in operations like an add (op_table.h).
#pragma once

#include <cstdint>

#include "ir/module/module.h"

namespace sinter {

// One element is made of many: dear to compute again, and not at every index.
bool is_sum(const Instruction& instruction);

// True if neighbouring windows of the instruction share elements of operand 0.
bool windows_overlap(const Instruction& instruction);

// What it takes to compute one element of the value from elements that are stored, or nearly so.
int element_cost(const Instruction& value);

// Arrays as large as the value that a kernel reads to compute it, if what is elementwise is computed there.
int64_t arrays_below(const Instruction& value);

// Elements of an operand that all tiles of a contraction load.
int64_t elements_loaded(const Instruction& contraction, const Instruction* operand);

// Elements of a short list at places that are known, and what is computed of these: what a loop looks up in every step
// of very many elements (lay_out_searches.cpp), and would look up twice.
bool is_looked_up(const Instruction& value, const Instruction& reader);

// Cheap to compute again in each kernel that needs it.
bool is_cheap(const Instruction& instruction);

// True if a kernel that computes the value may compute more than `most` values for it, as they are cheap too.
bool needs_more_than(int64_t most, const Instruction& value);

// True if elements of the operands are read many times over.
bool reads_often(const Instruction& instruction);

}  // namespace sinter
