// C identifiers for values and kernels, from what the HLO text says of them.
#pragma once

#include <string>

#include "ir/module/module.h"

namespace sinter {

// Of a kernel item; what is appended to the names of its kernels fits the 100 letters of an emitted file's.
inline constexpr size_t kLongestKernelName = 80;

// A C identifier from an HLO or op_name piece: "state[0]" -> "state_0", "jit(f)/while/body/add" -> "add".
std::string identifier(const std::string& text);

// "sum" of "sum_2".
std::string without_number(const std::string& name);

// The name a computation or one of its parameters goes by, without the numbers that make it unique in its module:
// "threefry2x32_2.5" -> "threefry2x32". No name of a function that CUDA or our headers have.
std::string function_name(const std::string& text);

// The name a function that a kernel calls goes by there.
std::string called_name(const Computation& callee);
// Of a result of a device function of the user's own that has several, the member of the struct that it returns; empty
// of anything else.
std::string member_of_call(const Instruction& element);

// True for names of C and CUDA library functions: a kernel of that name could not be told from them.
bool is_c_function(const std::string& name);

// True for those and the functions of templates/device: a parameter of that name would hide the function.
bool is_function(const std::string& name);
// True for the indices of a kernel and what its threads share: a parameter of that name would be hidden by them.
bool is_index_name(const std::string& name);

// The variable of the user's program that the value is, as a name that emitted code may have; empty if none is known.
std::string variable_name(const Instruction& instruction);

// The same of the carry of a loop that the value becomes.
std::string carried_name(const Instruction& instruction);

// The name an instruction's value goes by, without number: its variable; else the last part of its op_name, or its
// opcode.
std::string value_name(const Instruction& instruction);

// The name an array that is a constant goes by: what the text says of it, or "constant".
std::string constant_name(const Instruction& constant);

// True of a name that says how a value is made for want of what it is: `sum`, `chosen`, `dot`.
bool is_operation_name(const std::string& name);

}  // namespace sinter
