// Arrays of which a kernel writes a part and leaves the rest as it is: carries of a host loop, `stack =
// dynamic-update-slice(stack, row, t)`, and donated parameters of the program whose result is the parameter updated.
// The kernel stores the update where it belongs.
#pragma once

#include <map>
#include <set>

#include "ir/module/module.h"

namespace sinter {

// Of the body of `loop`: updates of a carry that become the same carry, where nothing else in the body reads what the
// carry held. Whoever reads the update's result reads the updated array, from memory.
std::set<const Instruction*> updates_in_place(const Instruction& loop);

// Of the program: small updates of large donated parameters that become the result which takes the parameter's memory,
// one alone or several one after the other, of which nothing else reads what lies between. By update, the parameter.
std::map<const Instruction*, const Instruction*> donated_updates(const Module& module);

// What the first of such updates one after the other is made of: the parameter or carry.
const Instruction* updated_array(const std::set<const Instruction*>& updates, const Instruction* update);

}  // namespace sinter
