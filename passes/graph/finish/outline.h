// One instruction for many: a fusion that a stage of its own computes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Loops' counters that `instructions` read become values of their own, which are in memory.
void store_counters(const std::set<const Instruction*>& instructions, Computation* computation);

// What `instructions` read of others, in the order of the text; nullopt: something that no kernel loads.
std::optional<std::vector<Instruction*>> operands_of(Computation& computation,
                                                     const std::set<const Instruction*>& instructions);

// Computations that such an instruction already stands for, which are its stage's business.
std::set<const Computation*> computations_of_stages(Module& module);

struct Outlined {
  std::map<const Instruction*, Instruction*> copies;  // only looked up
  Computation* callee = nullptr;  // copies of the instructions; its root is the one result, or a tuple of several
  Instruction* fusion = nullptr;  // before the last of the results, which are left as they are
};
// Of `instructions`, which give `results`, in the order of the text; `name` is the callee's and the fusion's, `stage`
// the word of its stage.
Outlined outline(const std::vector<Instruction*>& results, const std::set<const Instruction*>& instructions,
                 const std::vector<Instruction*>& operands, const std::string& name, const std::string& stage);

}  // namespace sinter
