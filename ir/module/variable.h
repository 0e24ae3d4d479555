// The variable of the user's program that an instruction's value is, where that program is known. It is an item of the
// metadata, which passes hand on: metadata={op_name="jit(f)/mul" variable="force"}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

// Numbers of the user's module that the value's expression names: `GRAVITY` of `GRAVITY * sin`, 9.8.
struct NamedNumber {
  std::string name;
  double value = 0;
};
std::vector<NamedNumber> named_numbers_of(const Instruction& instruction);
void set_named_numbers(Instruction& instruction, const std::vector<NamedNumber>& numbers);

// All of `from`, for the instruction that takes its place.
void hand_on_variable(const Instruction& from, Instruction& to);

}  // namespace sinter
