// The variable of the user's program that an instruction's value is, where that program is known. It is an item of the
// metadata, which passes hand on: metadata={op_name="jit(f)/mul" variable="force"}.
#pragma once

#include <string>
#include <string_view>

#include "ir/module/module.h"

namespace sinter {

// As the user wrote it; empty where none is known.
std::string variable_of(const Instruction& instruction);
void set_variable(Instruction& instruction, std::string_view name);

// What a loop's step unpacks the carry to that this becomes: `h` for what `h, c = state; ...; return new_h, new_c`
// returns first. Empty where none is known.
std::string carried_variable_of(const Instruction& instruction);
void set_carried_variable(Instruction& instruction, std::string_view name);

// A pass has made several instructions of the variable's: this is none but the last, which alone it is read by.
bool is_part_of_variable(const Instruction& instruction);

// Both of `from`, for the instruction that takes its place.
void hand_on_variable(const Instruction& from, Instruction& to);

}  // namespace sinter
