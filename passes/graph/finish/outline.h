// Instructions that a stage of their own computes together become one: a fusion with the stage's word.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// What `instructions` read of others, in the order of the text; nullopt: something that no kernel loads.
std::optional<std::vector<Instruction*>> operands_of(Computation& computation,
                                                     const std::set<const Instruction*>& instructions);

// A new computation of their copies, with a parameter for each operand, whose root is the copy of `results`.
Computation* copy_out(const Instruction& results, const std::set<const Instruction*>& instructions,
                      const std::vector<Instruction*>& operands, const std::string& name);

// A fusion of it before `position`, for the stage `word`, called `name`.
Instruction* insert_for_stage(Instruction& position, Computation* callee, const std::vector<Instruction*>& operands,
                              const std::string& word, const std::string& name);

}  // namespace sinter
